package render

import "chimera/rules"

// Bars are what is said of the players of a game, above and below its board.
type Bars struct {
	Sides  [2]Bar       // by side
	Result string       // such as "1–0 · checkmate", "" while the game goes on
	Fallen rules.Square // of the king that is lost, NoSquare for none
}

// Bar is one player's. Its texts are in the language of whoever sees it, and may be any.
type Bar struct {
	Name, Rating string
	Taken        []rules.Piece // what this player has captured, simple pieces
	Ahead        int           // how much more that is worth than what the other has captured; 0 unless it is
	When         string        // the date by which this player must move, "" for none
}
