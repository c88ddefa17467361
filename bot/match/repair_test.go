package match_test

import (
	"testing"

	"chimera/bot/rating"
	"chimera/storage"
	"chimera/storage/kv"
)

// TestARatedGameThatIsRepaired damages two games that count for ratings: one while it is
// being annulled.
func TestARatedGameThatIsRepairedCountsNoMore(t *testing.T) {
	c, db, _ := newBrittleClub(t, 0)
	carol, dave := c.meet("carol"), c.meet("dave")
	c.serve()
	first := c.duel(c.alice, c.bob, 10).ID
	second := c.duel(carol, dave, 10).ID
	c.duel(c.alice, carol, 10)
	for !c.look(first).Game.Annul {
		_, err := db.Ends(func() error { return c.Annul(t.Context(), first) })
		must(t, err)
	}
	err := db.DB.Update(t.Context(), func(w kv.Writer) error {
		start, end := kv.Prefix([]byte("game/"))
		for item, err := range w.Scan(start, end) {
			if err != nil {
				return err
			}
			if n := item.Key[len(item.Key)-1]; n != byte(first) && n != byte(second) {
				continue
			}
			if err := w.Put(item.Key, []byte("x")); err != nil {
				return err
			}
		}
		return nil
	})
	c.ok(err)
	c.ok(c.Repair(t.Context(), func(ref storage.Ref, err error) { t.Log(ref, err) }))
	c.tick()
	c.ratingsHold()
	for _, r := range c.results() {
		if r.Game == first || r.Game == second {
			t.Errorf("game %d still counts for the month", r.Game)
		}
	}
	c.boardsMadeAnew()
	if now := c.standing(dave.Person, "chess"); now != (storage.Standing{}) {
		t.Errorf("who has played nothing else has %+v", now)
	}
}

func TestADamagedCareerStopsNoLeaderboardAndIsComputedAgain(t *testing.T) {
	c, db, _ := newBrittleClub(t, 0)
	carol, dave := c.meet("carol"), c.meet("dave")
	c.serve()
	c.duel(c.alice, c.bob, 10)
	lost := c.duel(carol, dave, 10).ID
	want := c.standing(c.bob.Person, "chess")
	err := db.DB.Update(t.Context(), func(w kv.Writer) error {
		return w.Put([]byte("player/\x00\x00\x00\x00\x00\x00\x00\x02rated"), []byte("x"))
	})
	c.ok(err)
	if found := c.top(rating.Asked{Period: rating.Games, From: 1}); len(found.Lines) != 3 {
		t.Errorf("shown are %+v", found.Lines)
	}
	c.annul(lost)
	if now := c.standing(c.bob.Person, "chess"); now != want {
		t.Errorf("computed again is %+v, want %+v", now, want)
	}
	c.ratingsHold()
}
