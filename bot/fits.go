package bot

import (
	"chimera/bot/match"
	"chimera/storage"
)

// canMove fits a move to the games in which it is legal.
func canMove(b *Bot, r Request, g *storage.Game) bool {
	now, err := b.Games.Current(g)
	if err != nil {
		return false
	}
	_, err = now.Position.Parse(r.Text)
	return err == nil
}

// canClaim fits a claim to the games in which there is something to claim.
func canClaim(b *Bot, r Request, g *storage.Game) bool {
	now, err := b.Games.Current(g)
	if err != nil {
		return false
	}
	_, ok := match.Claimable(g, now, r.Me.ID)
	return ok
}

// canHint fits a hint to the games against the computer in which it is the asker's turn.
func canHint(_ *Bot, r Request, g *storage.Game) bool {
	_, level := g.Computer()
	return level != 0 && match.ToMove(g) == r.Me.ID
}

func canAbort(_ *Bot, _ Request, g *storage.Game) bool { return match.CanAbort(g) }

func canAddTime(_ *Bot, _ Request, g *storage.Game) bool { return g.Pace.Move != 0 }

func canSeeMoves(_ *Bot, r Request, g *storage.Game) bool { return match.ToMove(g) == r.Me.ID }

// canAgree fits an offer to the games in which the other player has made the same.
func canAgree(what match.Offered) func(*Bot, Request, *storage.Game) bool {
	return func(_ *Bot, r Request, g *storage.Game) bool {
		open := g.Draw
		if what == match.ATakeback {
			open = g.Takeback
		}
		return open != nil && open.By != r.Me.ID
	}
}
