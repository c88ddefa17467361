package match_test

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chimera/bot/event"
	"chimera/rules"
	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
)

// backAndForth is what leads a game of Brigade Chess to a position that it comes back to n times.
func backAndForth(n int) []string {
	return slices.Concat([]string{"e3", "h6"}, slices.Repeat([]string{"d3", "Rh7", "dd2", "Rh8"}, n))
}

// faults are what verify says.
func (c *club) faults() (all []string) {
	c.t.Helper()
	_, err := c.Verify(c.t.Context(), func(_ storage.GameID, fault error) { all = append(all, fault.Error()) }, func(int, int) {})
	c.ok(err)
	return all
}

// overlooked is a game of Brigade Chess that an earlier version let go on: its first position but one
// has stood so often and does so now, and the past was forgotten at each pawn's move.
func (c *club) overlooked(times int) storage.GameID {
	c.t.Helper()
	id := c.begun(c.alice, c.bob, storage.Challenge{Variant: "brigade"})
	c.moves(id, "e3", "h6")
	g := c.look(id).Game
	pos, err := c.Games.Variant("brigade").Position("")
	c.ok(err)
	g.Moves, g.Past = nil, nil
	for _, text := range backAndForth(times - 1) {
		m, err := pos.Parse(text)
		c.ok(err)
		g.Moves, g.Before, g.Past = append(g.Moves, pos.Variant().Coordinate(m)), pos.FEN(), append(g.Past, pos.Key())
		pos, err = pos.Play(m)
		must(c.t, err)
		if pos.HalfMoves() == 0 {
			g.Past = nil
		}
	}
	g.FEN, g.Merged = pos.FEN(), len(g.Moves)
	c.change(id, func(now *storage.Game) { *now = g })
	return id
}

// upgraded is the club whose database has been closed and brought up to date from before games
// remembered pawns.
func (c *club) upgraded(path string) *club {
	c.t.Helper()
	c.ok(c.store.Close())
	db, err := bolt.Open(path)
	if err == nil {
		err = db.Update(c.t.Context(), func(w kv.Writer) error {
			for item, err := range w.Scan(nil, nil) {
				if err != nil {
					return err
				}
				value, _ := storage.Unseal(item.Key, item.Value) // there were no checksums then
				if err := w.Put(item.Key, value); err != nil {
					return err
				}
			}
			return w.Put([]byte("meta/schema"), storage.Number(uint64(12)))
		})
	}
	c.ok(err)
	return newClubOn(c.t, db)
}

func TestAGameThatForgotItsPastIsMendedByTheUpgradeAndDrawnWhenItRepeatsAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "old.db")
	db, err := bolt.Open(path)
	must(t, err)
	c := clubOn(t, db)
	id, other, third := c.overlooked(6), c.overlooked(7), c.overlooked(6)
	if faults := c.faults(); len(faults) != 3 || !strings.Contains(faults[0], "past") {
		t.Errorf("before, verify says %q", faults)
	}
	c = c.upgraded(path)
	if faults := c.faults(); len(faults) > 0 {
		t.Errorf("after it, verify says %q", faults)
	}
	g := c.look(id).Game
	if g.Over() || len(g.Past) != len(g.Moves) {
		t.Errorf("it is over: %v, and knows %d positions after %d moves", g.Over(), len(g.Past), len(g.Moves))
	}
	c.moves(id, "d3")
	if g := c.look(id).Game; g.Result != "1/2-1/2" || g.Ending != string(rules.ByRepetition) {
		t.Errorf("when what has stood five times stands again, it is %s by %q", g.Result, g.Ending)
	}
	c.must(c.Claim(t.Context(), c.alice, third))
	if g := c.look(third).Game; g.Result != "1/2-1/2" || g.Ending != string(rules.ByRepetition) {
		t.Errorf("claimed where it has gone on over five, it is %s by %q", g.Result, g.Ending)
	}
	c.moves(other, "a3") // which has not stood before
	if g := c.look(other).Game; g.Over() {
		t.Errorf("by a move that repeats nothing, it is %s by %q", g.Result, g.Ending)
	}
	var refused *event.Refusal
	if _, err := c.Claim(t.Context(), c.bob, other); !errors.As(err, &refused) {
		t.Errorf("a claim where nothing is repeated: %v", err)
	}
}
