package puzzle

import (
	"slices"
	"strings"

	"chimera/rules"
)

// A Theme is something that puzzles are about.
type Theme string

// The themes. All but the first two are effects of one of the solver's moves.
const (
	Mate         Theme = "mate"         // the last move mates, or the king can be taken next
	Gain         Theme = "gain"         // it does not, and wins all the same
	Fork         Theme = "fork"         // a piece attacks two, and then takes one
	Merge        Theme = "merge"        // pieces become one
	Split        Theme = "split"        // a piece comes apart
	Birth        Theme = "birth"        // a capture makes a piece of both sides
	Shot         Theme = "shot"         // a piece fires
	Run          Theme = "run"          // a piece captures on its way
	Annihilation Theme = "annihilation" // what stands around goes up
	Promotion    Theme = "promotion"    // a piece is promoted
)

// Themes are all themes.
func Themes() []Theme {
	return []Theme{Mate, Gain, Fork, Merge, Split, Birth, Shot, Run, Annihilation, Promotion}
}

// Named is the theme of a name; "" if there is none.
func Named(name string) Theme {
	name = strings.ToLower(name)
	if slices.Contains(Themes(), Theme(name)) {
		return Theme(name)
	}
	return ""
}

// ThemesOf are what a solution is about, in the order of Themes.
func ThemesOf(steps []Step) []Theme {
	is := map[Theme]bool{}
	for i := 0; i < len(steps); i += 2 {
		s := &steps[i]
		for _, e := range s.Before.Effects(s.Move) {
			if t := told(s.Move, &e); t != "" {
				is[t] = true
			}
		}
		if i+2 < len(steps) && forks(s, &steps[i+2]) {
			is[Fork] = true
		}
	}
	last := &steps[len(steps)-1]
	is[Mate] = Mates(last.After())
	is[Gain] = !is[Mate]
	var themes []Theme
	for _, t := range Themes() {
		if is[t] {
			themes = append(themes, t)
		}
	}
	return themes
}

// Mates reports whether the side to move has lost, or cannot avoid losing its king next.
func Mates(pos *rules.Position) bool {
	s := pos.Status()
	return s == rules.Checkmate || s == rules.KingTaken || s == rules.Mated
}

// told is the theme of one effect of a move; "" if it has none.
func told(m rules.Move, e *rules.Effect) Theme {
	if (e.Kind == rules.Captured || e.Kind == rules.Absorbed) && m.Kills.Has(e.To) {
		return Run
	}
	return map[rules.EffectKind]Theme{
		rules.Merged: Merge, rules.Parted: Split, rules.Born: Birth, rules.Shot: Shot, rules.Annihilated: Annihilation, rules.Promoted: Promotion,
	}[e.Kind]
}

// forks reports whether the piece that made a move then attacks two pieces, of which the king
// may be one and none is a pawn, and takes one of them by the next.
func forks(s, next *Step) bool {
	if next.Move.From != s.Move.To {
		return false
	}
	after := s.After()
	us, board, table := s.Before.Turn(), after.Board(), after.Variant().Table
	prey := rules.Set(0)
	for _, r := range after.Moves() {
		answered, err := after.Play(r)
		if err != nil {
			continue
		}
		stays := answered.Board()
		for _, m := range answered.Moves() {
			if m.From != s.Move.To {
				continue
			}
			for sq := range (m.To.Set() | m.Kills).Squares() {
				role := board[sq].Half(us.Other())
				if role != rules.NoRole && !table[role].Pawn && !table[role].Royal && stays[sq] == board[sq] {
					prey |= sq.Set()
				}
			}
		}
	}
	taken := prey & (next.Move.To.Set() | next.Move.Kills)
	return taken != 0 && (prey|after.Checked()).Len() >= 2
}
