package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/storage"
	"chimera/storage/kv"
)

// hush is a chat that remembers what was said.
type hush struct {
	mu   sync.Mutex
	said []bot.Delivery
}

func (q *hush) Send(_ context.Context, p bot.Delivery) (outbox.Receipt, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.said = append(q.said, p)
	return nil, nil
}

func (q *hush) Limits(storage.Address) []outbox.Limit { return nil }
func (q *hush) Connected() error                      { return nil }

func (q *hush) Run(ctx context.Context, _ *outbox.Outbox) error {
	<-ctx.Done()
	return ctx.Err()
}

// heard reports whether something of a kind was said about a game, in words among which
// these are.
func (q *hush) heard(what event.Kind, game storage.GameID, words string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, p := range q.said {
		if p.Entry.Kind == string(what) && p.Entry.Game == game && strings.Contains(p.Note.Text.Plain(), words) {
			return true
		}
	}
	return false
}

// wired is the service as serve wires it, in one chat whose platform is "chat".
type wired struct {
	parts
	t     *testing.T
	store *storage.Store
	chat  *hush
	log   bytes.Buffer
}

func wire(t *testing.T, data string) *wired {
	t.Helper()
	store, err := open(t.Context(), data, nil)
	must(t, err)
	w := &wired{t: t, store: store, chat: &hush{}}
	log := slog.New(slog.NewTextHandler(&w.log, nil))
	seldom := func(ctx context.Context, _ time.Duration) error { return adapter.Pause(ctx, match.Outage-time.Minute) }
	w.parts = newParts(store, log, clock{time.Now, seldom}, 1, nil)
	return w
}

// serves does what serve does for some time, and closes the database.
func (w *wired) serves(length time.Duration) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), length)
	defer cancel()
	st := &supervisor{platform: "chat", away: func(error) {}, build: func() (platform, error) { return w.chat, nil }}
	must(w.t, errors.Join(st.start(), ignore(w.work(ctx, []*supervisor{st}, nil), context.DeadlineExceeded), w.store.Close()))
}

func ignore(err, expected error) error {
	if errors.Is(err, expected) {
		return nil
	}
	return err
}

// says is a message in a room, and what it is answered.
func (w *wired) says(who, text string) string {
	w.t.Helper()
	person := func(name string) message.Account {
		return message.Account{Address: storage.Address{Platform: "chat", ID: name}, Name: name}
	}
	notes, err := w.bot.Handle(w.t.Context(), message.Incoming{
		Place: storage.Address{Platform: "chat", ID: "room"}, From: person(who), Text: text,
		People: map[string]message.Account{"@alice": person("alice"), "@bob": person("bob")},
	})
	must(w.t, err)
	var all strings.Builder
	for _, n := range notes {
		all.WriteString(n.Text.Plain())
	}
	return all.String()
}

// damage changes values by their keys.
func damage(t *testing.T, data string, change map[string]func([]byte) []byte) {
	t.Helper()
	rewrites(t, data, func(w kv.Writer) error {
		for key, change := range change {
			value, err := w.Get([]byte(key))
			if err := errors.Join(err, w.Put([]byte(key), change(value))); err != nil {
				return err
			}
		}
		return nil
	})
}

func numbered(prefix string, n byte) string {
	return prefix + "\x00\x00\x00\x00\x00\x00\x00" + string(n)
}

// flipped has one bit of a value turned, in what is no name of a field.
func flipped(value []byte) []byte {
	value = bytes.Clone(value)
	value[bytes.Index(value, []byte(`"Variant"`))] ^= 0x04 // no quotation mark any more
	return value
}

// TestABadRecordStopsNothingElse lets the bot be at work for a week on a database with a
// damaged game, a game of an unknown kind and a damaged entry in its outbox.
func TestABadRecordStopsNothingElse(t *testing.T) {
	data := filepath.Join(t.TempDir(), "bad.db")
	synctest.Test(t, func(t *testing.T) {
		w := wire(t, data)
		for _, who := range []string{"alice", "bob"} {
			w.says(who, "settings vacation ask")
		}
		for n := 1; n <= 5; n++ {
			w.says("alice", "challenge @bob chess white 2d")
			w.says("bob", fmt.Sprint("accept #", n))
			w.says("alice", fmt.Sprintf("#%d e4", n))
			w.says("bob", fmt.Sprintf("#%d e5", n))
		}
		w.serves(time.Hour)

		damage(t, data, map[string]func([]byte) []byte{
			numbered("game/", 1): flipped,
			numbered("game/", 2): func(value []byte) []byte {
				value = bytes.Replace(value[:len(value)-storage.SealSize], []byte(`"Variant":"chess"`), []byte(`"Variant":"checkers"`), 1)
				return storage.Seal([]byte(numbered("game/", 2)), value)
			},
			numbered(numbered(numbered("outbox/", 1), 1), 1): func([]byte) []byte { return []byte("\x01{") },
		})
		w = wire(t, data)
		w.says("bob", "#5 draw") // something waits behind the damaged entry
		w.serves(7 * 24 * time.Hour)
		for id := storage.GameID(3); id <= 5; id++ {
			if !w.chat.heard(event.Reminded, id, "") || !w.chat.heard(event.Ended, id, "") {
				t.Errorf("game %d did not go on to the end of alice's time", id)
			}
		}
		if !w.chat.heard(event.DrawOffered, 5, "bob") {
			t.Error("what waited behind the damaged entry was not said")
		}
		for _, kind := range []string{"kind=game number=1 ", "kind=game number=2 ", "kind=entry number=1 "} {
			if n := strings.Count(w.log.String(), kind); n != 1 {
				t.Errorf("the log tells %d times of %s:\n%s", n, kind, w.log.String())
			}
		}

		w = wire(t, data)
		if answer := w.says("alice", "status"); answer != about()+". I can't read these, so I've set them aside: message 1, game #1, game #2. Everything else is fine." {
			t.Errorf("status: %s", answer)
		}
		if answer := w.says("alice", "#1 Nf3"); !strings.Contains(answer, "Game #1 is damaged") {
			t.Errorf("a move in the damaged game: %s", answer)
		}
		w.says("alice", "challenge @bob chess white 2d")
		w.says("bob", "accept")
		for _, command := range []string{"games", "next", "profile", "board", "mydata", "compare @bob", "top"} {
			if answer := w.says("alice", command); strings.Contains(answer, "went wrong") {
				t.Errorf("%s: %s", command, answer)
			}
		}
		w.serves(time.Minute)
	})

	prints(t, allWell, `(?s).*set aside: +entry 1, game 1, game 2 \(.*`, "", "status", "--data", data)
	prints(t, failed, `(?s)entry 1 cannot be read: .*game 1: .*game 2: [^\n]*no such variant[^\n]*\n6 games, 3 faults\n`, "", "verify", "--data", data)
	prints(t, allWell, `entry 1: won't be delivered\ngame 1: aborted; .*\ngame 2: aborted; .*\n3 given up for good, 0 left\n`, "", "repair", "--data", data)
	prints(t, allWell, `0 given up for good, 0 left\n`, "", "repair", "--data", data)
	prints(t, allWell, `6 games, 0 faults\n`, "", "verify", "--data", data)
	prints(t, allWell, `(?s).*undeliverable: +0\n.*`, "", "status", "--data", data)

	synctest.Test(t, func(t *testing.T) {
		w := wire(t, data)
		if answer := w.says("alice", "#1 Nf3"); !strings.Contains(answer, "Game #1 was damaged and had to be aborted") {
			t.Errorf("a move in the aborted game: %s", answer)
		}
		w.serves(time.Hour)
		for id := storage.GameID(1); id <= 2; id++ {
			if !w.chat.heard(event.Abandoned, id, "I had to abort it") || !w.chat.heard(event.Abandoned, id, "bob") || !w.chat.heard(event.Abandoned, id, "alice") {
				t.Errorf("nobody was told of game %d", id)
			}
		}
		w = wire(t, data)
		if answer := w.says("alice", "status"); answer != about()+": all is well." {
			t.Errorf("status: %s", answer)
		}
		w.serves(0)
	})
	prints(t, 0, `person 1 is forgotten\n`, anything, "forget", "chat:alice", "--data", data)
	prints(t, allWell, `6 games, 0 faults\n`, "", "verify", "--data", data)
}

func TestForgettingSomebodyWorksThoughAGameOfTheirsIsDamaged(t *testing.T) {
	data := filepath.Join(t.TempDir(), "bad.db")
	plays(t, "alice: challenge @bob chess\nbob: accept\nalice: challenge @bob chess\nbob: accept\n", data)
	damage(t, data, map[string]func([]byte) []byte{numbered("game/", 1): flipped})
	prints(t, 0, `person 1 is forgotten\n`, anything, "forget", "--data", data, "1")
	prints(t, 0, `game 1: aborted; its players will be told\n1 given up for good, 0 left\n`, anything, "repair", "--data", data)
	if sound := storedGame(t, data, 2); !sound.Over() {
		t.Error("the sound game goes on")
	}
}
