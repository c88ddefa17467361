package stealth

import (
	_ "embed"
	"slices"
	"strings"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

// Captain is what a pawn becomes by capturing a pawn. The roles above it are the sets of powers beyond orthodox chess.
const Captain = fide.King + 1

// roles is the number of rows of the piece table.
const roles = 69

// names are the author's for the sets on the author's list, each after its code.
//
//go:embed names.txt
var names string

// catalogue is all data about pieces, by role.
type catalogue struct {
	table     rules.Table
	powers    [roles]powers // none for pawn, captain and king
	orthodox  [roles]fide.Powers
	extra     [roles]uint8             // which of a State's extra sets they are in, bit by bit
	after     [roles][roles]rules.Role // what each piece becomes by capturing each
	promotion [8]rules.Role            // what a pawn becomes, by file
}

var roster = newCatalogue() //nolint:gochecknoglobals // built once, never written

func newCatalogue() *catalogue {
	c := &catalogue{table: append(fide.Pieces(), rules.RoleInfo{Code: "C", Name: "captain", Glyph: "captain", Worth: 2, Noun: book.Say("captain")})}
	c.table[fide.Pawn].Does = book.Say("does.pawn")
	c.table[fide.King].Does = book.Say("does.king")
	c.table[Captain].Does = book.Say("does.captain")
	for _, p := range everyPowers() {
		role := c.table.Role(p.code())
		if role == rules.NoRole {
			role = rules.Role(len(c.table))
			c.table = append(c.table, pieceOf(p.code()))
		}
		c.table[role].Does = book.Say("does.powers", "powers", phrase.And(abilities(p)))
		c.powers[role] = p
		c.extra[role] = extraOf(p)
	}
	c.extra[Captain] = 1 << captains
	c.draw()
	for role := range c.powers {
		for _, part := range c.table.Simple(rules.Role(role)) {
			c.orthodox[role] |= fide.PowersOf(part)
		}
	}
	for captor := range rules.Role(roles) {
		for prey := range rules.Role(roles) {
			c.after[captor][prey] = c.capture(captor, prey)
		}
	}
	steps := c.role(powers{leaps: prince})
	c.table[steps].Short = "P"
	c.promotion = [8]rules.Role{
		fide.Rook, fide.Knight, fide.Bishop, fide.Queen, steps, fide.Bishop, fide.Knight, fide.Rook,
	}
	c.table[fide.Pawn].Also = book.Say("does.pawn-promotes", "prince", c.table[steps].Noun)
	return c
}

// pieceOf is the piece of a code, without what it does.
func pieceOf(code string) rules.RoleInfo {
	info := rules.RoleInfo{Code: code, Name: code, Noun: book.Say("letters", "letters", code, "first", code[:1]), Set: len(code) == 1}
	for line := range strings.Lines(names) {
		if set, name, _ := strings.Cut(strings.TrimSpace(line), " "); set == code {
			info.Name, info.Noun = name, book.Say("piece."+strings.ReplaceAll(name, " ", "-"))
		}
	}
	return info
}

func (c *catalogue) role(p powers) rules.Role { return c.table.Role(p.code()) }

// isPowered reports whether a piece has powers that captures pass on.
func (c *catalogue) isPowered(r rules.Role) bool { return c.powers[r] != powers{} }

// draw says how the pieces that orthodox chess does not have are drawn: the prince,
// its two halves and the Pegasus by figures of their own, the rest by their parts.
func (c *catalogue) draw() {
	figures := map[string]struct {
		glyph string
		worth int
	}{"WF": {"prince", 5}, "W": {"wazir", 2}, "F": {"ferz", 2}, "G": {"pegasus", 25}}
	for r := Captain + 1; int(r) < len(c.table); r++ {
		info := &c.table[r]
		if figure, ok := figures[info.Code]; ok {
			info.Glyph, info.Worth = figure.glyph, figure.worth
		} else {
			info.Parts = c.parts(c.powers[r])
		}
	}
}

// parts are the simple pieces that make up p, a line's once for each level. What is
// left of a prince beside a line is drawn as a prince: "Rook + Prince = Tank".
func (c *catalogue) parts(p powers) []rules.Role {
	lines := append(slices.Repeat([]rules.Role{fide.Rook}, int(p.rook)), slices.Repeat([]rules.Role{fide.Bishop}, int(p.bishop))...)
	if p.rook == p.bishop {
		lines = slices.Repeat([]rules.Role{fide.Queen}, int(p.rook))
	}
	parts := lines
	if p.leaps&knight != 0 {
		parts = append(parts, fide.Knight)
	}
	steps := p.leaps & prince
	if steps != 0 && p.full().leaps&prince == prince {
		steps = prince
	}
	if steps |= p.leaps & pegasus; steps != 0 {
		parts = append(parts, c.role(powers{leaps: steps}))
	}
	return parts
}

// capture is what a piece becomes by capturing another; itself if nothing changes.
func (c *catalogue) capture(captor, prey rules.Role) rules.Role {
	switch {
	case prey == rules.NoRole, prey == fide.King, captor == fide.King:
		return captor
	case c.isPowered(captor) && c.isPowered(prey):
		return c.role(c.powers[captor].absorbing(c.powers[prey]))
	case c.isPowered(captor): // "A Pawn or a Captain captured by an enemy piece is simply shot."
		return captor
	case c.isPowered(prey):
		return prey
	}
	return Captain
}

// maxLevel is the level of a bomber's line.
const maxLevel = 3

// powers is what a piece can do.
type powers struct {
	rook, bishop uint8 // levels of the lines; 0 for none
	leaps        leaps
}

// leaps are the powers other than lines, one a bit, in the order of their letters.
type leaps uint8

const (
	knight leaps = 1 << iota
	wazir        // one step orthogonally
	ferz         // one step diagonally
	pegasus

	prince = wazir | ferz
	zebra  = knight | prince
)

// full are the powers written out: a line includes its first step, the flight of the Pegasus its beginning.
func (p powers) full() powers {
	if p.leaps&pegasus != 0 {
		p.leaps |= zebra
	}
	if p.rook > 0 {
		p.leaps |= wazir
	}
	if p.bishop > 0 {
		p.leaps |= ferz
	}
	return p
}

// reduced are the powers without those included in others. All sets that are equal when written out have this one
// spelling.
func (p powers) reduced() powers {
	if p.leaps&pegasus != 0 {
		p.leaps = pegasus
	}
	p.leaps &^= powers{rook: p.rook, bishop: p.bishop}.full().leaps
	return p
}

// has reports whether p includes all of q.
func (p powers) has(q powers) bool { return p.with(q) == p.reduced() }

// with is what p and q can do together, each line at its higher level.
func (p powers) with(q powers) powers {
	return powers{max(p.rook, q.rook), max(p.bishop, q.bishop), p.full().leaps | q.full().leaps}.reduced()
}

// again is what p becomes by capturing its equal: every line a level higher, and
// without lines "Knight + Knight = Zebra", "Prince + Prince = Zebra", "Zebra +
// Zebra = Pegasus".
func (p powers) again() powers {
	switch {
	case p.rook > 0 || p.bishop > 0:
		p.rook, p.bishop = higher(p.rook), higher(p.bishop)
	case p.leaps == knight, p.leaps == prince:
		p.leaps = zebra
	case p.leaps == zebra:
		p.leaps = pegasus
	}
	return p
}

func higher(level uint8) uint8 {
	if level == 0 {
		return 0
	}
	return min(level+1, maxLevel)
}

// absorbing is what p becomes by capturing q.
func (p powers) absorbing(q powers) powers {
	switch {
	case p == q:
		return p.again()
	case q.has(p): // "If a 'component piece' captures a hybrid, it converts to that hybrid."
		return q
	case p.has(q): // "If a hybrid piece captures one of its components, the captured piece is simply shot."
		return p
	}
	return p.with(q)
}

// code names the powers in the order R B (or Q) N W F G.
func (p powers) code() string {
	code := strings.Repeat("R", int(p.rook)) + strings.Repeat("B", int(p.bishop))
	if p.rook == p.bishop {
		code = strings.Repeat("Q", int(p.rook))
	}
	for i, letter := range "NWFG" {
		if p.leaps>>i&1 != 0 {
			code += string(letter)
		}
	}
	return code
}

// everyPowers are all sets that a piece can have, in their reduced spelling.
func everyPowers() (every []powers) {
	for rook := range uint8(maxLevel + 1) {
		for bishop := range uint8(maxLevel + 1) {
			for leaps := range 2 * pegasus {
				if p := (powers{rook, bishop, leaps}); p == p.reduced() && p != (powers{}) {
					every = append(every, p)
				}
			}
		}
	}
	return every
}
