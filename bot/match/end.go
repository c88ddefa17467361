package match

import (
	"chimera/bot/event"
	"chimera/rules"
	"chimera/storage"
)

// Forfeit ends a game in progress because a player leaves it for good.
func (s *Service) Forfeit(w storage.Writer, g storage.Game, p storage.PersonID) error {
	o := aborted()
	if side, ok := g.SideOf(p); ok && !CanAbort(&g) {
		o = lost(side)
	}
	return s.endNow(w, g, o, p)
}

// CutOff ends a game in progress because its season is over: it is lost by the side to move if they
// were reminded of their turn, else drawn and unrated.
func (s *Service) CutOff(w storage.Writer, g storage.Game) error {
	o := rules.Outcome{Result: rules.Drawn, Ending: rules.ByTime}
	if g.Clock.Reminded.IsZero() {
		g.Rated = false
	} else {
		now, err := s.Current(&g)
		if err != nil {
			return err
		}
		o = onTime(&g, now.Position)
	}
	return s.endNow(w, g, o, g.Players[1-g.Turn])
}

// endNow ends a game within a transaction.
func (s *Service) endNow(w storage.Writer, g storage.Game, o rules.Outcome, by storage.PersonID) error {
	was := g
	Conclude(&g, o)
	g.Changed = s.now()
	return s.write(w, event.By{}, &was, &g, event.Event{Kind: event.Ended, Ply: len(g.Moves), By: by})
}

// onTime is how a game ends in which the time of the player to move is up: lost, but
// drawn against a bare king, and aborted where they have never moved in a game of no season.
func onTime(g *storage.Game, pos *rules.Position) rules.Outcome {
	winner := pos.Turn().Other()
	switch {
	case CanAbort(g):
		return rules.Outcome{Result: rules.Aborted, Ending: rules.ByTime}
	case bare(pos, winner):
		return rules.Outcome{Result: rules.Drawn, Ending: rules.ByTime}
	}
	return rules.Outcome{Result: rules.WinFor(winner), Ending: rules.ByTime}
}

// bare reports whether a side has nothing but its king.
func bare(pos *rules.Position, c rules.Color) bool {
	board, v := pos.Board(), pos.Variant()
	for sq := range v.Shape.Squares.Squares() {
		if half := board[sq].Half(c); half != rules.NoRole && !v.Table[half].Royal {
			return false
		}
	}
	return true
}
