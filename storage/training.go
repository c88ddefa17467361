package storage

import (
	"time"
)

// Training is what somebody has made of puzzles.
type Training struct {
	Standing Standing          `json:",omitzero"`  // wins are puzzles that were solved at once
	Seen     map[string][]byte `json:",omitempty"` // a bit for each that was shown, by the key of the game
	Game     string            `json:",omitempty"` // of the puzzle that they have looked at last; "" if none
	Number   int               `json:",omitempty"` // its number, from 0
	Turn     int               `json:",omitempty"` // how many of its moves they have found
	Theme    string            `json:",omitempty"` // that was asked for; "" for any
	Counted  bool              `json:",omitempty"` // it has changed Standing
	Helped   int               `json:",omitempty"` // how often they have asked for help at its next move
	Solved   bool              `json:",omitempty"`
	Place    PlaceID           `json:",omitempty"` // where it was shown
	At       time.Time         `json:",omitzero"`  // when
}

// Has reports whether a puzzle of a game was shown.
func (t *Training) Has(game string, number int) bool {
	seen := t.Seen[game]
	return number/8 < len(seen) && seen[number/8]>>(number%8)&1 != 0
}

// Mark notes that a puzzle of a game was shown, or is as good as not.
func (t *Training) Mark(game string, number int, shown bool) {
	if t.Seen == nil {
		t.Seen = map[string][]byte{}
	}
	seen := t.Seen[game]
	for len(seen) <= number/8 {
		seen = append(seen, 0)
	}
	bit := byte(1) << (number % 8)
	if seen[number/8] &^= bit; shown {
		seen[number/8] |= bit
	}
	t.Seen[game] = seen
}

// Join is the training of somebody who was two people: who has solved more knows better how strong
// they are.
func (t Training) Join(other Training) Training {
	if t.Standing.Games() < other.Standing.Games() {
		t.Standing = other.Standing
	}
	for game, seen := range other.Seen {
		for number := range 8 * len(seen) {
			if other.Has(game, number) {
				t.Mark(game, number, true)
			}
		}
	}
	return t
}
