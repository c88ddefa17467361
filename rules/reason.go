package rules

import "chimera/rules/phrase"

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
