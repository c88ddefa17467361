package storage

import "chimera/storage/record"

// Review is what was found out about how a game was played, after its end. It names nobody, and
// is kept for as long as the game.
type Review struct {
	Scores  []int    // White's, of each position, the first included, as package review writes them
	Moments []Moment `json:",omitempty"` // that decided the game, in their order
}

// Moment is a move that was worse than another.
type Moment struct {
	Ply    int      // how many moves had been played before
	Better []string // how the game could have gone on instead, as coordinate texts
	Answer []string // how the move could have been met
}

const reviews = "review/"

func reviewKey(id GameID) []byte { return record.Number(record.Key(reviews), id) }

// Review is that of a game, or ErrNotFound.
func (r Reader) Review(id GameID) (Review, error) {
	var found Review
	return found, record.Get(r.kv, reviewKey(id), &found)
}

// PutReview keeps that of a game, in the place of what it was.
func (w Writer) PutReview(id GameID, found Review) error {
	return record.Put(w.out, reviewKey(id), found)
}
