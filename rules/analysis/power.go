package analysis

import (
	"errors"
	"slices"

	"chimera/rules"
)

// Power is what a piece can do on a board that is empty, except for pieces that show whether it can
// pass others.
type Power struct {
	From  rules.Square
	Board rules.Board // the piece on From, and others if it can pass them
	All   Reach
	Parts []Part    // the pieces it is made of, the stronger first; itself alone if it is no compound
	Lends rules.Set // squares to which it lends its powers
}

// Part is a piece that another is made of. What several parts can do is listed with the first.
type Part struct {
	Piece rules.Piece
	Reach
}

// Reach is what a piece can do from where it stands.
type Reach struct {
	Goes   rules.Set // empty squares on which it can end its move
	Takes  rules.Set // squares where it captures by going there, or on its way
	Shoots rules.Set // squares where it kills without moving
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

// Of finds what a piece of White's or of both sides can do near the middle of the board. The error
// says that no position with such a piece can be set up.
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

// part finds what each part of a piece of White's can do; t is the trial of the whole piece.
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

// parts are the roles that one is made of. If it has a simple role several times, the compound of
// just these counts as one part, provided that the game has it.
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
