// Package analysis finds out by trial what a piece can do ([Of]) and what a position threatens
// ([Find]). It knows no game: it sets up positions and looks at their moves, so a new game has
// piece cards and threats at once.
//
// Both take up to some ten milliseconds, so they are for pictures and words that somebody asks
// for. Everything here is safe for concurrent use.
package analysis

import (
	"errors"
	"slices"

	"chimera/rules"
)

// Power is what a piece can do on an empty board, or one with just the pieces that show whether it can pass others.
type Power struct {
	From  rules.Square
	Board rules.Board // the piece on From, and others if it can pass them
	All   Reach
	Parts []Part    // its parts, stronger first; itself alone if it is no compound
	Lends rules.Set // squares to which it lends its powers
}

// Part is a part of a piece. What several parts can do is listed with the first.
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

// without is the part of r that other lacks.
func (r *Reach) without(other Reach) Reach {
	return Reach{r.Goes &^ other.Goes, r.Takes &^ other.Takes, r.Shoots &^ other.Shoots}
}

// and is what both have in common.
func (r *Reach) and(other Reach) Reach {
	return Reach{r.Goes & other.Goes, r.Takes & other.Takes, r.Shoots & other.Shoots}
}

// Of finds what a piece of White's or of both sides can do near the middle of the board. The error says that no
// position with such a piece can be set up.
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

// parts are the parts of a role. If it has a simple role several times, the compound of just these counts as one part,
// provided that the game has it.
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

// trial is a setup to try out a piece: its square, the rest of the board, and positions of it with kings out of the
// way.
type trial struct {
	*rules.Variant
	side  rules.Color // to move
	from  rules.Square
	board rules.Board       // without kings, unless the piece is one
	first []*rules.Position // with the kings in different places
}

// place finds the squares for the kings, at the lower and the upper edge, that leave the piece the
// most moves, and reports whether it has any.
func (t *trial) place() bool {
	most := 0
	t.first = nil
	for own := range t.edge(0, 1).Squares() {
		for other := range t.edge(t.Shape.Ranks-1, -1).Squares() {
			pos := t.kings(own, other)
			if pos == nil {
				continue
			}
			n := t.goes(pos).Len()
			if n > most {
				most, t.first = n, nil
			}
			if n == most && n > 0 {
				t.first = append(t.first, pos)
			}
		}
	}
	return t.first != nil
}

// edge are the squares of a rank, and of the next ones inward if it has few.
func (t *trial) edge(rank, inward int) (squares rules.Set) {
	const few = 4
	for ; squares.Len() < few; rank += inward {
		for file := range t.Shape.Files {
			squares |= t.Shape.At(file, rank).Set()
		}
	}
	return squares
}

// kings is a position with kings on these squares, White's on the first; nil if there is none, as when a square is taken.
// If the piece itself is a king, its side gets no other, and in a game without kings neither does.
func (t *trial) kings(white, black rules.Square) *rules.Position {
	setup := rules.Setup{Board: t.board, Turn: t.side, EnPassant: rules.NoSquare, FullMove: 1}
	king := slices.IndexFunc(t.Table, func(info rules.RoleInfo) bool { return info.Royal })
	on := map[rules.Color]rules.Square{rules.White: white, rules.Black: black}
	for side, sq := range on {
		if king < 0 || t.Table[t.board[t.from].Half(side)].Royal {
			continue
		}
		if setup.Board[sq] != (rules.Piece{}) {
			return nil
		}
		setup.Board[sq] = rules.PieceOf(side, rules.Role(king))
	}
	pos, _ := t.FromSetup(setup) // nil if it is illegal
	return pos
}

// goes are the squares where the piece can end its move.
func (t *trial) goes(pos *rules.Position) (ends rules.Set) {
	for _, m := range pos.Moves() {
		if m.From == t.from && m.Act == rules.Step {
			ends |= m.To.Set()
		}
	}
	return ends
}

// lends are the squares to which the piece lends its powers.
func (t *trial) lends() (on rules.Set) {
	for _, pos := range t.first {
		for _, influence := range pos.Influences() {
			if influence.From == t.from {
				on |= influence.On
			}
		}
	}
	return on
}

// reach is all that the piece can do.
func (t *trial) reach() (all Reach) {
	for _, pos := range t.first {
		for _, m := range pos.Moves() {
			if m.From != t.from || m.Act != rules.Step {
				continue
			}
			if t.board[m.To] == (rules.Piece{}) {
				all.Goes |= m.To.Set()
			}
			for foes := (m.Kills | m.To.Set()) & t.foes(); foes != 0; foes = foes.Rest() {
				all.add(kill(pos, m, foes.First()))
			}
		}
	}
	for sq := range t.Shape.Squares.Squares() {
		if t.board[sq] == (rules.Piece{}) {
			all.add(t.target(sq))
		}
	}
	all.Goes &^= t.from.Set()
	return all
}

// foes are the squares of the other side's pieces, but for the king.
func (t *trial) foes() rules.Set {
	return t.Shape.Squares.Where(func(sq rules.Square) bool {
		return !t.board[sq].Shared() && t.board[sq].Half(t.side.Other()) != rules.NoRole
	})
}

// target finds how the piece can kill a simple piece on a square, if it can.
func (t *trial) target(on rules.Square) (all Reach) {
	const enough = 4 // positions, with the kings in different places
	for i := 0; i < len(t.first) && all == (Reach{}); i += (len(t.first) + enough) / enough {
		setup := rules.Setup{Board: t.first[i].Board(), Turn: t.side, EnPassant: rules.NoSquare, FullMove: 1}
		if setup.Board[on] != (rules.Piece{}) {
			continue
		}
		eachFoe(t.Variant, setup, on, t.side.Other(), func(pos *rules.Position) bool {
			for _, m := range pos.Moves() {
				if m.From == t.from && m.Act == rules.Step && (m.Kills | m.To.Set()).Has(on) {
					all.add(kill(pos, m, on))
				}
			}
			return all == (Reach{})
		})
	}
	return all
}

// eachFoe yields positions of a setup with a simple piece of a side added on a square, while more are wanted. It tries
// a few different pieces, since one may give a check that forbids other moves.
func eachFoe(v *rules.Variant, setup rules.Setup, on rules.Square, side rules.Color, more func(*rules.Position) bool) {
	left := 3
	for r, info := range v.Table {
		if info.Royal || info.Glyph == "" {
			continue
		}
		setup.Board[on] = rules.PieceOf(side, rules.Role(r))
		if pos, err := v.FromSetup(setup); err == nil {
			if left--; !more(pos) || left == 0 {
				return
			}
		}
	}
}

// kill finds how a move kills on a square; nothing if it is a shot from a square other than the piece's starting
// square.
func kill(pos *rules.Position, m rules.Move, on rules.Square) (by Reach) {
	for _, e := range pos.Effects(m) {
		switch {
		case e.To != on:
		case e.Kind.Captures():
			by.Takes |= on.Set()
		case e.Kind == rules.Shot && e.From == m.From:
			by.Shoots |= on.Set()
		}
	}
	return by
}

// obstruct is t with a friend, and an enemy behind it, on the piece's lines ahead, if the piece can still capture that
// enemy. A piece that goes everywhere has no lines.
func (t *trial) obstruct() (trial, bool) {
	const friend, foe, beyond = 2, 3, 4 // squares away
	passes := false
	all := *t
	var open rules.Set // where it can go
	for _, pos := range t.first {
		open |= t.goes(pos)
	}
	if open|t.from.Set() == t.Shape.Squares {
		return all, false
	}
	for _, dir := range [...][2]int{{0, 1}, {1, 1}} {
		one := *t
		at := func(n int) rules.Square { return t.Shape.Offset(t.from, n*dir[0], n*dir[1]) }
		line := at(1).Set() | at(friend).Set() | at(foe).Set()
		if at(beyond) == rules.NoSquare || open&line != line {
			continue
		}
		for _, b := range []*rules.Board{&one.board, &all.board} {
			b[at(friend)], b[at(foe)] = t.extra(t.side), t.extra(t.side.Other())
		}
		if !one.place() || !one.takes(at(foe)) {
			all.board[at(friend)], all.board[at(foe)] = rules.Piece{}, rules.Piece{}
			continue
		}
		passes = true
	}
	return all, passes && all.place()
}

// takes reports whether the piece can capture what stands on a square, by going there or past it.
func (t *trial) takes(foe rules.Square) bool {
	return slices.ContainsFunc(t.first, func(pos *rules.Position) bool {
		return slices.ContainsFunc(pos.Moves(), func(m rules.Move) bool {
			return m.From == t.from && kills(m).Has(foe) && kill(pos, m, foe).Takes != 0
		})
	})
}

// extra is an unimportant piece: the first of the table that is no king.
func (t *trial) extra(side rules.Color) rules.Piece {
	r := slices.IndexFunc(t.Table[1:], func(info rules.RoleInfo) bool { return !info.Royal })
	return rules.PieceOf(side, rules.Role(r+1))
}

// Threats are the captures that the other side could make if it were its turn, and the pieces that
// either side's next move could annihilate.
type Threats struct {
	Mover    rules.Color
	Attacked rules.Set // squares on which the other side could capture a piece of the mover's
	Pieces   []Threat  // to the mover's own pieces, by file
	Vain     []Threat  // to further ones, whose capture would gain nothing
	Weighed  bool      // Vain has been found
	Ranged   rules.Set // squares of Attacked that a gun could shoot at without moving
	Blasts   []Threat  // what the other side's next move could annihilate of the mover's, by file
	Chances  []Threat  // what the mover's could of the other side's, likewise
}

// Threat is to a piece, by others.
type Threat struct {
	On rules.Square
	By rules.Set
}

// Find finds the threats in a position of a game in progress. A move that would leave the attacker's own king in check
// is no threat; in a game where kings are captured, capturing one is.
func Find(pos *rules.Position) Threats {
	t := Threats{Mover: pos.Turn()}
	views := Views(pos)
	if views == nil {
		return t
	}
	v, them := pos.Variant(), t.Mover.Other()
	on := owned(pos, t.Mover)
	for _, sq := range v.Shape.ByFile(on) {
		var by rules.Set
		for _, view := range views {
			by |= safely(pos, attackers(view, sq), sq)
			t.Ranged |= shots(view, sq)
		}
		if by != 0 {
			t.Pieces = append(t.Pieces, Threat{sq, by})
			t.Attacked |= sq.Set()
		}
	}
	t.Blasts, t.Chances = blasts(views[0], on), blasts(pos, owned(pos, them))
	for sq := range v.Shape.Squares.Squares() {
		for _, view := range views {
			if view.Board()[sq] == (rules.Piece{}) && !t.Attacked.Has(sq) {
				t.try(pos, view, sq)
			}
		}
	}
	return t
}

// try finds whether a piece of the mover's would be attacked on a square that is empty in a view.
func (t *Threats) try(pos, view *rules.Position, sq rules.Square) {
	setup := rules.Setup{Board: view.Board(), Turn: view.Turn(), EnPassant: rules.NoSquare, FullMove: view.FullMove()}
	eachFoe(pos.Variant(), setup, sq, t.Mover, func(tried *rules.Position) bool {
		if safely(pos, attackers(tried, sq), sq) == 0 {
			return true
		}
		t.Attacked |= sq.Set()
		t.Ranged |= shots(tried, sq)
		return false
	})
}

// safely are the attackers of a square, except a king that would be captured there as the mover's pieces really stand.
func safely(pos *rules.Position, by rules.Set, on rules.Square) rules.Set {
	v, board := pos.Variant(), pos.Board()
	for from := range by.Squares() {
		if !v.Table[board[from].Half(pos.Turn().Other())].Royal {
			continue
		}
		setup := rules.Setup{Board: board, Turn: pos.Turn(), EnPassant: rules.NoSquare, FullMove: pos.FullMove()}
		setup.Board[on], setup.Board[from] = board[from], rules.Piece{}
		if _, err := v.FromSetup(setup); err != nil {
			by &^= from.Set()
		}
	}
	return by
}

// Passed is a position with the turn given to the other side; nil if that would be illegal, as the king is in check.
func Passed(pos *rules.Position) *rules.Position {
	passed, _ := pos.Variant().FromSetup(rules.Setup{Board: pos.Board(), Turn: pos.Turn().Other(), Castling: pos.Castling(), EnPassant: rules.NoSquare, FullMove: pos.FullMove()})
	return passed
}

// Views are views of a position with the turn given to the other side: the one that [Passed] gives, unless the king is
// in check. Then it is moved to a safe square, and another piece takes its place so that no line opens through that
// square; if every such piece would give check or could not be captured, its place stays empty. As the piece may hinder
// moves that the king does not, there are views with several pieces and with the king at both ends of the board; none
// if the king is safe nowhere.
func Views(pos *rules.Position) (views []*rules.Position) {
	if passed := Passed(pos); passed != nil {
		return []*rules.Position{passed}
	}
	v, mover := pos.Variant(), pos.Turn()
	setup := rules.Setup{Board: pos.Board(), Turn: mover.Other(), EnPassant: rules.NoSquare, FullMove: pos.FullMove()}
	var bare []*rules.Position
	free := slices.DeleteFunc(slices.Collect(v.Shape.Squares.Squares()), func(sq rules.Square) bool { return setup.Board[sq] != rules.Piece{} })
	for range 2 {
		for king := range pos.Checked().Squares() {
			for _, sq := range free {
				moved, known := setup, len(views)
				moved.Board[sq], moved.Board[king] = setup.Board[king], rules.Piece{}
				if view, err := v.FromSetup(moved); err == nil && bare == nil {
					bare = append(bare, view)
				}
				eachFoe(v, moved, king, mover, func(tried *rules.Position) bool {
					if tried.Checked() == 0 && attackers(tried, king) != 0 {
						views = append(views, tried)
					}
					return true
				})
				if len(views) > known {
					break
				}
			}
		}
		slices.Reverse(free)
	}
	if views == nil {
		return bare
	}
	return views
}

// owned are the squares of a side's pieces, those of both sides among them.
func owned(pos *rules.Position, side rules.Color) rules.Set {
	board := pos.Board()
	return pos.Variant().Shape.Squares.Where(func(sq rules.Square) bool { return board[sq].Half(side) != rules.NoRole })
}

// attackers are the mover's pieces that can capture on a square.
func attackers(pos *rules.Position, on rules.Square) (by rules.Set) {
	for _, m := range pos.Moves() {
		if m.From != on && kills(m).Has(on) {
			by |= m.From.Set()
			if m.Act == rules.Rally {
				by |= m.With.Set()
			}
		}
	}
	return by
}

// kills are the squares on which a move kills if an enemy is there.
func kills(m rules.Move) rules.Set {
	if m.Act != rules.Step && m.Act != rules.Rally {
		return m.Kills
	}
	return m.Kills | m.To.Set()
}

// shots is the set of a square if a move of the mover's kills there without going there.
func shots(pos *rules.Position, on rules.Square) rules.Set {
	shot := func(m rules.Move) bool { return kills(m).Has(on) && kill(pos, m, on).Shoots != 0 }
	if slices.ContainsFunc(pos.Moves(), shot) {
		return on.Set()
	}
	return 0
}

// blasts are the annihilations on these squares by the mover's moves.
func blasts(pos *rules.Position, on rules.Set) (all []Threat) {
	by := map[rules.Square]rules.Set{}
	for _, m := range pos.Moves() {
		for _, e := range pos.Effects(m) {
			if e.Kind == rules.Annihilated && on.Has(e.To) {
				by[e.To] |= m.From.Set()
			}
		}
	}
	for _, sq := range pos.Variant().Shape.ByFile(on) {
		if by[sq] != 0 {
			all = append(all, Threat{sq, by[sq]})
		}
	}
	return all
}
