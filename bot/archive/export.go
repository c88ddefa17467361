// Package archive is games as text that other programs read: exports, and games taken in
// from them.
package archive

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"chimera/bot/computer"
	"chimera/bot/match"
	"chimera/rules"
	"chimera/storage"
)

// Archive writes and reads exports. It is safe for concurrent use.
type Archive struct {
	store *storage.Store
	games *match.Games
}

// New makes an Archive.
func New(store *storage.Store, games *match.Games) *Archive {
	return &Archive{store, games}
}

// platformImport is the platform of people who are known from an imported text.
const platformImport = "import"

// Export is a game as text.
func (s *Archive) Export(ctx context.Context, id storage.GameID) (string, error) {
	sight, err := s.games.Load(ctx, id, match.Latest)
	if err != nil {
		return "", err
	}
	g := &sight.Game
	score, err := s.games.Score(g)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	tag := func(name, value string) {
		fmt.Fprintf(&b, "[%s \"%s\"]\n", name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(inOneLine(value)))
	}
	tag("Event", map[bool]string{true: "Rated game", false: "Unrated game"}[g.Rated])
	tag("Site", "Chimera #"+strconv.FormatUint(uint64(id), 10))
	tag("Date", g.Began.UTC().Format("2006.01.02"))
	tag("White", sight.Names[0])
	tag("Black", sight.Names[1])
	tag("Result", g.Result)
	tag("Variant", g.Variant)
	if g.Start != "" {
		tag("SetUp", "1")
		tag("FEN", g.Start)
	}
	tag("TimeControl", timeControl(g.Pace))
	tag("UTCDate", g.Began.UTC().Format("2006.01.02"))
	tag("UTCTime", g.Began.UTC().Format("15:04:05"))
	tag("EndDate", g.Changed.UTC().Format("2006.01.02"))
	tag("EndTime", g.Changed.UTC().Format("15:04:05"))
	if g.Over() {
		tag("Termination", g.Ending)
	}
	comments, err := s.comments(ctx, g, score)
	if err != nil {
		return "", err
	}
	b.WriteString("\n" + commented(sight.Start, score, comments, g.Result) + "\n")
	return b.String(), nil
}

// comments are what a review has found out about the moves of a game, one for each: empty
// where there is no review. Games that go on have none.
func (s *Archive) comments(ctx context.Context, g *storage.Game, score []string) ([]string, error) {
	comments := make([]string, len(score))
	found, err := storage.Read(ctx, s.store, func(r storage.Reader) (storage.Review, error) { return r.Reviews().Get(g.ID) })
	switch {
	case storage.Missing(err) || err == nil && (!g.Over() || len(found.Scores) != len(score)+1):
		return comments, nil
	case err != nil:
		return nil, err
	}
	line, err := s.games.Replay(g)
	if err != nil {
		return nil, err
	}
	story, err := computer.Tell(found, line.Games, line.Moves)
	if err != nil {
		return comments, nil // it is of what the game was before
	}
	for i := range comments {
		if eval := computer.Eval(found.Scores[i+1]); eval != "" {
			comments[i] = "[%eval " + eval + "]"
		}
	}
	for i := range story.TurningPoints {
		m := &story.TurningPoints[i]
		number := Numbered(m.Before, []string{m.Before.Chat(m.Better[0])}, "")
		comments[m.Ply] = strings.TrimSpace(comments[m.Ply] + " " + strings.TrimSpace(number) + " was better.")
	}
	return comments, nil
}

// commented is a score with its move numbers, its result, and comments in braces behind moves.
func commented(start *rules.Position, score, comments []string, result string) string {
	var b strings.Builder
	number, turn := start.FullMove(), start.Turn()
	for i, text := range score {
		switch {
		case turn == rules.White:
			fmt.Fprintf(&b, "%d. ", number)
		case i == 0 || comments[i-1] != "":
			fmt.Fprintf(&b, "%d… ", number)
		}
		b.WriteString(text + " ")
		if comments[i] != "" {
			b.WriteString("{ " + comments[i] + " } ")
		}
		number, turn = number+int(turn), turn.Other()
	}
	return b.String() + result
}

// inOneLine is a text without characters that no line of text has.
func inOneLine(text string) string {
	return strings.ToValidUTF8(strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, text), "?")
}

// Numbered is a score with its move numbers and its result.
func Numbered(start *rules.Position, score []string, result string) string {
	return commented(start, score, make([]string, len(score)), result)
}

// timeControl is a pace as PGN has it: seconds for one move and a bank in seconds, or those for the
// whole game.
func timeControl(p storage.Pace) string {
	switch {
	case p.Unlimited():
		return "-"
	case p.Total():
		return strconv.Itoa(int(p.Bank.Seconds()))
	case p.Bank == 0:
		return fmt.Sprintf("1/%d", int(p.Move.Seconds()))
	}
	return fmt.Sprintf("1/%d+%d", int(p.Move.Seconds()), int(p.Bank.Seconds()))
}

var (
	tagLine  = regexp.MustCompile(`^\[([A-Za-z]+) "((?:[^"\\]|\\.)*)"\]$`)
	ordinal  = regexp.MustCompile(`^[0-9]+(\.+|…)`)
	paceText = regexp.MustCompile(`^(?:1/([1-9][0-9]{0,8})(?:\+([0-9]{1,9}))?|([1-9][0-9]{0,8}))$`)
	dateText = regexp.MustCompile(`^[0-9?]{4}\.[0-9?]{2}\.[0-9?]{2}$`)
)

// maxExport is how long an exported game may be, in bytes.
const maxExport = 1 << 20
