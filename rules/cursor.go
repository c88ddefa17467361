package rules

// Cursor walks the tree of moves below a position, and reuses its memory: after
// warming up it allocates nothing. It is not safe for concurrent use.
type Cursor interface {
	// Moves are the legal moves here, in a stable order. They stay as they are, whatever is
	// pushed and popped, until Moves is called at this depth again.
	Moves() []Move
	// Push plays one of Moves.
	Push(m Move)
	// Pass gives the turn to the other side, which a Pop takes back, and reports whether
	// the game can tell what that leads to; if not, it does nothing. Only a side that is
	// not in check may pass.
	Pass() bool
	// Pop takes the last Push or Pass back. It panics if there is none.
	Pop()
	// Look makes *setup, which is the Setup of the position before the last Push or Pass,
	// that of this one, and returns the squares of its board that may have changed. Before
	// the first Push, *setup may be anything.
	Look(setup *Setup) Set
	// Checked is the square of the mover's king if it is in check, else empty.
	Checked() Set
	// Status is what the position, which has so many legal moves, is by itself.
	Status(moves int) Status
	// Loud returns what reports whether one of Moves removes pieces that its squares do not
	// tell; nil in a game that has no such moves. It may be kept for the life of the cursor.
	Loud() func(m Move) bool
	// Guarded returns what reports whether an enemy guards the square to which one of Moves
	// goes; nil in a game that does not tell. It may be kept for the life of the cursor.
	Guarded() func(m Move) bool
}

// What a State may implement to be searched faster and better. Skip and Renew of an embedded
// State of another game do not count.
type (
	// Passer is a State in which a side may be thought to pass.
	Passer[S any] interface {
		// Skip makes *next the position in which the mover, who is not in check, has passed.
		Skip(next *S)
	}
	// Renewer is a State that tells what a move has changed faster than by a new Setup.
	Renewer[S any] interface {
		// Renew makes *setup, which is before's, that of the receiver, and returns the squares
		// that may have changed. The receiver is the position after a move, or a pass.
		Renew(before *S, setup *Setup) Set
	}
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
		// Loud reports whether m, one of Moves, is such a move.
		Loud(m Move) bool
	}
)

type cursor[S any, P State[S]] struct {
	stack []S
	moves [][]Move // a buffer for each depth
}

func (b *box[S, P]) cursor() Cursor {
	return &cursor[S, P]{stack: []S{b.s}, moves: make([][]Move, 1)}
}

func (c *cursor[S, P]) top() P { return P(&c.stack[len(c.stack)-1]) }

func (c *cursor[S, P]) Moves() []Move {
	top := len(c.stack) - 1
	c.moves[top] = P(&c.stack[top]).Moves(c.moves[top][:0])
	return c.moves[top]
}

func (c *cursor[S, P]) Push(m Move) {
	before, next := c.grow()
	P(before).Play(m, next)
}

func (c *cursor[S, P]) Pass() bool {
	if _, ok := any(c.top()).(Passer[S]); !ok {
		return false
	}
	before, next := c.grow()
	any(before).(Passer[S]).Skip(next)
	return true
}

// grow makes room for one position more, and returns the last two.
func (c *cursor[S, P]) grow() (before, next *S) {
	top := len(c.stack) - 1
	if top+1 == cap(c.stack) {
		c.stack = append(c.stack, c.stack[top])[:top+1]
	}
	if top+1 == len(c.moves) {
		c.moves = append(c.moves, make([]Move, 0, 64))
	}
	c.stack = c.stack[:top+2]
	return &c.stack[top], &c.stack[top+1]
}

func (c *cursor[S, P]) Pop() {
	if len(c.stack) == 1 {
		panic("rules: Pop without Push")
	}
	c.stack = c.stack[:len(c.stack)-1]
}

func (c *cursor[S, P]) Look(setup *Setup) Set {
	if top := len(c.stack) - 1; top > 0 {
		if s, ok := any(c.top()).(Renewer[S]); ok {
			return s.Renew(&c.stack[top-1], setup)
		}
	}
	*setup = c.top().Setup()
	return ^Set(0)
}

func (c *cursor[S, P]) Checked() Set { return c.top().Checked() }

func (c *cursor[S, P]) Status(moves int) Status { return c.top().Status(moves) }

func (c *cursor[S, P]) Loud() func(m Move) bool {
	if _, ok := any(c.top()).(Blaster); !ok {
		return nil
	}
	return func(m Move) bool { return any(c.top()).(Blaster).Loud(m) }
}

func (c *cursor[S, P]) Guarded() func(m Move) bool {
	if _, ok := any(c.top()).(Guarder); !ok {
		return nil
	}
	return func(m Move) bool { return any(c.top()).(Guarder).Guarded(m) }
}
