package rules

// Cursor walks the tree of moves below a position, and reuses its memory: after
// warming up it allocates nothing. It is not safe for concurrent use.
type Cursor interface {
	// Moves are the legal moves here, in a stable order. They stay valid through any Push and
	// Pop until Moves is called at this depth again.
	Moves() []Move
	// Final reports whether nothing that stood before m, one of Moves, can stand again after it.
	Final(m Move) bool
	// Push plays one of Moves.
	Push(m Move)
	// Pass gives the turn to the other side, which a Pop takes back. Only a side that is not in
	// check may pass.
	Pass()
	// Pop takes the last Push or Pass back. It panics if there is none.
	Pop()
	// Look makes *setup, which is the Setup of the position before the last Push or Pass,
	// that of this one, and returns the squares of its board that may have changed. Before
	// the first Push, *setup may be anything.
	Look(setup *Setup) Set
	// Checked reports whether the mover's king is in check.
	Checked() bool
	// Status is the position's, given the number of its legal moves.
	Status(moves int) Status
	// A State that is no Guarder guards nothing, and one that is no Blaster has none.
	Guarder
	Blaster
}

// Interfaces that a State may implement to be searched faster and better.
type (
	// Guarder is a State that knows which squares are guarded.
	Guarder interface {
		// Guarded reports whether, after m, one of Moves, the other side could capture on m.To,
		// whether or not that would be legal. It is a guess where a move changes what others
		// can do.
		Guarded(m Move) bool
	}
	// Blaster is a State with moves that remove more than what stands on Move.To, on
	// Move.Kills or is taken en passant.
	Blaster interface {
		// Blasters are the mover's pieces that may have such moves.
		Blasters() Set
		// Blasts reports whether m, one of Moves of one of the Blasters, is such a move.
		Blasts(m Move) bool
	}
)

type cursor[S any, P State[S]] struct {
	levels  []level[S] // those beyond top are kept for their memory
	top     int
	guarder bool // whether the State is one
	blaster bool
}

// level is one depth of a cursor.
type level[S any] struct {
	state S
	moves []Move
}

func newCursor[S any, P State[S]](s P) Cursor {
	c := &cursor[S, P]{levels: []level[S]{{state: *s}}}
	_, c.guarder = any(s).(Guarder)
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
	if c.top == 0 {
		panic("rules: Pop without Push")
	}
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

func (c *cursor[S, P]) Guarded(m Move) bool {
	return c.guarder && any(c.state()).(Guarder).Guarded(m)
}

func (c *cursor[S, P]) Blasters() Set {
	if !c.blaster {
		return 0
	}
	return any(c.state()).(Blaster).Blasters()
}

func (c *cursor[S, P]) Blasts(m Move) bool { return any(c.state()).(Blaster).Blasts(m) }
