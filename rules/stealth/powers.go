package stealth

import "strings"

// maxLevel is the level of a bomber's line.
const maxLevel = 3

// powers is what a piece can do.
type powers struct {
	rook, bishop uint8 // levels of the lines; 0 for none
	leaps        leaps
}

// leaps are the powers beside lines, one a bit, in the order of their letters.
type leaps uint8

const (
	knight leaps = 1 << iota
	wazir        // one step orthogonally
	ferz         // one step diagonally
	pegasus

	prince = wazir | ferz
	zebra  = knight | prince
)

// full are the powers written out: a line includes its first step, the flight of
// the Pegasus what it begins with.
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

// reduced are the powers without those that others include. It is the one
// spelling of all sets that are the same written out.
func (p powers) reduced() powers {
	if p.leaps&pegasus != 0 {
		p.leaps = pegasus
	}
	p.leaps &^= powers{rook: p.rook, bishop: p.bishop}.full().leaps
	return p
}

// has reports whether p can do all that q can.
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

// everyPowers are all sets that a piece can have, in their one spelling.
func everyPowers() []powers {
	var every []powers
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
