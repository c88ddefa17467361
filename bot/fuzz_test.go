package bot_test

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/bolt"
)

// FuzzHandle: whatever somebody writes or presses is answered in words, to them or
// to everyone, and is no fault of the bot's.
func FuzzHandle(f *testing.F) {
	for _, text := range []string{
		"challenge @bob combine white unrated", "accept", "#1 e4", "R~Nb1", "moves e2", "board 3 flip", "resign", "help move",
		"/games", "rules stealth", "#99999999999999999999 x", "～", "\x00", "draw draw", strings.Repeat("y", 5000),
	} {
		f.Add(text, "")
	}
	f.Add("", "flip 1 0")
	f.Add("", "accept 1 -")
	f.Add("", "resign-yes 18446744073709551615 -")
	engine, err := bolt.Open(filepath.Join(f.TempDir(), "fuzz.db"))
	if err != nil {
		f.Fatal(err)
	}
	store, err := storage.Open(f.Context(), engine)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { store.Close() })
	log := slog.New(slog.DiscardHandler)
	b := bot.New(bot.NewServices(store, variants.All(), time.Now, func() bool { return true }), log, "Chimera")
	chat := &chat{}
	post := bot.NewOutbox(b, time.Now, log, map[string]bot.Outlet{"test": chat})
	alice := message.Account{Address: storage.Address{Platform: "test", ID: "alice"}, Name: "alice"}
	bob := message.Account{Address: storage.Address{Platform: "test", ID: "bob"}, Name: "bob"}
	room := storage.Address{Platform: "test", ID: "room"}
	f.Fuzz(func(t *testing.T, text, press string) {
		for _, who := range []message.Account{alice, bob} {
			notes, err := b.Handle(t.Context(), message.Incoming{
				Place: room, From: who, Text: text, Press: press, People: map[string]message.Account{"@bob": bob, "@alice": alice},
			})
			if err != nil {
				t.Fatalf("%q, pressed %q: %v", text, press, err)
			}
			chat.said = nil
			if _, err := post.Drain(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, p := range chat.said {
				notes = append(notes, p.Note)
			}
			if len(notes) == 0 {
				t.Errorf("%q, pressed %q: no answer", text, press)
			}
			for _, n := range notes {
				if said := n.Text.Plain(); said == "" || !utf8.ValidString(said) {
					t.Errorf("%q, pressed %q: answered %q", text, press, said)
				}
			}
		}
	})
}
