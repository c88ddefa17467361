package words

import "chimera/rules/phrase"

// Label is what stands on a button: Accept, Decline, Join, Cancel, Move, Flip, Draw, Resign, More,
// Before, After, Back, Confirm, Yes, No, Rematch, Board, Replay or Claim, in lower case.
func Label(name string) phrase.Phrase { return book.Say("label." + name) }
