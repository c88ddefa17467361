package bot

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot/computer"
	"chimera/bot/event"
	"chimera/bot/message"
	"chimera/bot/training"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/chart"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Choosable is a setting that somebody may choose, in their language.
type Choosable struct {
	Name, Value string
	Title       string   // what it is called
	Takes       string   // which values there are
	Values      []string // all values, or the most common ones; nil if it takes any text
	OfBoards    bool     // it is about how boards are shown
}

// Settings are the settings of the author of a message, without that of links, which takes no value, or those of the
// server here.
func (b *Bot) Settings(ctx context.Context, m message.Incoming, here bool) (all []Choosable) {
	r, _ := b.Asker(ctx, m)
	games, l := b.Games.Variants(), r.Language()
	for _, s := range settingsOf(b, r, here) {
		if s.Name == user.SetLinks {
			continue
		}
		all = append(all, Choosable{
			s.Name, s.Value, words.SettingName(s.Name).Text(l), words.Of(words.SettingTakes(s.Name, games)).In(l).Plain(),
			words.SettingValues(s.Name, games), user.OfBoards(s.Name),
		})
	}
	return all
}

// Choose changes the settings of the author of a message, or of the server here, to the given values, as people write
// them, where they differ. It returns the answers that report no success.
func (b *Bot) Choose(ctx context.Context, m message.Incoming, here bool, wanted func(name string) string) (notes []message.Message, done bool) {
	for _, s := range b.Settings(ctx, m, here) {
		value := strings.Join(strings.Fields(wanted(s.Name)), "")
		if value == "" || strings.EqualFold(value, s.Value) {
			continue
		}
		m.Text = words.Either(here, "settings here ", "settings ") + s.Name + " " + value
		told, err := b.Handle(ctx, m)
		now := b.Settings(ctx, m, here)
		i := slices.IndexFunc(now, func(other Choosable) bool { return other.Name == s.Name })
		if err != nil || now[i].Value == s.Value {
			notes = append(notes, told...)
			continue
		}
		done = true
	}
	return notes, done
}

// GameLine is a game in short, in a language.
type GameLine struct {
	ID       storage.GameID
	Revision uint64
	Kind     string
	Names    [2]string // of White and Black
	Result   string    // "*" while it is running
	How      string    // it has ended
	Side     int       // the side that the person who sees it plays, -1 for none
	Moves    int       // full ones
	Day      string    // of the last change
}

// Outcome is how the game has ended for the person who sees it: "won", "lost" or "drawn"; "" if it is
// in progress, or not theirs.
func (g GameLine) Outcome() string {
	if g.Side < 0 {
		return ""
	}
	side := rules.Color(g.Side)
	return map[string]string{rules.WinFor(side).String(): "won", rules.WinFor(side.Other()).String(): "lost", rules.Drawn.String(): "drawn"}[g.Result]
}

// lineOf is a game in short, if it is among those that may be seen.
func (b *Bot) lineOf(read storage.Reader, allowed *event.Permissions, r Request, g *storage.Game) (line GameLine, sees bool, err error) {
	if sees, err = allowed.Sees(g); !sees || err != nil {
		return line, false, err
	}
	line = GameLine{ID: g.ID, Revision: g.Revision, Kind: b.Ratings.Called(g.Variant).Text(r.Language()), Result: g.Result, How: words.ResultWords(g).Text(r.Language()), Side: -1, Moves: (len(g.Moves) + 1) / 2, Day: chart.Date(g.Changed.In(r.Location())).Text(r.Language())}
	if side, plays := g.SideOf(r.Me.ID); plays && g.Called == [2]string{} { // otherwise others have played at their screen
		line.Side = side
	}
	for side, p := range g.Players {
		name, err2 := read.NameOf(p)
		line.Names[side], err = words.Of(words.NameOf(0, g.NameOf(side, name))).In(r.Language()).Plain(), cmp.Or(err, err2)
	}
	return line, true, err
}

// ArchiveAsked says which games to find; zero fields match all games.
type ArchiveAsked struct {
	Of         storage.PersonID // 0 for everybody
	Game, Who  string
	Result     string // as in records, or "won", "lost", "drawn" or "over"
	Least      int    // full moves
	Most       int
	From, To   time.Time      // of the last change
	Before     storage.GameID // only games with lower numbers
	HowMany    int
	LookedThru int // the most games to look at
}

// Archive are some games, the newest first.
type Archive struct {
	Lines []GameLine
	Next  storage.GameID // the value of Before for the following games, 0 if there are none
}

// FindGames finds games that the author of a message may see.
func (b *Bot) FindGames(ctx context.Context, m message.Incoming, asked ArchiveAsked) (*Archive, error) {
	r, _ := b.Asker(ctx, m)
	return storage.Read(ctx, b.Store, func(read storage.Reader) (*Archive, error) {
		found := &Archive{}
		list := words.Either(asked.Of == 0, read.GameIDs, func() ([]storage.GameID, error) { return read.GamesOf(asked.Of) })
		ids, err := list()
		slices.Sort(ids)
		if n, _ := slices.BinarySearch(ids, asked.Before); asked.Before != 0 {
			ids = ids[:n]
		}
		allowed, err2 := event.NewPermissions(read, r.by())
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		for looked, id := range slices.Backward(ids) {
			if len(found.Lines) == asked.HowMany || len(ids)-looked > asked.LookedThru {
				found.Next = id + 1
				break
			}
			g, err := event.Named(read, id)
			if event.IsRefused(err, event.NoSuchGame) || event.IsRefused(err, event.Damaged) || event.IsRefused(err, event.Aborted) {
				continue
			}
			if err != nil {
				return nil, err
			}
			line, sees, err := b.lineOf(read, allowed, r, &g)
			if err != nil {
				return nil, err
			}
			found.Lines = append(found.Lines, words.If(sees && asked.takes(&g, &line), line)...)
		}
		return found, nil
	})
}

// takes reports whether a game matches.
func (a *ArchiveAsked) takes(g *storage.Game, line *GameLine) bool {
	named := func(name string) bool { return strings.Contains(phrase.Fold(name), phrase.Fold(a.Who)) }
	return (a.Game == "" || g.Variant == a.Game) && (a.Who == "" || slices.ContainsFunc(line.Names[:], named)) &&
		(a.Result == "" || a.Result == line.Result || a.Result == line.Outcome() || a.Result == "over" && line.Result != "*") &&
		line.Moves >= a.Least && (a.Most == 0 || line.Moves <= a.Most) &&
		(a.From.IsZero() || !g.Changed.Before(a.From)) && (a.To.IsZero() || g.Changed.Before(a.To))
}

// Lobby is where a person finds an opponent, and games to watch.
type Lobby struct {
	Open    []AgendaLine // challenges that they could take, and their own
	Running []GameLine   // public games, the last one moved in first
	Mark    string       // changes with what is shown
}

// How many running games a lobby shows, and how many of the newest are searched for them.
const (
	lobbyGames    = 12
	lobbySearched = 300
)

// Lobby is the lobby of the author of a message.
func (b *Bot) Lobby(ctx context.Context, m message.Incoming) (*Lobby, error) {
	r, known := b.Asker(ctx, m)
	found := &Lobby{}
	if known && r.Me.ID != 0 {
		all, err := b.Match.Lobby(ctx, r.by(), "")
		own, _, err2 := b.Match.Challenges(ctx, r.by(), r.Me.ID)
		if err := cmp.Or(err, err2, b.openIn(ctx, r, found, all, own)); err != nil {
			return nil, err
		}
	}
	running, err := storage.Read(ctx, b.Store, func(read storage.Reader) ([]GameLine, error) { return b.running(read, r) })
	found.Running = running
	mark := sha256.New()
	for _, line := range found.Open {
		_, _ = fmt.Fprint(mark, " c", line.Game)
	}
	for _, line := range found.Running {
		_, _ = fmt.Fprint(mark, " ", line.ID, ".", line.Revision)
	}
	found.Mark = fmt.Sprintf("%x", mark.Sum(nil))[:16]
	return found, err
}

// openIn adds challenges of others and the asker's own to a lobby.
func (b *Bot) openIn(ctx context.Context, r Request, found *Lobby, all, own []storage.Challenge) error {
	list, err := b.challengesFor(ctx, r, slices.Concat(all, own))
	for i, c := range slices.Concat(all, own) {
		if b.Games.Variant(c.Variant) == nil {
			continue
		}
		found.Open = append(found.Open, b.line(r, c.ID, list.Challenge(c), answerButtons(c.ID, i >= len(all), false)[:1]))
	}
	return err
}

// running are games in progress that the asker may see from outside of chats: public ones.
func (b *Bot) running(read storage.Reader, r Request) (lines []GameLine, err error) {
	places, err := read.LivelyPlaces()
	var ids []storage.GameID
	for _, p := range places {
		here, err2 := read.Here(p)
		ids, err = append(ids, here...), cmp.Or(err, err2)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	games, err := read.Games().All(ids[max(0, len(ids)-lobbySearched):], err)
	public, err2 := event.NewPermissions(read, event.By{Outside: true})
	if err := cmp.Or(err, err2); err != nil {
		return nil, err
	}
	slices.SortFunc(games, func(a, b storage.Game) int { return b.Changed.Compare(a.Changed) })
	for i := range games {
		if games[i].Over() || games[i].Quarantined != "" || len(lines) == lobbyGames {
			continue
		}
		line, sees, err := b.lineOf(read, public, r, &games[i])
		if err != nil {
			return nil, err
		}
		lines = append(lines, words.If(sees, line)...)
	}
	return lines, nil
}

// Course is the course and the puzzles of a game, with a person's progress.
type Course struct {
	Guide
	All, Done int             // lessons
	Next      int             // from 1: the lesson that comes now, the first again after the last
	Board     diagram.Diagram // of that lesson
	Puzzles   int             // all that it has
	Opens     int             // the number of the puzzle that they get next, from 1; 0 if there is none
	Found     int             // how many they have solved
	Beaten    int             // the highest level of the computer that they have beaten, 0 for none
}

// Courses are the courses of all games, with the progress of the author of a message.
func (b *Bot) Courses(ctx context.Context, m message.Incoming) (all []Course, err error) {
	r, _ := b.Asker(ctx, m)
	for _, g := range b.Guides(r.Language()) {
		v := b.Games.Variant(g.Key)
		c := Course{Guide: g, All: len(v.Course), Done: r.Me.Studies.Done[v.Key], Puzzles: b.Training.Count(v), Opens: b.Training.Choose(&r.Me, v, "") + 1, Found: r.Me.Training.Found.Count(v.Key)}
		if left, waits := r.Me.Training.Waits(v.Key); waits {
			c.Opens = left.Number + 1
		}
		c.Next = words.Either(c.Done < c.All, c.Done+1, 1)
		pos, err := v.Position(v.Course[c.Next-1].FEN)
		feat, err2 := storage.Read(ctx, b.Store, func(read storage.Reader) (storage.BeatenLevel, error) { return read.BeatenLevel(r.Me.ID, v.Key) })
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		c.Beaten = feat.Level
		c.Board = diagram.Of(pos, nil, pos.Turn())
		c.Board.Coords, c.Board.Idle = diagram.NoCoords, true
		all = append(all, c)
	}
	return all, nil
}

// Study is a lesson or a puzzle, as shown to a person who can move pieces on its board.
type Study struct {
	*message.Exercise
	Touched
	Called        string         // their name
	Known         bool           // progress is stored
	Number        int            // of the lesson or the puzzle, from 1
	Found         storage.Solver // how they have found it, if it is the puzzle of a day; else its Number is 0
	Day, Tomorrow string         // the day, and the game of the next day's puzzle
	Lessons       int            // of its course; 0 for a puzzle
	Done          int            // of those
	Ratings       [2]string      // the puzzle's and theirs, unless it is that of a day
	Counts        bool           // it says that an answer counts for the rating
	How           string         // a puzzle was found: the worst mark of [storage.Solver], "" for at once
	Frames        []Frame        // the moves that led to the board; in a puzzle from its beginning, with the answer to a wrong move
	First         int            // the first Frame that is new
	Home          int            // the Frame whose board stays; -1 for none

	won  computer.Trade // by a solution
	gain words.Text     // what is said of that, unless a move has said it
}

// Frame is a board after a move, with the move's effects, as [Choice.Does] and in words; or the board
// before the first move.
type Frame struct {
	Board diagram.Diagram
	Does  []string
	Move  string // with its number, as in [Step]
	Says  words.Text
}

// Study does what a message says about lessons and puzzles, and shows the exercise that follows; nil
// if there is none. A stranger may press buttons.
func (b *Bot) Study(ctx context.Context, m message.Incoming) (*Study, []message.Message, error) {
	r, _ := b.Asker(ctx, m)
	var told []message.Message
	if r.Me.ID != 0 {
		told, _ = b.Handle(ctx, m) // an error has its note
		r, _ = b.Asker(ctx, m)
	} else if p, _, _, args, ok := pressed(m.Press); ok && (strings.HasPrefix(p.verb, "lesson") || strings.HasPrefix(p.verb, "puzzle") || strings.HasPrefix(p.verb, "day-")) {
		said, err := b.Training.Press(ctx, training.Learner{Private: true}, p.verb, args)
		if err != nil || said == nil {
			return nil, nil, err
		}
		said.For(b.audience(r))
		told = replies(said)
	}
	if len(told) != 1 || told[0].Exercise == nil {
		return nil, told, nil
	}
	s := &Study{Touched: Touched{Note: told[0]}, Exercise: told[0].Exercise, Known: r.Me.ID != 0, Home: -1}
	name := strings.Fields(s.Name)
	v := b.Games.Variant(name[1])
	s.Kind, s.Notation, s.Called = v.Key, v.Notation, v.Title().Text(r.Language())
	n, _ := strconv.Atoi(name[2])
	if s.Number = n + 1; name[0] == "lesson" {
		s.Lessons, s.Done = len(v.Course), r.Me.Studies.Done[v.Key]
	} else {
		t := b.Training.Task(v, n, 0)
		b.lead(ctx, r, s, t)
		s.Ratings = words.Either(name[0] == "day", s.Ratings, t.Ratings(&r.Me))
		if last := &r.Me.Training; last.Game == v.Key && last.Number == n {
			s.How, s.Counts = last.Missed, s.Known && !last.Counted
		}
	}
	if name[0] == "day" {
		var err error
		if s.Found, err = b.Training.OnDay(ctx, r.Me.ID, b.Training.DayOf(v, n)); err != nil {
			return nil, nil, err
		}
		if s.How, s.Counts = "", s.Known && !s.Found.Over(); s.Found.Marks != "" {
			s.How = string(slices.Max([]byte(s.Found.Marks)))
		}
		s.Day = chart.Date(time.Unix(0, 0).UTC().AddDate(0, 0, s.Found.Number)).Text(r.Language())
		s.Tomorrow = b.Games.Variant(b.Training.OfDay(s.Found.Number + 1).Game()).Title().Text(r.Language())
	}
	if s.Position != nil {
		s.Choices = choicesIn(r, s.Position)
	}
	err := b.film(ctx, s)
	if s.Position == nil && s.Home > 0 {
		*s.Note.Board = s.Frames[s.Home].Board
		s.Note.Board.Legend = words.Legend(v, words.Each(s.Frames, func(f Frame) diagram.Diagram { return f.Board })...)
	}
	s.Note.Board.Idle = true // the text above tells whose turn it is
	s.drawn()
	return s, nil, err
}

// refutation is the longest time to think about a wrong answer; it takes some hundredths of a second
// on an idle machine.
const refutation = 5 * time.Second

// lead makes the moves of a puzzle replayable step by step. A solution goes on until its gain is on
// the board, and says what that is.
func (b *Bot) lead(ctx context.Context, r Request, s *Study, t *training.Task) {
	e := s.Exercise
	from, line := t.Line()
	turn, _ := strconv.Atoi(strings.Fields(e.Name)[3])
	made, task := line[:2*turn], words.Text(nil)
	switch {
	case e.Missed:
		if best, refuted := b.advised(ctx, e); best != nil { // without one it is wrong all the same
			e.Line = append(e.Line, best[0])
			e.Told = words.Join(" ", e.Told, refuted.In(r.Language()))
		}
	case e.Position != nil && e.Own: // it was right, and was answered
		made = made[:len(made)-len(e.Line)]
	case len(e.Line) > 0:
		best, _ := b.advised(ctx, e) // none if the game is over, or if it takes too long
		rest, won, pawns := computer.PlayOut(from, append(line, best...), len(line))
		e.Line, e.Position, task = append(e.Line, rest...), nil, e.Task
		s.won, s.gain, e.Told = won, words.PlayedOut(from.Variant(), won, pawns), words.Either(e.Own, e.Told, nil)
	}
	if e.From, e.Line, s.First = from, slices.Concat(made, e.Line), len(made)+1; len(e.Line) > 0 {
		s.Home = words.Either(e.Position == nil, len(e.Line), 2*turn)
		s.Frames = []Frame{{Board: diagram.Of(from, nil, s.Note.Board.Bottom).ShowZones(from.Influences()), Says: task}}
	}
}

// advised is the best line after the moves of an exercise, and how it refutes the first of them;
// nothing if it takes too long.
func (b *Bot) advised(ctx context.Context, e *message.Exercise) (line []rules.Move, refuted words.Text) {
	ctx, end := context.WithTimeout(ctx, refutation)
	defer end()
	last := e.From
	for _, m := range e.Line {
		next, err := last.Play(m)
		if err != nil {
			return nil, nil
		}
		last = next
	}
	found, err := b.Thinker.Advise(ctx, rules.NewGame(last))
	if err != nil {
		return nil, nil
	}
	return found.Moves, words.Refuted(last, found.Line)
}

// film draws the moves that led to the board, and says what they do; in a solution, also what the
// solver's own moves threaten.
func (b *Bot) film(ctx context.Context, s *Study) error {
	pos, moves, sums := s.From, steps(s.From, s.Line, 0), []words.Text(nil)
	for i, m := range s.Line {
		next, err := pos.Play(m)
		if err != nil {
			return err
		}
		v, effects, why := pos.Variant(), pos.Effects(m), computer.Reason{}
		if s.Position == nil && s.Home > 0 && i%2 == 0 {
			why, _ = computer.Threat(ctx, pos, m, next, b.Thinker.Advise)
		}
		said := words.Join(" ", words.Why(v, why), words.If(next.Status() == rules.Mated || next.Status() == rules.Checkmate, words.Join(" ", words.Say("hint.mates", "move", pos.Chat(m), "n", 1), words.Of(next.Warning()))...))
		if why.Wins != nil && why.More == 0 && slices.Equal(why.Wins, s.won.Took) && slices.Equal(why.For, s.won.Gave) {
			s.gain = nil
		}
		sums = append(sums, words.If(said != nil && i < s.Home-1, words.Say("board.last", "move", moves[i].Text, "did", said)...)) // it is read at the end, too
		d := diagram.Of(next, effects, s.Note.Board.Bottom).ShowZones(next.Influences())
		s.Frames = append(s.Frames, Frame{d, does(v, effects), moves[i].Text, words.Join(" ", words.Of(v.Describe(effects)), said)})
		pos = next
	}
	s.Told = words.Lines(append(sums, words.Join(" ", s.gain, s.Told))).In(s.Note.Language)
	for i := range s.Frames {
		d := &s.Frames[i].Board
		d.Theme, d.Chosen, d.Letters, d.Coords, d.Idle = s.Note.Board.Theme, s.Note.Board.Chosen, s.Note.Board.Letters, s.Note.Board.Coords, true
	}
	return nil
}

// Tried draws the board after a move in an exercise that is named as in [message.Exercise]; nil if there is none.
func (b *Bot) Tried(ctx context.Context, from message.Incoming, name, move string) *diagram.Diagram {
	pos := b.Training.Position(strings.Fields(name))
	if pos == nil {
		return nil
	}
	m, err := pos.ParseCoordinate(move)
	after, err2 := pos.Play(m)
	if err != nil || err2 != nil {
		return nil
	}
	n := message.Message{Board: new(diagram.Of(after, pos.Effects(m), pos.Turn()))}
	r, _ := b.Asker(ctx, from)
	n.For(b.audience(r))
	return n.Board
}

// Met is what people are told of a piece that they touch.
type Met struct {
	Name, Now phrase.Phrase // what it is, and what it may do where it stands
	Does      phrase.Phrase // what such a piece may do
	Plain     bool          // chess has it, too
	Goes      string        // squares to which it could go, and on which it could capture, if it were its turn
}

// Met tells of the piece on a square of a board; nil if there is none.
func (b *Bot) Met(pos *rules.Position, square string) *Met {
	if pos == nil {
		return nil
	}
	v, board := pos.Variant(), pos.Board()
	sq := v.Shape.Parse(square)
	if sq == rules.NoSquare || board[sq] == (rules.Piece{}) {
		return nil
	}
	p := board[sq]
	text := func(info rules.RoleInfo) string { return info.Does.With("piece", info.Noun).String() }
	plain := !p.Shared() && slices.ContainsFunc(b.Games.Variant("chess").Table[1:], func(info rules.RoleInfo) bool {
		return text(info) == text(v.Table[p.White|p.Black])
	})
	var goes rules.Set
	for _, m := range reach(pos, sq) {
		if m.From == sq {
			goes |= m.To.Set() | m.Kills
		}
	}
	does, now := pos.Does(sq)
	return &Met{words.Lettered(v, p), now, does, plain, v.Shape.Names(goes &^ sq.Set())}
}

// moment is a typical moment of a game: a move, and the part of the board around it.
type moment struct{ fen, move, from, to string }

// moments are the games' typical moments, by key. A game without one shows its start.
var moments = map[string]moment{ //nolint:gochecknoglobals // never written
	"combine":      {"4k3/5ppp/8/8/8/8/PP2P3/1RNBK3 w - - 0 1", "b1~c1", "a1", "e2"},
	"combine-free": {"4k3/5ppp/8/8/8/8/1P3P2/2BR2K1 w - - 0 1", "d1+c1~d2", "b1", "f2"},
	"knightmare":   {"4k3/5ppp/8/8/8/8/1P1r1P2/1NB2K2 w - - 0 1 -", "c1d2", "b1", "f2"},
	"stealth":      {"4k3/5ppp/8/8/8/8/1P3P2/[RRR]1nb1K2 w - - 0 1", "a1d1xc1", "b1", "f2"},
	"brigade":      {"4k3/5ppp/8/8/8/8/1P1n1P2/2B1QK2 w - - 0 1", "c1c1xd2", "b1", "f2"},
	"combination":  {"", "", "b2", "f3"},
	"chess":        {"r3k3/pp3p2/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7", "a7", "e8"},
}

// Shown is a drawing of a game's typical "move", of its puzzle with a number, or of a piece by its
// code; or, for "face", of one of the computer's characters. It fails with [ErrNothing] if there is no
// such thing.
func (b *Bot) Shown(game, what string, look storage.Look) ([]byte, error) {
	if face := diagram.FaceOf(what, rules.White); game == "face" && face != (rules.Piece{}) {
		return drawAlone(diagram.Faces(), face, storage.Look{Theme: look.Theme})
	}
	v := b.Games.Variant(game)
	if v == nil {
		return nil, ErrNothing
	}
	if what == "move" {
		return drawMoment(v, moments[v.Key], look)
	}
	if p := pieceOf(v, what); p != (rules.Piece{}) {
		return drawAlone(v.Table, p, look)
	}
	n, _ := strconv.Atoi(what) // 0 is no puzzle
	task := b.Training.Task(v, n-1, 0)
	if task == nil {
		return nil, ErrNothing
	}
	return drawMoment(v, moment{fen: task.Position().FEN()}, look)
}

// drawAlone draws a piece on a square of its own.
func drawAlone(t rules.Table, p rules.Piece, look storage.Look) ([]byte, error) {
	var picture bytes.Buffer
	d := diagram.Diagram{Table: t}
	message.SetLook(&d, look)
	err := render.SVG(&picture, d.Alone(diagram.Sign{Piece: p}), render.MinSize, phrase.English)
	return picture.Bytes(), err
}

func drawMoment(v *rules.Variant, m moment, look storage.Look) ([]byte, error) {
	pos, err := v.Position(m.fen)
	if err != nil {
		return nil, err
	}
	var did []rules.Effect
	if m.move != "" {
		move, err := pos.Parse(m.move)
		next, err2 := pos.Play(move)
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		did, pos = pos.Effects(move), next
	}
	d := diagram.Of(pos, did, rules.White).ShowZones(pos.Influences())
	if m.from == "" {
		d = diagram.Of(pos, nil, pos.Turn())
	}
	message.SetLook(&d, look)
	from, to := v.Shape.Parse(m.from), v.Shape.Parse(m.to)
	var picture bytes.Buffer
	err = render.Detail(&picture, d, from, to)
	return picture.Bytes(), err
}
