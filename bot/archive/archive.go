// Package archive writes games as text for other programs, and reads games that they have written.
package archive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"chimera/bot/computer"
	"chimera/bot/maintenance"
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
func New(store *storage.Store, games *match.Games) *Archive { return &Archive{store, games} }

// platformImport is the platform of people who are only known from imported games.
const platformImport = "import"

// Export is a game as text.
func (s *Archive) Export(ctx context.Context, id storage.GameID) (string, error) {
	sight, err := s.games.Load(ctx, id, match.Latest)
	if err != nil {
		return "", err
	}
	g := &sight.Game
	score, err := s.games.Score(g)
	comments, err2 := s.comments(ctx, g, score)
	season, err3 := storage.Read(ctx, s.store, func(r storage.Reader) (storage.LeagueSeason, error) { return r.Seasons().Find(g.Season) })
	if err := cmp.Or(err, err2, storage.UnlessMissing(err3)); err != nil {
		return "", err
	}
	var b strings.Builder
	tag := func(name, value string) {
		fmt.Fprintf(&b, "[%s \"%s\"]\n", name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(inOneLine(value)))
	}
	event := map[bool]string{true: "Rated game", false: "Unrated game"}[g.Rated]
	if season.ID != 0 {
		event += fmt.Sprintf(", %s league, season %d, division %d", sight.Variant.Title(), season.Number, g.Part)
	}
	tag("Event", event)
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
	b.WriteString("\n" + commented(sight.Start, "...", score, comments, g.Result) + "\n")
	return b.String(), nil
}

// comments are what a review says about each move of a game, empty without a review. Games in progress
// have none.
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
		return comments, nil // the review is of an earlier state of the game
	}
	for i := range comments {
		if eval := computer.Eval(found.Scores[i+1]); eval != "" {
			comments[i] = "[%eval " + eval + "]"
		}
	}
	for i := range story.TurningPoints {
		m := &story.TurningPoints[i]
		number := commented(m.Before, "...", []string{m.Before.Chat(m.Better[0])}, []string{""}, "")
		comments[m.Ply] = strings.TrimSpace(comments[m.Ply] + " " + strings.TrimSpace(number) + " was better.")
	}
	return comments, nil
}

// commented is a score with move numbers, its result, and comments in braces after moves; dots follow
// the number before a move of Black's.
func commented(start *rules.Position, dots string, score, comments []string, result string) string {
	var b strings.Builder
	number, turn := start.FullMove(), start.Turn()
	for i, text := range score {
		if turn == rules.White {
			fmt.Fprintf(&b, "%d. ", number)
		} else if i == 0 || comments[i-1] != "" {
			fmt.Fprintf(&b, "%d%s ", number, dots)
		}
		b.WriteString(text + " ")
		if comments[i] != "" {
			b.WriteString("{ " + comments[i] + " } ")
		}
		number, turn = number+int(turn), turn.Other()
	}
	return b.String() + result
}

// inOneLine is a text without characters that do not belong in a line.
func inOneLine(text string) string {
	return strings.ToValidUTF8(strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, text), "?")
}

// Numbered is a score with move numbers and its result, for people to read.
func Numbered(start *rules.Position, score []string, result string) string {
	return commented(start, "…", score, make([]string, len(score)), result)
}

// timeControl is a pace in PGN: the seconds for one move and those of a bank, or the seconds for the
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

// maxName is how long the name of a player may be, in characters. The longest on any chat platform has
// 129.
const maxName = 200

// Exported is a game read from text: tags as in PGN, then the moves as chat text with their numbers,
// then the result. Its Game has no number and no players; in a game in progress, Changed is the time
// of the last move.
type Exported struct {
	storage.Game
	White, Black string
}

// exportTag is the value of a tag, or a word of the moves, and its line.
type exportTag struct {
	value string
	line  int
}

// wrong is an error about a tag.
func (t exportTag) wrong(format string, args ...any) error {
	return fmt.Errorf("line %d: %w", t.line, fmt.Errorf(format, args...))
}

// scanExport splits a text into tags and words, without comments in braces.
func scanExport(text string) (tags map[string]exportTag, words []exportTag, err error) {
	text = strings.TrimPrefix(text, "\ufeff")
	number := 0
	for line := range strings.Lines(text) {
		number++
		if !utf8.ValidString(line) || strings.ContainsFunc(strings.TrimSpace(line), unseen) {
			return nil, nil, exportTag{line: number}.wrong("there are characters in it that no text has")
		}
	}
	tags, number = map[string]exportTag{}, 1
	come := 0 // bytes of the text that were handled
	for _, at := range exportPart.FindAllStringIndex(text, -1) {
		number += strings.Count(text[come:at[0]], "\n")
		part := exportTag{strings.TrimSpace(text[at[0]:at[1]]), number}
		come = at[0]
		switch {
		case part.value == "{":
			return nil, nil, part.wrong("the comment that begins here has no end")
		case strings.HasPrefix(part.value, "{"):
		case strings.HasPrefix(part.value, "[") && (at[0] == 0 || text[at[0]-1] == '\n'):
			if err := part.addTo(tags, len(words) > 0); err != nil {
				return nil, nil, err
			}
		case len(tags) == 0:
			return nil, nil, part.wrong("a game begins with its tags, such as [Variant \"chess\"], as export writes them")
		default:
			if part.value = ordinal.ReplaceAllString(part.value, ""); part.value != "" {
				words = append(words, part)
			}
		}
	}
	if len(tags) == 0 {
		return nil, nil, errors.New("there is no game in it")
	}
	return tags, words, nil
}

// exportPart matches a comment, the beginning of an unclosed one, a line that may be a tag, or a word.
var exportPart = regexp.MustCompile(`(?m)\{[^}]*\}|\{|^[ \t]*\[.*|[^\s{]+`)

// unseen reports whether a character does not belong in a line of text.
func unseen(c rune) bool { return unicode.IsControl(c) && c != '\t' }

// addTo parses a line as a tag.
func (t exportTag) addTo(tags map[string]exportTag, late bool) error {
	found := tagLine.FindStringSubmatch(t.value)
	switch {
	case found == nil:
		return t.wrong("that is no tag: write [Name \"value\"]")
	case late:
		return t.wrong("a second game begins here: put each in a file of its own")
	case tags[found[1]].line > 0:
		return t.wrong("the tag %s stands in line %d already", found[1], tags[found[1]].line)
	}
	tags[found[1]] = exportTag{strings.NewReplacer(`\\`, `\`, `\"`, `"`).Replace(found[2]), t.line}
	return nil
}

// ReadExport reads an exported game, and replays it to check its moves and its end. An error names the
// line at fault.
func (s *Archive) ReadExport(text string) (*Exported, error) {
	if len(text) > maxExport {
		return nil, errors.New("the text is too long for a game")
	}
	tags, words, err := scanExport(text)
	if err != nil {
		return nil, err
	}
	variant := tags["Variant"]
	v := s.games.Variant(variant.value)
	e := &Exported{White: tags["White"].value, Black: tags["Black"].value, Game: storage.Game{
		Variant: variant.value, Start: tags["FEN"].value, Rated: strings.HasPrefix(tags["Event"].value, "Rated game"), Result: tags["Result"].value, Ending: tags["Termination"].value,
	}}
	switch {
	case variant.value == "":
		return nil, errors.New("the tag Variant is missing")
	case v == nil:
		return nil, variant.wrong("the tag Variant names no game that I know: %q", variant.value)
	}
	var faults [4]error
	e.Began, faults[0] = moment(tags, "UTCDate", "UTCTime")
	e.Changed, faults[1] = moment(tags, "EndDate", "EndTime")
	_, faults[2] = tags["Date"].date("Date")
	e.Pace, faults[3] = readPace(tags["TimeControl"])
	if err := cmp.Or(checkNames(tags["White"], tags["Black"]), cmp.Or(faults[:]...)); err != nil {
		return nil, err
	}
	return e, e.play(v, tags, words)
}

// checkNames says what is wrong with the players' names.
func checkNames(white, black exportTag) error {
	for i, name := range []exportTag{white, black} {
		color, long := []string{"White", "Black"}[i], utf8.RuneCountInString(name.value)
		switch {
		case strings.TrimSpace(name.value) == "":
			return fmt.Errorf("a tag %s with a player's name is missing", color)
		case long > maxName:
			return name.wrong("the name of %s has %d characters, and can have %d", color, long, maxName)
		}
	}
	if strings.EqualFold(white.value, black.value) {
		return black.wrong("White and Black have the same name: give one of them another")
	}
	return nil
}

// date is the tag's day, "" if there is none.
func (t exportTag) date(name string) (string, error) {
	switch _, err := time.Parse("2006.01.02", t.value); {
	case t.line == 0, strings.Contains(t.value, "?") && dateText.MatchString(t.value):
		return "", nil
	case err != nil:
		return "", t.wrong("the tag %s is no date, such as 2026.12.01: %q", name, t.value)
	}
	return t.value, nil
}

// moment is the time that two tags give, the zero time if there is no date.
func moment(tags map[string]exportTag, date, clock string) (time.Time, error) {
	day, err := tags[date].date(date)
	if day == "" || err != nil {
		return time.Time{}, err
	}
	hour, ok := tags[clock]
	if !ok {
		hour.value = "00:00:00"
	}
	at, err := time.Parse("2006.01.02 15:04:05", day+" "+hour.value)
	if err != nil {
		return time.Time{}, hour.wrong("the tag %s is no time of day, such as 18:30:00: %q", clock, hour.value)
	}
	return at, nil
}

// readPace reads the tag TimeControl.
func readPace(t exportTag) (p storage.Pace, err error) {
	found := paceText.FindStringSubmatch(t.value)
	switch {
	case t.line == 0, t.value == "-", t.value == "?":
		return p, nil
	case found == nil:
		return p, t.wrong("the tag TimeControl is none: write - for no limit, or seconds for a move and for the game, such as 1/86400+864000, not %q", t.value)
	}
	move, _ := strconv.Atoi("0" + found[1])
	bank, _ := strconv.Atoi("0" + found[2] + found[3])
	return storage.Pace{Move: time.Duration(move) * time.Second, Bank: time.Duration(bank) * time.Second}, nil
}

// play plays the words of a game's moves and checks its end.
func (e *Exported) play(v *rules.Variant, tags map[string]exportTag, words []exportTag) error {
	pos, err := v.Position(e.Start)
	if err != nil {
		return tags["FEN"].wrong("the tag FEN: %w", err)
	}
	switch result := tags["Result"]; {
	case result.line == 0:
		return errors.New("the tag Result is missing")
	case !slices.Contains([]string{"1-0", "0-1", "1/2-1/2", "*"}, e.Result):
		return result.wrong("the tag Result is none of 1-0, 0-1, 1/2-1/2 and *: %q", e.Result)
	case len(words) == 0:
		return errors.New("there are no moves, nor a result behind the tags")
	}
	if last := words[len(words)-1]; last.value != e.Result {
		return last.wrong("the moves do not end with the result %q of the tags", e.Result)
	}
	now := rules.NewGame(pos)
	for i, word := range words[:len(words)-1] {
		m, err := now.Position.Parse(word.value)
		if err == nil {
			e.Moves = append(e.Moves, v.Coordinate(m))
			now, err = now.Play(m)
		}
		if err != nil {
			return word.wrong("ply %d, %s: %w", i+1, word.value, err)
		}
	}
	if err := maintenance.VerifyEnd(&e.Game, now); err != nil {
		return cmp.Or(tags["Termination"], tags["Result"]).wrong("%w", err)
	}
	return nil
}

// Same reports whether two are the same game, written twice.
func (e *Exported) Same(other *Exported) bool {
	return strings.EqualFold(e.White, other.White) && strings.EqualFold(e.Black, other.Black) && same(&e.Game, &other.Game)
}

// same reports whether two games of the same players are the same.
func same(a, b *storage.Game) bool {
	return a.Variant == b.Variant && a.Began.Equal(b.Began) && a.Start == b.Start && slices.Equal(a.Moves, b.Moves)
}

// Import stores an exported game as one that has ended, between people who are known only by these
// names. It belongs to no place, and is never rated.
func (s *Archive) Import(ctx context.Context, text string) (storage.GameID, error) {
	e, err := s.ReadExport(text)
	if err != nil {
		return 0, err
	}
	g := e.Game
	g.Rated, g.Ending = false, cmp.Or(g.Ending, match.Unfinished)
	line, err := s.games.Replay(&g)
	if err != nil {
		return 0, err
	}
	line.Restore(&g)
	err = s.store.Update(ctx, func(w storage.Writer) error {
		for side, name := range []string{e.White, e.Black} {
			p, err := w.Meet(storage.Address{Platform: platformImport, ID: strings.ToLower(name)}, name)
			if err != nil {
				return err
			}
			g.Players[side] = p.ID
		}
		for old, err := range w.Games().Each(w.Played(g.Players[storage.White])) {
			if err != nil {
				return err
			}
			if old.Players == g.Players && same(&old, &g) {
				return fmt.Errorf("it is stored already, as game %d", old.ID)
			}
		}
		if g.ID, err = w.NewGameID(); err != nil {
			return err
		}
		return w.Games().Put(g)
	})
	return g.ID, err
}
