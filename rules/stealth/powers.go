package stealth

import "strings"

// maxLevel is the level of a bomber's line.
const maxLevel = 3

// powers is what a piece can do.
type powers struct {
	rook, bishop uint8 // levels of the lines; 0 for none
	knight       bool
	wazir        bool // one step orthogonally
	ferz         bool // one step diagonally
	pegasus      bool
}

// full are the powers written out: a line includes its first step, the flight of
// the Pegasus what it begins with.
func (p powers) full() powers {
	p.knight = p.knight || p.pegasus
	p.wazir = p.wazir || p.rook > 0 || p.pegasus
	p.ferz = p.ferz || p.bishop > 0 || p.pegasus
	return p
}

// reduced are the powers without those that others include. It is the one
// spelling of all sets that are the same written out.
func (p powers) reduced() powers {
	p.knight = p.knight && !p.pegasus
	p.wazir = p.wazir && p.rook == 0 && !p.pegasus
	p.ferz = p.ferz && p.bishop == 0 && !p.pegasus
	return p
}

// has reports whether p can do all that q can.
func (p powers) has(q powers) bool { return p.with(q) == p.reduced() }

// with is what p and q can do together, each line at its higher level.
func (p powers) with(q powers) powers {
	p, q = p.full(), q.full()
	return powers{
		max(p.rook, q.rook), max(p.bishop, q.bishop),
		p.knight || q.knight, p.wazir || q.wazir, p.ferz || q.ferz, p.pegasus || q.pegasus,
	}.reduced()
}

// again is what p becomes by capturing its equal: every line a level higher, and
// without lines "Knight + Knight = Zebra", "Prince + Prince = Zebra", "Zebra +
// Zebra = Pegasus".
func (p powers) again() powers {
	prince := powers{wazir: true, ferz: true}
	knight := powers{knight: true}
	zebra := knight.with(prince)
	switch {
	case p.rook > 0 || p.bishop > 0:
		if p.rook > 0 {
			p.rook = min(p.rook+1, maxLevel)
		}
		if p.bishop > 0 {
			p.bishop = min(p.bishop+1, maxLevel)
		}
		return p
	case p == knight, p == prince:
		return zebra
	case p == zebra:
		return powers{pegasus: true}
	}
	return p
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
	for _, leap := range []struct {
		has    bool
		letter string
	}{{p.knight, "N"}, {p.wazir, "W"}, {p.ferz, "F"}, {p.pegasus, "G"}} {
		if leap.has {
			code += leap.letter
		}
	}
	return code
}

// everyPowers are all sets that a piece can have, in their one spelling.
func everyPowers() []powers {
	var every []powers
	for rook := range uint8(maxLevel + 1) {
		for bishop := range uint8(maxLevel + 1) {
			for leaps := range 16 {
				p := powers{rook, bishop, leaps&1 != 0, leaps&2 != 0, leaps&4 != 0, leaps&8 != 0}
				if p == p.reduced() && p != (powers{}) {
					every = append(every, p)
				}
			}
		}
	}
	return every
}
