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

// Reason says, for programs, why a move was refused. Games add their own.
type Reason string

// The reasons that all games share.
const (
	Unreadable     Reason = "unreadable"        // the text is no move text
	Ambiguous      Reason = "ambiguous"         // it fits several legal moves
	GameOver       Reason = "game over"         // the position has no moves, or the game has ended
	NoSuchPiece    Reason = "no such piece"     // the mover has no such piece there
	NotYours       Reason = "not yours"         // the piece there is the opponent's
	OwnPiece       Reason = "own piece"         // a piece of the mover's own stands on the target
	CannotReach    Reason = "cannot reach"      // the piece does not move like that
	BlockedWay     Reason = "blocked"           // something stands in the way
	LeavesCheck    Reason = "leaves check"      // the mover's king would be in check
	NoPromotion    Reason = "no promotion"      // the promotion is missing, or not to be had
	CannotCastle   Reason = "cannot castle"     // castling is not allowed now
	NothingToTake  Reason = "nothing to take"   // a piece that only captures so finds nothing there
	OffBoard       Reason = "off board"         // the square does not exist
	CannotMerge    Reason = "cannot merge"      // these pieces may not become one
	CannotSplit    Reason = "cannot split"      // this piece may not come apart so
	NotPossible    Reason = "not possible here" // it fits no legal move
	TakesTheKing   Reason = "takes the king"    // a king is never captured
	Miswritten     Reason = "miswritten"        // the move is legal, and is written in another way
	MissingCapture Reason = "missing capture"   // what else the move kills was not named, or named wrongly
)

// Illegal is the refusal of a move, with what a player needs to try again.
type Illegal struct {
	Reason   Reason
	Sentence phrase.Phrase // what is wrong, as one full sentence
	Written  string        // chat text of the legal move that the sentence says how to write; "" if it says none
	Meant    []string      // chat texts of legal moves that were written badly, if they were meant; may be empty
	Nearest  []string      // chat texts of other legal moves that may have been meant; may be empty
	Lead     Lead          // where the game's course explains it
}

// Phrase is the sentence, followed by the moves that may have been meant.
func (e *Illegal) Phrase() phrase.Phrase {
	switch asked := e.Asked(); {
	case len(asked) > 0:
		return book.Say("refused.asked", "sentence", e.Sentence, "moves", phrase.Or(asked))
	case len(e.Nearest) == 0:
		return e.Sentence
	default:
		return book.Say("refused.nearest", "sentence", e.Sentence, "moves", phrase.Commas(e.Nearest))
	}
}

// Error is the Phrase in English.
func (e *Illegal) Error() string { return e.Phrase().String() }

// Close are the chat texts of the moves that the Phrase names.
func (e *Illegal) Close() []string {
	asked := e.Asked()
	switch {
	case len(asked) > 0:
		return asked
	case e.Written != "":
		return []string{e.Written}
	}
	return e.Nearest
}

// Asked are the chat texts of the moves of which the refusal asks whether they were
// meant: those that the text fits, if it fits several, or would fit.
func (e *Illegal) Asked() []string {
	if e.Reason == Ambiguous {
		return e.Nearest
	}
	return e.Meant
}
