package brigade

import (
	"regexp"
	"strings"

	"chimera/rules"
	"chimera/rules/fide"
)

// Effects is what m makes happen, with shots before or after the move as they were fired.
func (s *State) Effects(m rules.Move) []rules.Effect {
	setup := s.Setup()
	var before, move, after []rules.Effect
	for _, sq := range board.ByFile(m.Kills) {
		e := rules.Effect{Kind: rules.Captured, From: m.From, To: sq, Piece: setup.Board[sq]}
		if from, ok := s.shotFrom(m, sq); ok {
			e.Kind, e.From = rules.Shot, from
		}
		if e.Kind == rules.Shot && e.From == m.To {
			after = append(after, e)
		} else {
			before = append(before, e)
		}
	}
	if m.From != m.To {
		move = fide.StepEffects(setup, m)
		if s.Pieces[fide.Bishop].Has(m.From) && move[0].Kind == rules.Captured {
			move[0].Kind = rules.Shot // it fires, and then moves there
		}
	}
	for i := range move {
		if move[i].Kind == rules.Moved {
			move[i].Path = s.route(m)
		}
	}
	return append(append(before, move...), after...)
}

// shotFrom is the square from which the piece on sq, not the final square, is shot, if it is. If both ends of the move
// allow it, it is the final one.
func (s *State) shotFrom(m rules.Move, sq rules.Square) (rules.Square, bool) {
	switch s.Role(m.From) {
	case fide.Rook:
		return m.From, true
	case fide.Bishop:
		if light[sq].Has(m.To) {
			return m.To, true
		}
		return m.From, true
	case fide.Queen:
		r := s.flight(s.Turn)
		r.standOn(m.From.Set())
		// Otherwise the queen raids: it kills more, or ends where it could not have landed.
		if m.Kills == sq.Set() && (r.launch & light[sq]).Has(m.To) {
			return m.To, true
		}
		return 0, false
	default:
		return 0, false
	}
}

// route is the way that an armor takes with a move, or a queen that kills on it. Of equivalent ways it is the first by
// the squares' order; none if the piece goes directly.
func (s *State) route(m rules.Move) rules.Path {
	piece := s.Role(m.From)
	if piece != fide.Knight && (piece != fide.Queen || m.Kills == 0) {
		return ""
	}
	if sq := m.Kills.First(); m.Kills != 0 {
		if _, shot := s.shotFrom(m, sq); shot {
			return ""
		}
	}
	want := m.Kills | m.To.Set()&s.Sides[s.Turn&1^1]
	if piece == fide.Knight {
		return s.stepsTo(m.From, m.From, m.To, want, &raid{})
	}
	r := s.flight(s.Turn)
	if path := s.stepsTo(m.From, m.From, m.To, want, &r); path != "" {
		return path
	}
	for sq := range ((r.empty &^ r.covered) & marches[m.To]).Squares() {
		if path := s.stepsTo(m.From, sq, m.To, want, &r); path != "" {
			return rules.PathOf(sq) + path
		}
	}
	return ""
}

// stepsTo is the first way of three orthogonal steps between two squares that kills exactly the wanted pieces, for a
// piece that came from yet another square.
func (s *State) stepsTo(from, on, to rules.Square, want rules.Set, r *raid) rules.Path {
	last := beside(to.Set())
	for one := range (beside(on.Set()) & beside(last)).Squares() {
		for two := range (beside(one.Set()) & last).Squares() {
			if dead, ok := s.march(from, on, []rules.Square{one, two, to}, r); ok && dead == want {
				return rules.PathOf(one, two, to)
			}
		}
	}
	return ""
}

// ReadPath is the move that a text writes square by square, as "Nb1-b2-b3-c3",
// "Qd1-e4-e5-e6-f6", "Qd1-e5*f6" or "Ba1*b2-c3". The signs may be missing, but for
// the star of a shot.
func (s *State) ReadPath(text string) (rules.Move, bool) {
	p, ok := s.readPath(text)
	if !ok || !s.Sides[s.Turn&1].Has(p.from) {
		return rules.Move{}, false
	}
	switch s.Role(p.from) {
	case fide.Knight:
		if dead, ok := s.march(p.from, p.from, p.stops, &raid{}); ok {
			return p.move(dead)
		}
	case fide.Bishop:
		return s.bishopPath(&p)
	case fide.Queen:
		r := s.flight(s.Turn)
		if dead, ok := s.fly(&p, &r); ok {
			return p.move(dead)
		}
	default: // other pieces have no choice of way
	}
	return rules.Move{}, false
}

// RefusePath says which step of an armor's path it cannot take.
func (s *State) RefusePath(text string, r *rules.Refuser) *rules.Illegal {
	p, ok := s.readPath(text)
	us := s.Turn & 1
	if !ok || !s.Of(us, fide.Knight).Has(p.from) || p.shots != 0 {
		return nil
	}
	on := p.from
	for i, to := range p.stops {
		step := r.Between(p.from, to)
		if no := step.First(
			rules.If(!beside(on.Set()).Has(to), rules.CannotReach, "refused.not-one-step", "from", at(on)),
			rules.If((s.Sides[us]&^p.from.Set()).Has(to), rules.OwnPiece, "refused.own-on-path"),
			rules.If(s.Pieces[fide.King].Has(to) && i < 2, KingNotShot, "refused.king-on-path"),
		); no != nil {
			return no
		}
		on = to
	}
	if len(p.stops) != 3 {
		return r.Between(p.from, on).No(rules.CannotReach, "refused.three-steps")
	}
	return nil
}

// path is a parsed path.
type path struct {
	from  rules.Square
	stops []rules.Square // where the piece goes, in order
	shots rules.Set      // squares with a star
	first bool           // a star comes before the first stop
}

// end is the square where the piece ends.
func (p *path) end() rules.Square {
	if len(p.stops) == 0 {
		return p.from
	}
	return p.stops[len(p.stops)-1]
}

// move is the move of a path that kills the given pieces. Either all of them must be starred, the last square aside, or
// none.
func (p *path) move(dead rules.Set) (rules.Move, bool) {
	kills := dead &^ p.end().Set()
	ok := p.shots == 0 || p.shots == kills || p.shots == dead
	return rules.Move{From: p.from, To: p.end(), Kills: kills}, ok
}

// The forms of a path: "[letter]square", then stops and shots, at least three squares in all; shorter ones say nothing
// that other move text does not.
var (
	pathForm = regexp.MustCompile(`^([a-z]?)([a-h][1-8])((?:x?\*?[a-h][1-8]){2,})$`)
	stopForm = regexp.MustCompile(`(\*?)([a-h][1-8])`)
)

func (s *State) readPath(text string) (p path, ok bool) {
	text = strings.ToLower(strings.TrimRight(text, "+#!? "))
	form := pathForm.FindStringSubmatch(strings.ReplaceAll(text, "-", ""))
	if form == nil {
		return p, false
	}
	if p.from = board.Parse(form[2]); form[1] != "" && table.Role(strings.ToUpper(form[1])) != s.Role(p.from) {
		return p, false
	}
	for _, stop := range stopForm.FindAllStringSubmatch(form[3], -1) {
		switch sq := board.Parse(stop[2]); {
		case stop[1] == "":
			p.stops = append(p.stops, sq)
		case p.shots.Has(sq):
			return p, false
		default:
			p.shots |= sq.Set()
			p.first = p.first || len(p.stops) == 0
		}
	}
	return p, true
}

// march is the pieces killed by three orthogonal steps that begin on a square, by a piece that came from another one;
// false if the steps are impossible.
func (s *State) march(from, on rules.Square, steps []rules.Square, r *raid) (dead rules.Set, ok bool) {
	us := s.Turn & 1
	for i, to := range steps {
		stops := s.Sides[us] &^ from.Set()
		if i < 2 {
			stops |= s.Pieces[fide.King]
		}
		if (stops | r.danger(dead)).Has(to) || !beside(on.Set()).Has(to) {
			return 0, false
		}
		dead |= to.Set() & s.Sides[us^1]
		on = to
	}
	return dead, len(steps) == 3
}

func (s *State) bishopPath(p *path) (rules.Move, bool) {
	m := rules.Move{From: p.from, To: p.end(), Kills: p.shots &^ p.end().Set()}
	if len(p.stops) != 1 || p.shots.Len() != 1 {
		return m, false
	}
	// Which of the two comes first matters only to whether it is possible.
	if p.first {
		return m, light[p.from]&p.shots != 0 && fide.BishopSlides(p.from, s.Occupied()&^p.shots).Has(p.end())
	}
	return m, light[p.end()]&p.shots != 0 && fide.BishopSlides(p.from, s.Occupied()).Has(p.end())
}

// fly is the pieces killed on a queen's path; false if it is impossible.
func (s *State) fly(p *path, r *raid) (dead rules.Set, ok bool) {
	if dead, ok := s.act(p, p.from, p.stops, r); ok {
		return dead, true
	}
	if len(p.stops) == 0 || !(r.empty &^ r.covered).Has(p.stops[0]) {
		return 0, false
	}
	return s.act(p, p.stops[0], p.stops[1:], r)
}

// act is the pieces killed by the one action of a queen after its flight to a square, as given by the rest of its path.
func (s *State) act(p *path, on rules.Square, rest []rules.Square, r *raid) (dead rules.Set, ok bool) {
	victims := s.Sides[s.Turn&1^1]
	switch len(rest) {
	case 0:
		shot := p.shots & light[on] & victims
		return p.shots, !p.first && shot == p.shots && shot.Len() <= 1
	case 1:
		to := rest[0]
		if way := fide.Between(on, to) | to.Set(); way&r.covered != 0 {
			return 0, false
		}
		r.standOn(p.from.Set())
		slide := fide.BishopSlides(on, ^r.free) & r.free
		step := fide.KingSteps(on) & (r.free | victims)
		return to.Set() & victims, (slide | step).Has(to)
	}
	return s.march(p.from, on, rest, r)
}
