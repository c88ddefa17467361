package rules

import (
	"slices"
	"sync"

	"chimera/rules/phrase"
)

// Status is the state of a position by itself, without its past.
type Status uint8

// The states of a position. If two apply, the first of these counts: king taken, checkmate, insufficient, mated,
// stalemate.
const (
	Ongoing      Status = iota
	Checkmate           // in check, and no move
	Stalemate           // not in check, and no move
	Insufficient        // too few pieces to mate; moves are still listed
	KingTaken           // the side to move has no king
	Mated               // in check with pseudo-legal moves only; the king can be taken next
)

// String is the status in small letters: "ongoing", "kingtaken".
func (s Status) String() string {
	return [...]string{"ongoing", "checkmate", "stalemate", "insufficient", "kingtaken", "mated"}[s]
}

// State is implemented by a game, on a pointer to the value type S that holds one of its positions. It only ever holds
// legal positions.
type State[S any] interface {
	*S
	Core
	// Play makes *next the position after m, which must be one of Moves, and leaves its receiver unchanged.
	Play(m Move, next *S)
	// Pass ends the turn of the mover, who must not be in check, without a move.
	Pass()
	// Renew updates *setup, which is that of before, to the receiver's, and returns the squares that may have changed. The
	// receiver must be the position after a move, or a pass, from before.
	Renew(before *S, setup *Setup) Set
}

// Core are the methods of a State that only read it.
type Core interface {
	// Moves appends the legal moves, each once, in an order that depends on the
	// position alone.
	Moves(buf []Move) []Move
	// Final reports whether no earlier position can come again after m, one of Moves. It may be false if that is hard to
	// tell.
	Final(m Move) bool
	// Setup is the position as a FEN says it.
	Setup() Setup
	// Checkers are the enemy pieces that could take the mover's king if it were their turn.
	Checkers() Set
	// Status is the position's, given the number of its legal moves.
	Status(moves int) Status
	// Effects is what m, one of Moves, makes happen.
	Effects(m Move) []Effect
	// Refuse says why a move that is not one of Moves is not legal.
	Refuse(r *Refuser) *Illegal
	// Guarded reports whether the other side could capture on m.To after m, one of Moves, legally or not. It is a guess if
	// the move changes what other pieces can do.
	Guarded(m Move) bool
}

// Interfaces that a State may also implement. Their features are optional.
type (
	// PathReader is a State whose moves may be written as a path, square by square.
	PathReader interface {
		// ReadPath is the legal move that a text describes; false if none.
		ReadPath(text string) (Move, bool)
		// RefusePath says what is wrong with a path that is no legal move; nil if the text is no path or the fault cannot be
		// told.
		RefusePath(text string, r *Refuser) *Illegal
	}
	// Explainer is a State whose pieces do more than the table of pieces says.
	Explainer interface {
		// How says in whole sentences what the piece on sq may do now, and why; nothing if the table says it all. does is
		// what the table says of a piece of one side. The first sentence is about all pieces of its kind.
		How(sq Square, does phrase.Phrase) []phrase.Phrase
	}
	// Influencer is a State in which pieces lend their powers to squares.
	Influencer interface {
		Influences() []Influence
	}
	// Freezer is a State in which a piece may have to rest for a turn.
	Freezer interface {
		// Frozen are the squares of the pieces that neither side may move this turn.
		Frozen() Set
	}
	// Warner is a State with dangers that are no check, or with checks or mates that would be none in chess.
	Warner interface {
		// Warning is one sentence about that, nothing if there is none.
		Warning() phrase.Phrase
	}
)

// Influence is the squares to which the piece on From lends its powers.
type Influence struct {
	From Square
	On   Set
}

// StatusOf is the status of a position with both kings, given the number of its legal moves and whether too few pieces
// are left to mate.
func StatusOf(moves int, few bool, checkers func() Set) Status {
	switch {
	case moves == 0 && checkers() != 0:
		return Checkmate
	case few:
		return Insufficient
	case moves == 0:
		return Stalemate
	}
	return Ongoing
}

// Position is a legal position of a game. It never changes, and is safe for
// concurrent use.
type Position struct {
	variant  *Variant
	state    Core
	setup    Setup
	moves    []Move
	checkers Set
	status   Status

	scriptOnce sync.Once
	written    *script
}

func newPosition(v *Variant, s Core) *Position {
	p := &Position{variant: v, state: s, setup: s.Setup(), moves: s.Moves(nil), checkers: s.Checkers()}
	p.status = s.Status(len(p.moves))
	return p
}

// Variant is the game that p is a position of.
func (p *Position) Variant() *Variant { return p.variant }

// Board says what stands where.
func (p *Position) Board() Board { return p.setup.Board }

// Turn is the side to move.
func (p *Position) Turn() Color { return p.setup.Turn }

// Frozen are the squares of the pieces that neither side may move this turn; few games
// have any.
func (p *Position) Frozen() Set {
	if s, ok := p.state.(Freezer); ok {
		return s.Frozen()
	}
	return 0
}

// Castling is the squares of the rooks that may still castle.
func (p *Position) Castling() Set { return p.setup.Castling }

// HalfMoves is the half-move clock: plies since the last capture or pawn move.
func (p *Position) HalfMoves() int { return p.setup.HalfMoves }

// FullMove is the number of the current move, from 1.
func (p *Position) FullMove() int { return p.setup.FullMove }

// FEN is the text from which Variant.Position makes an equal position.
func (p *Position) FEN() string { return p.variant.fen(&p.setup) }

// Key is equal for positions that are equal by the rule of repetition, which compares all of the FEN but the two
// counters. Others have different keys, but for a chance of one in 2^64. It is stable and may be stored: FNV-1a of that
// text.
func (p *Position) Key() uint64 {
	return p.variant.KeyOf(&p.setup)
}

// Moves are the legal moves, each once, in a stable order.
func (p *Position) Moves() []Move { return slices.Clone(p.moves) }

// Checked is the square of the mover's king if it is in check, else empty.
func (p *Position) Checked() Set {
	if p.checkers == 0 {
		return 0
	}
	return p.kings(p.setup.Turn)
}

// kings are the squares of c's kings.
func (p *Position) kings(c Color) Set {
	return p.variant.Shape.Squares.Where(func(sq Square) bool { return p.variant.Table[p.setup.Board[sq].Half(c)].Royal })
}

// Checkers are the squares of the pieces that give check to the mover's king.
func (p *Position) Checkers() Set { return p.checkers }

// Status is the state of the position by itself.
func (p *Position) Status() Status { return p.status }

// Play is the position after m, or an [*Illegal] that says why there is none.
func (p *Position) Play(m Move) (*Position, error) {
	if err := p.Check(m); err != nil {
		return nil, err
	}
	return p.variant.play(p.state, m), nil
}

// Check is nil if m is legal, else an [*Illegal] that says why it is not.
func (p *Position) Check(m Move) error {
	if slices.Contains(p.moves, m) {
		return nil
	}
	return p.refuse(m)
}

// Effects is what the legal move m makes happen, in order; nil for an illegal one.
func (p *Position) Effects(m Move) []Effect {
	if !slices.Contains(p.moves, m) {
		return nil
	}
	return p.state.Effects(m)
}

// How says in whole sentences what the piece on sq may do now and why; nothing if there
// is none.
func (p *Position) How(sq Square) phrase.Phrase {
	does, now := p.Does(sq)
	if now.IsZero() {
		return does
	}
	return book.Say("all", "sentences", phrase.Spaced([]phrase.Phrase{does, now}))
}

// Does is How in two parts: what such a piece may do, and what changes that now.
func (p *Position) Does(sq Square) (does, now phrase.Phrase) {
	piece := p.setup.Board[sq]
	if piece == (Piece{}) {
		return does, now
	}
	var info RoleInfo
	if !piece.Shared() {
		info = p.variant.Table[piece.White|piece.Black]
	}
	on := p.variant.on(piece, sq)
	all := []phrase.Phrase{info.does(on)}
	if s, ok := p.state.(Explainer); ok {
		if how := s.How(sq, info.Does.With("piece", on)); len(how) > 0 {
			all = how
		}
	}
	if stuck := p.stuck(sq); !stuck.IsZero() {
		all = append(all, stuck)
	}
	if len(all) > 1 {
		now = book.Say("all", "sentences", phrase.Spaced(all[1:]))
	}
	return all[0], now
}

// Influences are the squares to which pieces lend their powers, in a game with such.
func (p *Position) Influences() []Influence {
	if s, ok := p.state.(Influencer); ok {
		return s.Influences()
	}
	return nil
}

// Warning is a sentence about a danger that is no check, or a check or mate that would be none in chess; or nothing.
func (p *Position) Warning() phrase.Phrase {
	if s, ok := p.state.(Warner); ok {
		return s.Warning()
	}
	return phrase.Phrase{}
}

// TakesKing reports whether the side to move can capture a king, which is possible only in games that are won that way.
func (p *Position) TakesKing() bool {
	kings := p.kings(p.setup.Turn.Other())
	return slices.ContainsFunc(p.moves, func(m Move) bool { return kings.Has(m.To) })
}

// Cursor is a new Cursor that stands on p.
func (p *Position) Cursor() Cursor { return p.variant.cursor(p.state) }

// Cursor walks the tree of moves below a position, and reuses its memory: after
// warming up it allocates nothing. It is not safe for concurrent use.
type Cursor interface {
	// Moves are the legal moves here, in a stable order. They stay valid through any Push and
	// Pop until Moves is called at this depth again.
	Moves() []Move
	// Final reports whether no earlier position can come again after m, one of Moves.
	Final(m Move) bool
	// Push plays one of Moves.
	Push(m Move)
	// Pass gives the turn to the other side; Pop takes that back. Only a side not in check may pass.
	Pass()
	// Pop takes the last Push or Pass back.
	Pop()
	// Look updates *setup, which is that of the position before the last Push or Pass, to this position's, and returns the
	// squares of its board that may have changed. Before the first Push, *setup may be anything.
	Look(setup *Setup) Set
	// Checked reports whether the mover's king is in check.
	Checked() bool
	// Status is the position's, given the number of its legal moves.
	Status(moves int) Status
	// Guarded is that of the State.
	Guarded(m Move) bool
	// A State that is no Blaster has none.
	Blaster
}

// Blaster may be implemented by a State, for better searching, if moves can remove more than a capture on Move.To or en
// passant, and Move.Kills.
type Blaster interface {
	// Blasters are the mover's pieces that may have such moves.
	Blasters() Set
	// Blasts reports whether m, one of Moves of one of the Blasters, is such a move.
	Blasts(m Move) bool
}

type cursor[S any, P State[S]] struct {
	levels  []level[S] // those beyond top are kept for their memory
	top     int
	blaster bool // whether S is a Blaster
}

// level is one depth of a cursor.
type level[S any] struct {
	state S
	moves []Move
}

func newCursor[S any, P State[S]](s P) Cursor {
	c := &cursor[S, P]{levels: []level[S]{{state: *s}}}
	_, c.blaster = any(s).(Blaster)
	return c
}

func (c *cursor[S, P]) state() P { return &c.levels[c.top].state }

// next is the state of the level after the top.
func (c *cursor[S, P]) next() *S {
	if c.top+1 == len(c.levels) {
		c.levels = append(c.levels, level[S]{})
	}
	return &c.levels[c.top+1].state
}

func (c *cursor[S, P]) Moves() []Move {
	l := &c.levels[c.top]
	l.moves = P(&l.state).Moves(l.moves[:0])
	return l.moves
}

func (c *cursor[S, P]) Final(m Move) bool { return c.state().Final(m) }

func (c *cursor[S, P]) Push(m Move) {
	next := c.next()
	c.state().Play(m, next)
	c.top++
}

func (c *cursor[S, P]) Pass() {
	next := c.next()
	*next = *c.state()
	P(next).Pass()
	c.top++
}

func (c *cursor[S, P]) Pop() {
	c.top--
}

func (c *cursor[S, P]) Look(setup *Setup) Set {
	if c.top > 0 {
		return c.state().Renew(&c.levels[c.top-1].state, setup)
	}
	*setup = c.state().Setup()
	return ^Set(0)
}

func (c *cursor[S, P]) Checked() bool { return c.state().Checkers() != 0 }

func (c *cursor[S, P]) Status(moves int) Status { return c.state().Status(moves) }

func (c *cursor[S, P]) Guarded(m Move) bool { return c.state().Guarded(m) }

func (c *cursor[S, P]) Blasters() Set {
	if !c.blaster {
		return 0
	}
	return any(c.state()).(Blaster).Blasters()
}

func (c *cursor[S, P]) Blasts(m Move) bool { return any(c.state()).(Blaster).Blasts(m) }
