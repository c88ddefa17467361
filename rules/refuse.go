package rules

import "chimera/rules/phrase"

// A Refuser refuses a move in the sentences of its game, or in those that all games share.
type Refuser struct {
	Move
	// Noun is what people call the piece on a square.
	Noun func(Square) phrase.Phrase

	position *Position
}

// Fault is something that may be wrong with a move.
type Fault struct {
	is     bool
	reason Reason
	key    string
	parts  []any
}

// If is a fault that a move has if a condition holds. [Refuser.No] says the sentence of that key.
func If(is bool, reason Reason, key string, parts ...any) Fault {
	return Fault{is, reason, key, parts}
}

// First refuses the move for the first fault that it has; nil if it has none.
func (r *Refuser) First(faults ...Fault) *Illegal {
	for _, f := range faults {
		if f.is {
			return r.No(f.reason, f.key, f.parts...)
		}
	}
	return nil
}

// No refuses the move. The sentence has the given parts, and besides those the move's squares from and
// to with the piece on the one and the other on the other, the square where that piece stands, and the
// target, which is the first that the move kills on its way.
func (r *Refuser) No(reason Reason, key string, parts ...any) *Illegal {
	said := book
	if own := r.position.variant.Words; own != nil && own.Has(key) {
		said = own
	}
	parts = append(parts, r.On(r.From)...)
	parts = append(parts, "from", r.At(r.From), "to", r.At(r.To), "other", r.Noun(r.To), "target", r.At(r.Kills.First()))
	return &Illegal{Reason: reason, Sentence: said.Say(key, parts...)}
}

// On are the parts of a sentence about a piece: itself, and its square.
func (r *Refuser) On(sq Square) []any {
	if sq >= NoSquare {
		return nil
	}
	return []any{"piece", r.Noun(sq), "square", r.At(sq)}
}

// At is the name of a square.
func (r *Refuser) At(sq Square) string { return r.position.variant.Shape.Name(sq) }

// Between is the refusal of a move that goes from one square to another instead.
func (r *Refuser) Between(from, to Square) *Refuser {
	other := *r
	other.From, other.To = from, to
	return &other
}

// Instead refuses another move.
func (r *Refuser) Instead(m Move) *Illegal { return r.position.refuse(m) }

// CannotDo refuses a move with something about it that no move of its piece has.
func (r *Refuser) CannotDo() *Illegal { return r.No(NotPossible, "refused.cannot-do") }

// refuse says why m is none of the legal moves.
func (p *Position) refuse(m Move) *Illegal {
	squares := p.variant.Shape.Squares
	switch {
	case len(p.moves) == 0:
		return &Illegal{Reason: GameOver, Sentence: book.Say("refused.over", "status", p.status)}
	case m.From >= NoSquare || m.To >= NoSquare || !squares.Has(m.From) || !squares.Has(m.To):
		return &Illegal{Reason: OffBoard, Sentence: book.Say("refused.off-board")}
	}
	r := p.refuser(m)
	alone := m.Act == Step || m.Act == Castle // what joins and parts is for the game to judge
	piece := p.setup.Board[m.From]
	if no := r.First(
		If(alone && piece == Piece{}, NoSuchPiece, "refused.no-piece"),
		If(alone && piece.Half(p.setup.Turn) == NoRole, NotYours, "refused.not-yours"),
	); no != nil {
		return no
	}
	return p.state.Refuse(r)
}

func (p *Position) refuser(m Move) *Refuser {
	noun := func(sq Square) phrase.Phrase { return p.variant.Noun(p.setup.Board[sq]) }
	return &Refuser{m, noun, p}
}
