package match_test

import (
	"errors"
	"testing"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/storage"
)

func TestNobodyPlaysMoreGamesAtOnceThanTheLimit(t *testing.T) {
	c := newClub(t)
	ctx := t.Context()
	open := storage.Challenge{Variant: "chess", Color: "white"}
	carol := c.meet("carol")
	busy := opened(t, c, "chess")
	busy.Players, busy.Place, busy.Began, busy.Changed = [2]storage.PersonID{c.alice.Person, c.bob.Person}, c.alice.Place, c.now, c.now
	fill(t, c.store, limit.Games-1, func(w storage.Writer, _ int) error { return add(w, &busy) })
	early := c.must(c.Challenge(ctx, c.alice, open))
	offered := c.must(c.Challenge(ctx, carol, open))
	c.must(c.Accept(ctx, c.alice, offered.Game)) // the last one there can be
	c.refused(event.TooManyGames)(c.Challenge(ctx, c.alice, open))
	c.refused(event.OpponentBusy)(c.Accept(ctx, carol, early.Game))
	offered = c.must(c.Challenge(ctx, carol, open))
	c.refused(event.TooManyGames)(c.Accept(ctx, c.alice, offered.Game))
	c.resigns(c.alice, 1)
	c.must(c.Accept(ctx, c.alice, offered.Game))
}

// TestListsOfWhoIsNotWantedHaveAnEnd fills lists of people who are not wanted, and then makes
// one person of two with such lists, parts them and forgets one.
func TestListsOfWhoIsNotWantedHaveAnEnd(t *testing.T) {
	c := newClub(t)
	strangers := func(from, count int) (all []storage.PersonID) {
		for n := range count {
			all = append(all, storage.PersonID(1000+from+n))
		}
		return all
	}
	carol, dora := c.on("other", "carol"), c.meet("dora")
	here := c.serve()
	c.update(func(w storage.Writer) error {
		server, err := w.Servers().Get(here)
		if err != nil {
			return err
		}
		server.Settings.Hidden = strangers(0, limit.Hidden-1)
		return errors.Join(
			w.Servers().Put(server),
			w.People().Change(c.alice.Person, func(p *storage.Person) { p.Blocked = strangers(0, limit.Blocks-1) }),
			w.People().Change(carol.Person, func(p *storage.Person) { p.Blocked = strangers(limit.Blocks, limit.Blocks) }),
		)
	})
	c.must(c.Block(t.Context(), c.alice, dora.Person, true))
	c.must(c.Block(t.Context(), c.alice, dora.Person, true))
	c.refused(event.TooManyBlocked)(c.Block(t.Context(), c.alice, c.bob.Person, true))
	c.must(c.Hide(t.Context(), c.alice, dora.Person, true))
	c.refused(event.TooManyHidden)(c.Hide(t.Context(), c.alice, c.bob.Person, true))
	c.must(c.Block(t.Context(), c.alice, dora.Person, false))
	c.must(c.Block(t.Context(), c.alice, c.bob.Person, true))

	c.must(c.UseLink(t.Context(), carol, c.code(c.alice)))
	c.refused(event.TooManyBlocked)(c.Block(t.Context(), c.alice, dora.Person, true))
	c.must(c.Unlink(t.Context(), c.alice, storage.Address{Platform: "other", ID: "carol"}))
	must(t, c.ForgetPerson(t.Context(), c.alice.Person))
	must(t, c.ForgetPerson(t.Context(), carol.Person))
	if left := c.stored()["blocked/"]; left != 0 {
		t.Errorf("%d blocks are left", left)
	}
}
