package match

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"chimera/rules"
	"chimera/storage"
)

// Unfinished is the ending of a game that was imported before its end.
const Unfinished = "unfinished"

// platformImport is the platform of people who are known from an imported text.
const platformImport = "import"

// Exported is a game as text holds it: tags as in PGN, then the moves as chat text
// with their numbers, then the result.
type Exported struct {
	Variant      *rules.Variant
	White, Black string
	Began        time.Time
	Ended        time.Time // of the last move while the game goes on
	Start        string    // FEN; "" for the variant's own
	Pace         storage.Pace
	Rated        bool
	Moves        []string // coordinate texts
	Result       string
	Ending       string // "" while the game goes on
}

// Export is a game as text.
func (s *Service) Export(ctx context.Context, id storage.GameID) (string, error) {
	sight, err := s.Look(ctx, id, Latest)
	if err != nil {
		return "", err
	}
	g := &sight.Game
	score, err := s.Score(g)
	if err != nil {
		return "", err
	}
	start, err := sight.Variant.Position(g.Start)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	tag := func(name, value string) {
		fmt.Fprintf(&b, "[%s \"%s\"]\n", name, strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ").Replace(value))
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
	b.WriteString("\n" + Numbered(start, score, g.Result) + "\n")
	return b.String(), nil
}

// Numbered is a score with its move numbers and its result.
func Numbered(start *rules.Position, score []string, result string) string {
	var b strings.Builder
	number, turn := start.FullMove(), start.Turn()
	for i, text := range score {
		switch {
		case turn == rules.White:
			fmt.Fprintf(&b, "%d. ", number)
		case i == 0:
			fmt.Fprintf(&b, "%d… ", number)
		}
		b.WriteString(text + " ")
		number, turn = number+int(turn), turn.Other()
	}
	return b.String() + result
}

// timeControl is a pace as PGN has it: seconds for one move, and a bank in seconds.
func timeControl(p storage.Pace) string {
	switch {
	case p.Move == 0:
		return "-"
	case p.Bank == 0:
		return fmt.Sprintf("1/%d", int(p.Move.Seconds()))
	}
	return fmt.Sprintf("1/%d+%d", int(p.Move.Seconds()), int(p.Bank.Seconds()))
}

var (
	tagLine  = regexp.MustCompile(`^\[([A-Za-z]+) "((?:[^"\\]|\\.)*)"\]$`)
	ordinal  = regexp.MustCompile(`^[0-9]+(\.+|…)`)
	paceText = regexp.MustCompile(`^1/([0-9]{1,9})(?:\+([0-9]{1,9}))?$`)
	comment  = regexp.MustCompile(`(?s)\{[^}]*\}`)
)

// maxExport is how long an exported game may be, in bytes.
const maxExport = 1 << 20

// ReadExport reads a game that was exported, and plays it: what it says of its moves
// and its end holds.
func (s *Service) ReadExport(text string) (*Exported, error) {
	if len(text) > maxExport {
		return nil, errors.New("the text is too long for a game")
	}
	tags := map[string]string{}
	var moves []string
	lines := bufio.NewScanner(strings.NewReader(comment.ReplaceAllString(text, " ")))
	lines.Buffer(nil, maxExport+1)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if tag := tagLine.FindStringSubmatch(line); tag != nil && len(moves) == 0 {
			tags[tag[1]] = strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(tag[2])
			continue
		}
		for word := range strings.FieldsSeq(line) {
			if word = ordinal.ReplaceAllString(word, ""); word != "" {
				moves = append(moves, word)
			}
		}
	}
	e := &Exported{
		Variant: s.Variant(tags["Variant"]), White: tags["White"], Black: tags["Black"],
		Start: tags["FEN"], Rated: tags["Event"] == "Rated game", Result: tags["Result"], Ending: tags["Termination"],
		Began: moment(tags["UTCDate"], tags["UTCTime"]), Ended: moment(tags["EndDate"], tags["EndTime"]),
	}
	if found := paceText.FindStringSubmatch(tags["TimeControl"]); found != nil {
		move, _ := strconv.Atoi(found[1])
		bank, _ := strconv.Atoi("0" + found[2])
		e.Pace = storage.Pace{Move: time.Duration(move) * time.Second, Bank: time.Duration(bank) * time.Second}
	}
	switch {
	case e.Variant == nil:
		return nil, fmt.Errorf("the tag Variant names no game that I know: %q", tags["Variant"])
	case e.White == "" || e.Black == "":
		return nil, errors.New("a tag White or Black is missing")
	}
	return e, s.playExport(e, moves)
}

func moment(date, clock string) time.Time {
	at, err := time.Parse("2006.01.02 15:04:05", date+" "+clock)
	if err != nil {
		return time.Time{}
	}
	return at
}

// playExport plays the words of an exported game's moves and compares its end.
func (s *Service) playExport(e *Exported, words []string) error {
	pos, err := e.Variant.Position(e.Start)
	if err != nil {
		return fmt.Errorf("the tag FEN: %w", err)
	}
	if len(words) == 0 || words[len(words)-1] != e.Result {
		return fmt.Errorf("the moves do not end with the result %q of the tags", e.Result)
	}
	now := rules.NewGame(pos)
	for i, word := range words[:len(words)-1] {
		m, err := now.Position.Parse(word)
		if err != nil {
			return fmt.Errorf("ply %d, %s: %w", i+1, word, err)
		}
		e.Moves = append(e.Moves, e.Variant.Coordinate(m))
		if now, err = now.Play(m); err != nil {
			return fmt.Errorf("ply %d, %s: %w", i+1, word, err)
		}
	}
	g := storage.Game{Moves: e.Moves, Result: e.Result, Ending: e.Ending}
	return verifyEnd(&g, now.Outcome())
}

// Import stores a game that was exported as one that has ended, between people who
// are known by these names alone. It is played nowhere, and never rated.
func (s *Service) Import(ctx context.Context, text string) (storage.GameID, error) {
	e, err := s.ReadExport(text)
	if err != nil {
		return 0, err
	}
	g := storage.Game{
		Variant: e.Variant.Key, Began: e.Began, Changed: e.Ended, Start: e.Start, Pace: e.Pace,
		Moves: e.Moves, Result: e.Result, Ending: e.Ending,
	}
	if g.Ending == "" {
		g.Ending = Unfinished
	}
	line, err := s.replay(&g)
	if err != nil {
		return 0, err
	}
	stand(&g, line[len(line)-1])
	if len(line) > 1 {
		g.Before = line[len(line)-2].Position.FEN()
	}
	err = s.store.Update(ctx, func(w storage.Writer) error {
		for side, name := range []string{e.White, e.Black} {
			p, err := w.Meet(storage.Address{Platform: platformImport, ID: strings.ToLower(name)}, name)
			if err != nil {
				return err
			}
			g.Players[side] = p.ID
		}
		if g.ID, err = w.NewGameID(); err != nil {
			return err
		}
		return w.PutGame(storage.Game{}, g)
	})
	return g.ID, err
}
