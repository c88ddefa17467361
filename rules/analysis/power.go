package analysis

import (
	"errors"
	"slices"

	"chimera/rules"
)

// Power is what a piece can do on a board with nothing else on it but what shows how it deals
// with pieces in its way.
type Power struct {
	From  rules.Square
	Board rules.Board // with the piece on From, and where it can pass pieces, some of both sides
	All   Reach
	Parts []Part    // what it is made of, the stronger first; itself alone where that is no compound
	Lends rules.Set // to which squares it lends its powers
}

// Part is a piece that another is made of. Of what several parts can do, the first of them has it.
type Part struct {
	Piece rules.Piece
	Reach
}

// Reach is what a piece can do from where it stands.
type Reach struct {
	Goes   rules.Set // empty squares on which it can end its move
	Takes  rules.Set // where it can capture by going there, or on its way
	Shoots rules.Set // where it can kill from where it stands
}

func (r *Reach) add(other Reach) {
	r.Goes |= other.Goes
	r.Takes |= other.Takes
	r.Shoots |= other.Shoots
}

// without is what r has and other does not.
func (r *Reach) without(other Reach) Reach {
	return Reach{r.Goes &^ other.Goes, r.Takes &^ other.Takes, r.Shoots &^ other.Shoots}
}

// and is what both have.
func (r *Reach) and(other Reach) Reach {
	return Reach{r.Goes & other.Goes, r.Takes & other.Takes, r.Shoots & other.Shoots}
}

// Of finds the power of a piece, White's or of both sides, near the middle of the board. There is
// none of a piece that cannot be set up.
func Of(v *rules.Variant, p rules.Piece) (Power, error) {
	if p.White == rules.NoRole || int(max(p.White, p.Black)) >= len(v.Table) {
		return Power{}, errors.New("analysis: no piece of White's")
	}
	w := Power{From: v.Shape.At((v.Shape.Files-1)/2, (v.Shape.Ranks-1)/2)}
	w.Board[w.From] = p
	if p.Shared() {
		return w, w.halve(v, p)
	}
	t := trial{Variant: v, side: rules.White, from: w.From, board: w.Board}
	if !t.place() {
		return w, errors.New("analysis: no position with a " + v.Table[p.White].Name + " alone")
	}
	w.Lends = t.lends()
	if passing, ok := t.obstruct(); ok {
		t = passing
	}
	w.Board, w.All = t.board, t.reach()
	w.part(&t, p.White)
	return w, nil
}

// halve finds what each side can do with a piece of both.
func (w *Power) halve(v *rules.Variant, p rules.Piece) error {
	for _, side := range []rules.Color{rules.White, rules.Black} {
		t := trial{Variant: v, side: side, from: w.From, board: w.Board}
		if !t.place() {
			return errors.New("analysis: no position with such a piece of both sides")
		}
		half := t.reach()
		w.Parts = append(w.Parts, Part{rules.PieceOf(side, p.Half(side)), half.without(w.All)})
		w.All.add(half)
	}
	return nil
}

// part tells which part of a piece of White's, which t is a trial of, can do what.
func (w *Power) part(t *trial, whole rules.Role) {
	left := w.All
	for _, role := range parts(t.Table, whole) {
		if role == whole {
			continue
		}
		one := *t
		one.board[one.from] = rules.PieceOf(rules.White, role)
		if !one.place() {
			continue
		}
		can := one.reach()
		part := Part{one.board[one.from], left.and(can)}
		left = left.without(part.Reach)
		w.Parts = append(w.Parts, part)
	}
	if w.Parts == nil {
		w.Parts = []Part{{Piece: rules.PieceOf(rules.White, whole)}}
	}
	w.Parts[0].add(left)
}

// parts are the roles that one is made of: its simple ones, those that it has several times as the
// compound of these alone, if there is such.
func parts(t rules.Table, whole rules.Role) (all []rules.Role) {
	simple := t.Simple(whole)
	for i, role := range simple {
		if slices.Contains(simple[:i], role) {
			continue
		}
		equal := slices.DeleteFunc(slices.Clone(simple), func(r rules.Role) bool { return r != role })
		for r := range t {
			if len(equal) > 1 && slices.Equal(t[r].Parts, equal) {
				role = rules.Role(r)
			}
		}
		all = append(all, role)
	}
	return all
}
