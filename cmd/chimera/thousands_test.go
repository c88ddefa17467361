package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.etcd.io/etcd/server/v3/embed"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/rules"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/etcd/etcdtest"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

var copied = flag.Int("copied", 300, "of how many games the database is that is copied from a file into a cluster and back")

// TestACopyInAClusterAndBackIsTheSame plays many games of every kind among many people, and copies
// them from a file into a cluster and back. All three hold the same, byte for byte, in order, and as
// people get their games written down.
func TestACopyInAClusterAndBackIsTheSame(t *testing.T) {
	t.Chdir(t.TempDir())
	cluster := etcdtest.Start(t, 1, func(c *embed.Config) { c.QuotaBackendBytes = 8 << 30 })
	there := cluster.Address("there")
	clocked(t, "playing", func() { playThousands(t, "here.db", *copied) })
	for _, way := range [][2]string{{"here.db", there}, {there, "back.db"}} {
		clocked(t, "copy to "+way[1], func() {
			prints(t, 0, anything, anything, "copy", way[0], way[1])
		})
	}
	want := ""
	for _, data := range []string{"here.db", there, "back.db"} {
		for _, line := range [][]string{{"verify"}, {"verify", "--ratings"}} {
			clocked(t, strings.Join(line, " ")+" of "+data, func() {
				prints(t, allWell, `(?s)[^0].*, 0 faults\n`, anything, append(line, "--data", data)...)
			})
		}
		clocked(t, "export of all of "+data, func() {
			got := written(t, data)
			if want = cmp.Or(want, got); got != want {
				t.Errorf("%s holds something else than the first: %s and %s", data, got, want)
			}
		})
	}
	_, out, _ := call(t, "", "status", "--data", there)
	t.Log("\n" + out)
}

// clocked logs how long something has taken, and how much memory the program holds then.
func clocked(t *testing.T, what string, do func()) {
	t.Helper()
	began := time.Now()
	do()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("%s: %v, %d MiB in use, %d MiB of the system", what, time.Since(began).Round(time.Millisecond), m.HeapAlloc>>20, m.Sys>>20)
}

// written is what all games of a database are as people get them, and all records,
// by their sums.
func written(t *testing.T, data string) string {
	t.Helper()
	db, err := openEngine(t.Context(), data, bolt.OpenReadOnly)
	must(t, err)
	store, err := storage.Open(t.Context(), db)
	must(t, err)
	service := bot.NewServices(store, variants.All(), time.Now, coin)
	records, exports, bytes := kvtest.Contents(t, db), sha256.New(), 0
	ids, err := store.Games(t.Context())
	for _, id := range ids {
		text, err := service.Archive.Export(t.Context(), id)
		must(t, err)
		bytes += len(text)
		_, _ = io.WriteString(exports, text)
	}
	must(t, errors.Join(err, store.Close()))
	if bytes == 0 {
		t.Error("no game was written down")
	}
	return fmt.Sprintf("%d games, %d bytes, %x, %x", len(ids), bytes, exports.Sum(nil), sha256.Sum256(fmt.Append(nil, records))) // which are in order
}

// playThousands plays games in a new file: of all kinds, in some rooms of some servers, by
// people of whom each plays against many, rated and unrated; some end, and some go on.
func playThousands(t *testing.T, file string, games int) {
	t.Helper()
	store, err := open(t.Context(), file, nil)
	must(t, err)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	service := bot.NewServices(store, variants.All(), time.Now, coin)
	crowd := &crowd{bot: bot.New(service, slog.New(slog.DiscardHandler), "Chimera"), store: store, people: max(games/16/proposers, 3) * proposers}
	must(t, service.Match.Beat(t.Context()))
	var next atomic.Int64
	var work sync.WaitGroup
	for w := range proposers {
		work.Go(func() {
			rnd := rand.New(rand.NewPCG(seed, uint64(w)))
			for n := int(next.Add(1)); n <= games; n = int(next.Add(1)) {
				if err := crowd.play(t.Context(), rnd, w, n); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	work.Wait()
	must(t, errors.Join(deliver(t.Context(), store), store.Close()))
}

// deliver takes out of the outbox what would have been said by now, which is most of it.
func deliver(ctx context.Context, store *storage.Store) error {
	entries, err := storage.Read(ctx, store, func(r storage.Reader) ([]storage.Entry, error) { return r.Outbox() })
	for some := range slices.Chunk(entries[:len(entries)*9/10], kv.MaxUpdateWrites) {
		err = errors.Join(err, store.Update(ctx, func(w storage.Writer) (err error) {
			for _, e := range some {
				err = errors.Join(err, w.Delivered(e.Queue(), e.ID))
			}
			return err
		}))
	}
	return err
}

// proposers is how many games are played at the same time.
const proposers = 32

// A crowd is people who play, by messages in rooms.
type crowd struct {
	bot      *bot.Bot
	store    *storage.Store
	people   int
	messages atomic.Int64
}

// play plays a game of random moves, up to some ply. Nobody but one of the proposers proposes games in
// the name of any one person.
func (c *crowd) play(ctx context.Context, rnd *rand.Rand, proposer, n int) error {
	v := variants.All()[n%len(variants.All())]
	white := proposer + proposers*rnd.IntN(c.people/proposers)
	black := (white + 1 + rnd.IntN(c.people-1)) % c.people
	err := c.says(ctx, n, white, black, fmt.Sprintf("challenge @x %s white %dd %s", v.Key, 1+rnd.IntN(7), []string{"rated", "unrated"}[rnd.IntN(2)]))
	if err != nil {
		return err
	}
	open, err := storage.Read(ctx, c.store, func(r storage.Reader) ([]storage.GameID, error) {
		p, err := r.PersonAt(player(white).Address)
		if err != nil {
			return nil, err
		}
		return r.ChallengesBy(p.ID)
	})
	if err != nil || len(open) != 1 {
		return fmt.Errorf("%d challenges are open: %w", len(open), err)
	}
	game := fmt.Sprintf("#%d", open[0])
	if err := c.says(ctx, n, black, white, "accept "+game); err != nil {
		return err
	}
	pos, err := v.Position("")
	if err != nil {
		return err
	}
	line := rules.NewGame(pos)
	sides := [2]int{white, black}
	for ply := range 4 + rnd.IntN(20) {
		moves := line.Position.Moves()
		if line.Outcome().Over() || len(moves) == 0 {
			return nil
		}
		m := moves[rnd.IntN(len(moves))]
		if err := c.says(ctx, n, sides[ply%2], sides[1-ply%2], game+" "+v.Coordinate(m)); err != nil {
			return err
		}
		if line, err = line.Play(m); err != nil {
			return err
		}
	}
	for range map[bool]int{true: 2}[n%3 > 0] { // it asks whether that is meant
		if err := c.says(ctx, n, sides[n%2], sides[1-n%2], game+" resign"); err != nil {
			return err
		}
	}
	return nil
}

func player(who int) message.Account {
	name := fmt.Sprintf("player%d", who)
	return message.Account{Address: storage.Address{Platform: "test", ID: name}, Name: name}
}

// says is a message of somebody's, in the room of a game, about somebody else.
func (c *crowd) says(ctx context.Context, game, who, other int, text string) error {
	room := game % 40
	_, err := c.bot.Handle(ctx, message.Incoming{
		ID: fmt.Sprint(c.messages.Add(1)), From: player(who), Text: text, People: map[string]message.Account{"@x": player(other)},
		Place:  storage.Address{Platform: "test", ID: fmt.Sprint("room", room)},
		Server: storage.Address{Platform: "test", ID: fmt.Sprint("server", room%8)},
	})
	return err
}
