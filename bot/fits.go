package bot

import (
	"chimera/bot/match"
	"chimera/storage"
)

// canMove fits a move to the games in which it is legal.
func canMove(desk *Desk, r request, g *storage.Game) bool {
	now, err := desk.Games.Load(g)
	if err != nil {
		return false
	}
	_, err = now.Position.Parse(r.text)
	return err == nil
}

// canClaim fits a claim to the games in which there is something to claim.
func canClaim(desk *Desk, r request, g *storage.Game) bool {
	now, err := desk.Games.Load(g)
	if err != nil {
		return false
	}
	_, ok := match.Claimable(g, now, r.me.ID)
	return ok
}

// canHint fits a hint to the games against the computer in which it is the asker's turn.
func canHint(_ *Desk, r request, g *storage.Game) bool {
	_, level := g.Computer()
	return level != 0 && match.ToMove(g) == r.me.ID
}

func canAbort(_ *Desk, _ request, g *storage.Game) bool { return match.CanAbort(g) }

func canAddTime(_ *Desk, _ request, g *storage.Game) bool { return g.Pace.Move != 0 }

func canSeeMoves(_ *Desk, r request, g *storage.Game) bool { return match.ToMove(g) == r.me.ID }

// canAgree fits an offer to the games in which the other player has made the same.
func canAgree(what match.Offered) func(*Desk, request, *storage.Game) bool {
	return func(_ *Desk, r request, g *storage.Game) bool {
		open := g.Draw
		if what == match.ATakeback {
			open = g.Takeback
		}
		return open != nil && open.By != r.me.ID
	}
}
