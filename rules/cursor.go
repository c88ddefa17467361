package rules

// Cursor walks the tree of moves below a position, and reuses its memory: after
// warming up it allocates nothing. It is not safe for concurrent use.
type Cursor interface {
	// Moves are the legal moves here, valid until the next Push from here.
	Moves() []Move
	// Push plays one of Moves.
	Push(m Move)
	// Pop takes the last Push back. It panics if there is none.
	Pop()
}

type cursor[S any, P State[S]] struct {
	stack []S
	moves [][]Move // a buffer for each depth
}

func (b *box[S, P]) cursor() Cursor {
	return &cursor[S, P]{stack: []S{b.s}, moves: make([][]Move, 1)}
}

func (c *cursor[S, P]) Moves() []Move {
	top := len(c.stack) - 1
	c.moves[top] = P(&c.stack[top]).Moves(c.moves[top][:0])
	return c.moves[top]
}

func (c *cursor[S, P]) Push(m Move) {
	top := len(c.stack) - 1
	if top+1 == cap(c.stack) {
		c.stack = append(c.stack, c.stack[top])[:top+1]
	}
	if top+1 == len(c.moves) {
		c.moves = append(c.moves, nil)
	}
	c.stack = c.stack[:top+2]
	P(&c.stack[top]).Play(m, &c.stack[top+1])
}

func (c *cursor[S, P]) Pop() {
	if len(c.stack) == 1 {
		panic("rules: Pop without Push")
	}
	c.stack = c.stack[:len(c.stack)-1]
}
