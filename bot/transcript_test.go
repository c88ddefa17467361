package bot_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"chimera/bot"
	"chimera/bot/console"
	"chimera/bot/message"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv/kvtest"
)

// update makes tests rewrite what is stored as expected.
var update = os.Getenv("CHIMERA_UPDATE") != ""

// TestTranscripts plays each conversation of testdata: the comment says what it
// shows, the files "in", "in2", … are what people write, with the program ended
// and begun again between them, and "out", "out2", … what it answers. The codes that it
// gives are CODE1, CODE2, … there.
func TestTranscripts(t *testing.T) {
	eachFile(t, "testdata/*.txtar", func(t *testing.T, file string) {
		archive, err := txtar.ParseFile(file)
		must(t, err)
		db := filepath.Join(t.TempDir(), "test.db")
		clock := console.NewClock(noon)
		kept := &txtar.Archive{Comment: archive.Comment}
		for _, in := range archive.Files {
			number, ok := strings.CutPrefix(in.Name, "in")
			if !ok {
				continue
			}
			if found := away.FindSubmatch(in.Data); found != nil {
				gap, err := time.ParseDuration(string(found[1]))
				must(t, err)
				clock = console.NewClock(clock.Now().Add(gap))
			}
			out := txtar.File{Name: "out" + number, Data: converse(t, db, clock, in.Data)}
			kept.Files = append(kept.Files, in, out)
			if want := content(archive, out.Name); !update && !bytes.Equal(out.Data, want) {
				t.Error(difference(string(out.Data), string(want)))
			}
		}
		if update {
			must(t, os.WriteFile(file, txtar.Format(kept), 0o644))
		}
	})
}

// eachFile runs a test of each file that a pattern matches, at once.
func eachFile(t *testing.T, pattern string, test func(*testing.T, string)) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no %s: %v", pattern, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), func(t *testing.T) {
			t.Parallel()
			test(t, file)
		})
	}
}

func content(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// away finds how long the program is down before it answers a file.
var away = regexp.MustCompile(`(?m)^% away (\S+)$`)

// noon is when tests begin.
var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// newConsole makes a console for people to talk to a bot.
func newConsole(t *testing.T, store *storage.Store, clock *console.Clock, out io.Writer, log *slog.Logger) (*console.Console, bot.Services) {
	t.Helper()
	service := bot.NewServices(store, variants.All(), clock.Now, func() bool { return false })
	chat, err := console.New(bot.New(service, log, "Chimera"), log, out, "", clock)
	must(t, err)
	return chat, service
}

// converse runs the program once over what people write, with the codes that they were given for CODE1, CODE2, … there.
func converse(t *testing.T, db string, clock *console.Clock, in []byte) []byte {
	t.Helper()
	engine, err := bolt.Open(db)
	must(t, err)
	store, err := storage.Open(t.Context(), engine)
	must(t, err)
	defer store.Close()
	var out bytes.Buffer
	chat, service := newConsole(t, store, clock, &out, slog.New(slog.DiscardHandler))
	for line := range strings.Lines(string(in)) {
		for i, code := range codes(out.String()) {
			n := fmt.Sprint(i + 1)
			line = strings.NewReplacer(" CODE"+n, " "+code, " code"+n, " "+strings.ToLower(code)).Replace(line)
		}
		must(t, chat.Run(t.Context(), strings.NewReader(line)))
	}
	_, err = service.Maintenance.Verify(t.Context(), func(id storage.GameID, fault error) { t.Errorf("game %d: %v", id, fault) }, func(int, int) {})
	must(t, err)
	return masked(out.String())
}

// secret is a code as the bot gives it.
var secret = regexp.MustCompile(`\b[A-Z2-7]{12}\b`)

// codes are the codes that were given, in order.
func codes(out string) (all []string) {
	for _, code := range secret.FindAllString(out, -1) {
		if !slices.Contains(all, code) && code != "ABCDEFGHJKLM" {
			all = append(all, code)
		}
	}
	return all
}

// masked is what was answered, without what differs each time.
func masked(out string) []byte {
	for i, code := range codes(out) {
		out = strings.ReplaceAll(out, code, fmt.Sprint("CODE", i+1))
	}
	return []byte(out)
}

// difference shows the first line in which two texts differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			from := max(0, i-3)
			return fmt.Sprintf("answers differ at line %d; got:\n", i+1) + strings.Join(g[from:min(i+4, len(g))], "\n") +
				"\nwant:\n" + strings.Join(w[min(from, len(w)):min(i+4, len(w))], "\n")
		}
	}
	return "answers end too early; wanted:\n" + strings.Join(w[len(g)-1:], "\n")
}

// FuzzHandle checks that whatever somebody writes or presses is answered in words, to them or to everyone, and without
// an internal error.
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
	must(f, err)
	o := newOfficeOn(f, engine)
	f.Cleanup(func() { o.store.Close() })
	alice, bob, room := someone("alice"), someone("bob"), storage.Address{Platform: "test", ID: "room"}
	f.Fuzz(func(t *testing.T, text, press string) {
		for _, who := range []message.Account{alice, bob} {
			notes, err := o.bot.Handle(t.Context(), message.Incoming{
				Place: room, From: who, Text: text, Press: press, People: map[string]message.Account{"@bob": bob, "@alice": alice},
			})
			if err != nil {
				t.Fatalf("%q, pressed %q: %v", text, press, err)
			}
			o.chat.said = nil
			_, err = o.Drain(t.Context())
			must(t, err)
			for _, p := range o.chat.said {
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

// TestAMoveReadsAndWritesLittle follows a move from its text to the board that others see.
func TestAMoveReadsAndWritesLittle(t *testing.T) {
	var disk kvtest.Disk
	db := &kvtest.Counted{DB: disk.Open("trip"), Prefix: []byte("person/")}
	o := newOfficeOn(t, db)
	o.begins()
	o.drain()
	db.Reset()
	m := message.Incoming{
		ID: "m1", Place: storage.Address{Platform: "test", ID: "room"},
		From: someone("alice"), Text: "Nf3",
	}
	if !o.bot.IsMeant(t.Context(), &m, message.Nobody) {
		t.Fatal("the move is not heard")
	}
	if replies, err := o.bot.Handle(t.Context(), m); err != nil || len(replies) != 1 || !replies[0].Ack {
		t.Fatalf("the move is answered with %v, %v", replies, err)
	}
	o.heard()
	o.delivers("room: #1 moved")
	if reads, commits := db.Views.Load(), db.Updates.Load(); reads > 4 || commits > 2 {
		t.Errorf("a move takes %d reads and %d commits", reads, commits)
	}
	if people := db.Gets.Load(); people > 6 {
		t.Errorf("people are read %d times", people)
	}
}
