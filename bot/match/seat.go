package match

import (
	"errors"
	"slices"

	"chimera/bot/event"
	"chimera/storage"
)

// moveSeat lets the asker, who plays in a game on another platform than before, play it
// where they are, if that is a place of the game or one that they alone see. Who plays on a page
// leaves where they are told of it as it is.
func moveSeat(r storage.Reader, g *storage.Game, by event.By) error {
	side, ok := g.SideOf(by.Person)
	if !ok || by.Outside || by.Place == g.Seat(side) {
		return nil
	}
	here, err := r.Place(by.Place)
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return nil
	case err != nil:
		return err
	}
	seat, err := r.Place(g.Seat(side))
	if err != nil {
		return err
	}
	me, err := r.Person(by.Person)
	if err != nil || here.Address.Platform == seat.Address.Platform || me.Home != here.ID && !slices.Contains(g.Places(), here.ID) {
		return err
	}
	if g.Seats[side] = here.ID; here.ID == g.Place {
		g.Seats[side] = 0
	}
	return nil
}
