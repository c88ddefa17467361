package words

import (
	"chimera/rules/phrase"
	"chimera/storage"
)

// Label is what stands on a button: Accept, Decline, Join, Cancel, Move, Flip, Draw, Resign, More,
// Before, After, Back, Confirm, Yes, No, Rematch, Board, Replay or Claim, in lower case.
func Label(name string) phrase.Phrase { return book.Say("label." + name) }

// LabelOf is a Label where several buttons are called so, each about another challenge.
func LabelOf(label phrase.Phrase, challenge storage.GameID) phrase.Phrase {
	return book.Say("games.challenge-button", "label", label, "challenge", challenge)
}
