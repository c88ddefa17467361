package engine

import "chimera/rules"

// pick is a move to be tried: its index among the legal moves, and what speaks for it.
type pick struct {
	score int32
	index uint16
	loud  bool
}

// The ranks of moves, best first: what the table remembers, captures that gain, killers,
// quiet moves by their history, captures that lose.
const (
	scoreTable  = 1 << 30
	scoreLoud   = 1 << 24
	scoreKiller = 1 << 22
	historyMost = 1 << 14
)

// order is what has been learned of moves while searching.
type order struct {
	picks   [maxPly + 1][]pick
	killers [maxPly + 2][2]rules.Move
	history [2][64][64]int32 // by color, from and to
	loud    func(rules.Move) bool
	guarded func(rules.Move) bool
}

// forget is called before another search.
func (o *order) forget() {
	clear(o.killers[:])
	o.history = [2][64][64]int32{}
}

// survey looks through the moves at ply: it lists them as picks, or only the loud ones, and
// sums up what it is worth to have them.
func (s *search) survey(ply int, moves []rules.Move, loudOnly bool) []pick {
	v := &s.line.views[ply]
	us := v.setup.Turn & 1
	them := us ^ 1
	zone := rules.Set(0)
	if king := v.kings[them]; king != 0 {
		zone = s.line.zone[king.First()&63]
	}
	targets := v.sides[them]
	if v.setup.EnPassant != rules.NoSquare {
		targets |= v.setup.EnPassant.Set()
	}
	var reach, each, pressing sum
	last, from := rules.NoSquare, 0
	picks := s.order.picks[ply][:0]
	for i := range moves {
		m := &moves[i]
		if m.From != last {
			last, from = m.From, s.line.kind(v.setup.Board[m.From&63], us)
			each, pressing = s.line.mobility[from], s.line.press[from]
		}
		reach += each
		if zone.Has(m.To) {
			reach += pressing
		}
		if targets.Has(m.To) || m.Kills != 0 || m.Role != rules.NoRole || s.order.loud != nil {
			if gain, loud := s.gain(v, m, from, them); loud {
				score := scoreLoud + int32(gain)*16 - int32(s.line.gain[from])/16
				if gain+40 < s.line.gain[from] && s.order.guarded != nil && s.order.guarded(*m) {
					if loudOnly {
						continue
					}
					score -= 2 * scoreLoud
				}
				picks = append(picks, pick{score, uint16(i), true})
				continue
			}
		}
		if !loudOnly {
			picks = append(picks, pick{s.order.history[us][m.From&63][m.To&63], uint16(i), false})
		}
	}
	v.reach = reach
	s.order.picks[ply] = picks
	return picks
}

// gain is what the move m of a piece of the kind from captures and promotes, in
// centipawns, and whether it does anything of that sort.
func (s *search) gain(v *view, m *rules.Move, from int, them rules.Color) (int, bool) {
	worth := s.line.gain
	gain, loud := 0, false
	if p := v.setup.Board[m.To&63]; p != (rules.Piece{}) {
		if kind := s.line.kind(p, them); kind%s.line.roles != 0 {
			gain, loud = worth[kind], true
			switch {
			case s.line.royal[kind]:
				gain = royalGain
			case p.Shared():
				gain -= worth[s.line.kind(p, them^1)]
			}
		}
	} else if m.To == v.setup.EnPassant && s.line.pawn[from] {
		gain, loud = worth[from], true
	}
	if m.Kills != 0 {
		loud = true
		for kills := m.Kills; kills != 0; kills = kills.Rest() {
			gain += worth[s.line.kind(v.setup.Board[kills.First()&63], them)]
		}
	}
	if m.Act == rules.Step && m.Role != rules.NoRole {
		gain, loud = gain+worth[m.Role]-worth[from], true
	}
	if s.order.loud != nil && s.order.loud(*m) {
		gain, loud = gain+blastGain, true
	}
	return gain, loud
}

// What a king is worth to one who can take it, and what a blast is hoped to be, in
// centipawns.
const (
	royalGain = 50_000
	blastGain = 300
)

// best brings the best of the picks from n on to place n.
func best(picks []pick, n int) {
	top := n
	for i := n + 1; i < len(picks); i++ {
		if picks[i].score > picks[top].score {
			top = i
		}
	}
	picks[n], picks[top] = picks[top], picks[n]
}

// prefer raises the picks that the table and the killers name.
func (s *search) prefer(ply int, moves []rules.Move, picks []pick, first int) {
	killers := &s.order.killers[ply]
	for i := range picks {
		p := &picks[i]
		switch {
		case int(p.index) == first:
			p.score = scoreTable
		case p.loud:
		case moves[p.index] == killers[0]:
			p.score = scoreKiller + 1
		case moves[p.index] == killers[1]:
			p.score = scoreKiller
		}
	}
}

// reward notes that the quiet move m was good enough at a depth, and that those tried
// before it were not.
func (o *order) reward(ply, depth int, c rules.Color, m rules.Move, moves []rules.Move, tried []pick) {
	if killers := &o.killers[ply]; killers[0] != m {
		killers[0], killers[1] = m, killers[0]
	}
	bonus := int32(min(depth*depth*16, 1200))
	o.credit(c, &m, bonus)
	for _, p := range tried {
		if !p.loud {
			o.credit(c, &moves[p.index], -bonus)
		}
	}
}

func (o *order) credit(c rules.Color, m *rules.Move, bonus int32) {
	h := &o.history[c&1][m.From&63][m.To&63]
	*h += bonus - *h*max(bonus, -bonus)/historyMost
}
