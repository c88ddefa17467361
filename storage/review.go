package storage

// Review is what was found out about how a game was played, after its end. It names nobody, and
// is kept for as long as the game.
type Review struct {
	Scores  []int          // White's, of each position, the first included, as package computer writes them
	Moments []TurningPoint `json:",omitempty"` // that decided the game, in their order
}

// TurningPoint is a move that was worse than another.
type TurningPoint struct {
	Ply    int      // how many moves had been played before
	Better []string // how the game could have gone on instead, as coordinate texts
	Answer []string // how the move could have been met
}
