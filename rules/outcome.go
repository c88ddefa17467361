package rules

// Result is who has won, if anyone.
type Result uint8

// The results.
const (
	Unfinished Result = iota
	WhiteWins
	BlackWins
	Drawn
	Aborted // ended before both sides had moved; counts for nothing
)

// WinFor is the result in which c has won.
func WinFor(c Color) Result {
	if c == White {
		return WhiteWins
	}
	return BlackWins
}

// String is the result as scores write it: "1-0", "0-1", "1/2-1/2" or "*".
func (r Result) String() string {
	return [...]string{"*", "1-0", "0-1", "1/2-1/2", "*"}[r]
}

// Ending is what ended a game.
type Ending string

// The endings.
const (
	ByCheckmate   Ending = "checkmate"
	ByStalemate   Ending = "stalemate"
	ByKingTaken   Ending = "king taken"
	ByMaterial    Ending = "insufficient material"
	ByRepetition  Ending = "repetition"
	ByMoveCount   Ending = "move count"
	ByResignation Ending = "resignation"
	ByAgreement   Ending = "agreement"
	ByTime        Ending = "time"
	ByAbort       Ending = "abort"
)

// Outcome is how a game stands; the zero Outcome is a game in progress.
type Outcome struct {
	Result Result
	Ending Ending
}

// Over reports whether the game has ended.
func (o Outcome) Over() bool { return o.Result != Unfinished }
