package stealth

import (
	"chimera/rules"
	"chimera/rules/fide"
)

// Effects is what m makes happen: captures in the order in which the man comes to
// them, then its way. A run is told as one: where it ends with a capture, the man
// absorbs there if it has absorbed anything.
func (s *State) Effects(m rules.Move) []rules.Effect {
	prey := s.prey(m)
	if prey == 0 {
		return fide.StepEffects(s.Setup(), m)
	}
	var effects []rules.Effect
	us, start := s.Turn, s.men[m.From]
	for man := start; prey != 0; {
		sq := nearest(m, prey)
		prey &^= sq.Set()
		before := man
		man = men.after[man][s.men[sq]]
		e := rules.Effect{Kind: rules.Captured, From: m.From, To: sq, Piece: rules.Man(us.Other(), s.men[sq])}
		if man != before || sq == m.To && man != start {
			e.Kind, e.Into = rules.Absorbed, rules.Man(us, man)
		}
		effects = append(effects, e)
	}
	return append(effects, rules.Effect{Kind: rules.Moved, From: m.From, To: m.To, Piece: rules.Man(us, start)})
}
