package bot_test

import (
	"bytes"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"chimera/bot"
	"chimera/bot/console"
	"chimera/bot/match"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/bolt"
)

var update = flag.Bool("update", false, "rewrite the transcripts' answers")

// TestTranscripts plays each conversation of testdata: the comment says what it
// shows, the files "in", "in2", … are what people write, with the program ended
// and begun again between them, and "out", "out2", … what it answers.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			db := filepath.Join(t.TempDir(), "test.db")
			clock := console.NewClock(time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC))
			kept := &txtar.Archive{Comment: archive.Comment}
			for _, in := range archive.Files {
				number, ok := strings.CutPrefix(in.Name, "in")
				if !ok {
					continue
				}
				if found := away.FindSubmatch(in.Data); found != nil {
					gap, err := time.ParseDuration(string(found[1]))
					if err != nil {
						t.Fatal(err)
					}
					clock = console.NewClock(clock.Now().Add(gap))
				}
				out := txtar.File{Name: "out" + number, Data: converse(t, db, clock, in.Data)}
				kept.Files = append(kept.Files, in, out)
				if want := content(archive, out.Name); !*update && !bytes.Equal(out.Data, want) {
					t.Error(difference(string(out.Data), string(want)))
				}
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(kept), 0o644); err != nil {
					t.Fatal(err)
				}
			}
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

// away says for how long the program is not at work before it answers a file.
var away = regexp.MustCompile(`(?m)^% away (\S+)$`)

// converse runs the program once over what people write.
func converse(t *testing.T, db string, clock *console.Clock, in []byte) []byte {
	t.Helper()
	engine, err := bolt.Open(db)
	if err != nil {
		t.Fatal(err)
	}
	store, err := storage.Open(t.Context(), engine)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	service := match.New(store, variants.All(), clock.Now, func() bool { return false })
	var out bytes.Buffer
	log := slog.New(slog.DiscardHandler)
	chat, err := console.New(bot.New(service, store, log, "Chimera"), service, log, &out, "", clock)
	if err != nil {
		t.Fatal(err)
	}
	if err := chat.Run(t.Context(), bytes.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	_, err = service.Verify(t.Context(), func(id storage.GameID, fault error) { t.Errorf("game %d: %v", id, fault) })
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
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
