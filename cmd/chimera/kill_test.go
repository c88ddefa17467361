package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"chimera/rules"
	"chimera/rules/variants"
	"chimera/storage"
)

var kills = flag.Int("kills", 20, "how often the program is killed while games are played, and while updates wait")

// killsOf is how often that is, a third of it in short runs.
func killsOf() int {
	if testing.Short() {
		return *kills / 3
	}
	return *kills
}

// TestNoAcknowledgedMoveIsLostWhenTheProgramIsKilled feeds scripted games to the
// program, kills it with SIGKILL when a random amount of its output has been
// read, and looks into the file: each move whose answer was read is there, and
// what is there is the beginning of the script and replays. In the end each move was
// announced, by the program that took it or by the next.
func TestNoAcknowledgedMoveIsLostWhenTheProgramIsKilled(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	data := filepath.Join(t.TempDir(), "kill.db")
	var scripts [][]string // moves of each game, in coordinate text
	kept, played := 0, 0
	var said []byte
	for range killsOf() {
		game := len(scripts)
		if game == 0 || kept == len(scripts[game-1]) {
			scripts, kept = append(scripts, randomGame(t, random)), 0
			game++
		}
		script := scripts[game-1]
		out := killed(t, data, feed(t, data, game, script), random.IntN(8000))
		said = append(said, out...)
		now := storedGame(t, data, game)
		stored := now.Moves
		if acked := acknowledged(t, out, now.ID); len(stored) < acked {
			t.Fatalf("game %d: ply %d was acknowledged, but only %d are stored", game, acked, len(stored))
		}
		if len(stored) > len(script) || !slices.Equal(stored, script[:len(stored)]) {
			t.Fatalf("game %d has the moves %v, but the script is %v", game, stored, script)
		}
		if len(stored) < kept {
			t.Fatalf("game %d had %d moves, and now %d", game, kept, len(stored))
		}
		played += len(stored) - kept
		kept = len(stored)
	}
	t.Logf("%d moves were played in %d games", played, len(scripts))
	if played == 0 {
		t.Error("no move was played at all")
	}
	verifies(t, data)
	_, rest, _ := call(t, "", "play", "--data", data) // which says what waits
	said = append(said, rest...)
	for i := range scripts {
		g := storedGame(t, data, i+1)
		announced := announcements(t, said, g.ID)
		for ply := range len(g.Moves) {
			if !announced[ply+1] {
				t.Errorf("ply %d of game %d was never announced", ply+1, i+1)
			}
		}
	}
}

// randomGame is a script of legal moves that end no game.
func randomGame(t testing.TB, random *rand.Rand) []string {
	t.Helper()
	v := variants.All()[0]
	pos, err := v.Position("")
	must(t, err)
	g := rules.NewGame(pos)
	var script []string
	for len(script) < 60 {
		moves := g.Position.Moves()
		m := moves[random.IntN(len(moves))]
		next, err := g.Play(m)
		must(t, err)
		if next.Outcome().Over() {
			break
		}
		script, g = append(script, v.Coordinate(m)), next
	}
	return script
}

// feed is what remains to be typed of a game.
func feed(t *testing.T, data string, game int, script []string) string {
	t.Helper()
	var in strings.Builder
	stored := storedGame(t, data, game)
	if stored.ID == 0 {
		in.WriteString("white: resign\nwhite: resign\nwhite: cancel\nwhite: challenge @black white\nblack: accept\n")
	}
	for ply := len(stored.Moves); ply < len(script); ply++ {
		fmt.Fprintf(&in, "%s: %s\n", [...]string{"white", "black"}[ply%2], script[ply])
	}
	return in.String()
}

// killed runs the program until some bytes of its answers have been read, kills it, and returns all
// that it had said.
func killed(t *testing.T, data, in string, after int) []byte {
	t.Helper()
	program := start(t, "play", "--data", data)
	go func() {
		_, _ = io.WriteString(program.in, in) // as far as it reads until it is killed
		_ = program.in.Close()
	}()
	var out bytes.Buffer
	if _, err := io.CopyN(&out, program.out, int64(after)); err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	must(t, program.cmd.Process.Kill())
	_, err := io.Copy(&out, program.out)
	must(t, err)
	_ = program.cmd.Wait() // it was killed, or had come to its end
	return out.Bytes()
}

var answered = regexp.MustCompile(`(?m)^→ all: Combine Chess #(\d+):.*\n  (\d+)([.…]) `)

// acknowledged is the last ply of a game that was answered with a board.
func acknowledged(t *testing.T, out []byte, game storage.GameID) int {
	t.Helper()
	last := 0
	for ply := range announcements(t, out, game) {
		last = max(last, ply)
	}
	return last
}

// announcements are the plies of a game that were said with a board.
func announcements(t *testing.T, out []byte, game storage.GameID) map[int]bool {
	t.Helper()
	found := map[int]bool{}
	for _, board := range answered.FindAllSubmatch(out, -1) {
		if string(board[1]) != strconv.FormatUint(uint64(game), 10) {
			continue
		}
		number, err := strconv.Atoi(string(board[2]))
		must(t, err)
		ply := 2 * number
		if string(board[3]) == "." {
			ply--
		}
		found[ply] = true
	}
	return found
}

// storedGame is the game-th game in the file, all of which replay; the zero Game if
// it has not begun.
func storedGame(t *testing.T, data string, game int) (found storage.Game) {
	t.Helper()
	looksInto(t, data, func(r storage.Reader) error {
		ids, err := r.GameIDs()
		if err != nil || len(ids) < game {
			return err
		}
		found, err = r.Games().Get(ids[game-1])
		return err
	})
	verifies(t, data)
	return found
}
