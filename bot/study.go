package bot

import (
	"bytes"
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"chimera/bot/message"
	"chimera/bot/training"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Course is the course and the puzzles of a game, as far as somebody has come.
type Course struct {
	Key, Name, About string
	All, Done        int             // lessons
	Next             int             // from 1: the lesson that comes now
	Board            diagram.Diagram // of that lesson
	Puzzles          int
}

// Courses are those of all games, for whoever a message is from.
func (b *Bot) Courses(ctx context.Context, m message.Incoming) (all []Course, err error) {
	r, _ := b.Asker(ctx, m)
	for _, v := range b.Games.Variants() {
		c := Course{Key: v.Key, Name: v.Name, About: v.About.Text(r.Language()), All: len(v.Course), Done: r.Me.Studies.Done[v.Key], Next: 1, Puzzles: b.Training.Count(v)}
		if c.Done < c.All {
			c.Next = c.Done + 1
		}
		pos, err := v.Position(v.Course[c.Next-1].FEN)
		if err != nil {
			return nil, err
		}
		c.Board = diagram.Of(pos, nil, pos.Turn())
		c.Board.Coords = diagram.NoCoords
		all = append(all, c)
	}
	return all, nil
}

// Study is a lesson or a puzzle as somebody has it before them who can touch its board.
type Study struct {
	*message.Exercise
	Touched
	Called  string         // their name
	Known   bool           // what is done is kept
	Number  int            // of the lesson or the puzzle, from 1
	Found   storage.Solver // how they have found it, if it is the puzzle of a day; else its Number is 0
	Lessons int            // of its course; 0 for a puzzle
	Done    int            // of those
	Frames  []Frame        // what led to the board
}

// Frame is a board after a move, and what that did as [Choice.Does].
type Frame struct {
	Board diagram.Diagram
	Does  []string
}

// Study does what a message says about lessons and puzzles, and shows what is to be found then; nil if that is
// nothing. A stranger may press buttons.
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
	s := &Study{Touched: Touched{Note: told[0]}, Exercise: told[0].Exercise, Known: r.Me.ID != 0}
	name := strings.Fields(s.Name)
	v := b.Games.Variant(name[1])
	s.Kind, s.Called = v.Key, v.Name
	n, _ := strconv.Atoi(name[2])
	if s.Number = n + 1; name[0] == "lesson" {
		s.Lessons, s.Done = len(v.Course), r.Me.Studies.Done[v.Key]
	} else if s.Missed {
		b.refute(ctx, r, s.Exercise)
	}
	if name[0] == "day" {
		var err error
		if s.Found, err = b.Training.OnDay(ctx, r.Me.ID, b.Training.DayOf(v, n)); err != nil {
			return nil, nil, err
		}
	}
	if s.Position != nil {
		s.Choices = choicesIn(r, s.Position)
	}
	s.drawn()
	return s, nil, s.film(v)
}

// refutation is how long a wrong answer is thought about.
const refutation = time.Second

// refute adds the best reply to a wrong answer, if it is found in time.
func (b *Bot) refute(ctx context.Context, r Request, e *message.Exercise) {
	ctx, end := context.WithTimeout(ctx, refutation)
	defer end()
	after, err := e.From.Play(e.Line[0])
	if err != nil {
		return
	}
	found, err := b.Thinker.Advise(ctx, rules.NewGame(after))
	if err != nil {
		return // it is wrong all the same
	}
	e.Line = append(e.Line, found.Move())
	e.Told = words.Join(" ", e.Told, words.Say("puzzle.refuted", "reply", after.Chat(found.Move())).In(r.Language()))
}

// film draws the moves that led to the board.
func (s *Study) film(v *rules.Variant) error {
	pos := s.From
	for _, m := range s.Line {
		next, err := pos.Play(m)
		if err != nil {
			return err
		}
		effects := pos.Effects(m)
		d := diagram.Of(next, effects, s.Note.Board.Bottom)
		d.Theme, d.Chosen, d.Coords = s.Note.Board.Theme, s.Note.Board.Chosen, s.Note.Board.Coords
		s.Frames = append(s.Frames, Frame{d, does(v, effects)})
		pos = next
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
	d := diagram.Of(after, pos.Effects(m), pos.Turn())
	n := message.Message{Board: &d}
	r, _ := b.Asker(ctx, from)
	n.For(b.audience(r))
	return n.Board
}

// moment is what is special in a game: a move, and a part of the board around it.
type moment struct{ fen, move, from, to string }

// moments are those of games, by key. Of a game without one its start is shown.
var moments = map[string]moment{ //nolint:gochecknoglobals // never written
	"combine":      {"4k3/5ppp/8/8/8/8/1PP2P2/2RNBK2 w - - 0 1", "c1~d1", "b1", "f2"},
	"combine-free": {"4k3/5ppp/8/8/8/8/1P3P2/2BR2K1 w - - 0 1", "d1+c1~d2", "b1", "f2"},
	"knightmare":   {"4k3/5ppp/8/8/8/8/1P1r1P2/1NB2K2 w - - 0 1 -", "c1d2", "b1", "f2"},
	"stealth":      {"4k3/5ppp/8/8/8/8/1P3P2/[RRR]1nb1K2 w - - 0 1", "a1d1xc1", "b1", "f2"},
	"brigade":      {"4k3/5ppp/8/8/8/8/1P1n1P2/2B1QK2 w - - 0 1", "c1c1xd2", "b1", "f2"},
	"combination":  {"", "", "b2", "f3"},
	"chess":        {"r3k3/pp3p2/8/3N4/8/8/8/4K3 w - - 0 1", "d5c7", "a7", "e8"},
}

// Shown is a drawing of a "move" that is special in a game, of what its first "lesson" begins with, or of its
// puzzle of a number, or a piece by its code; or of "face" one of the computer's characters. Without such a thing it fails with [ErrNothing].
func (b *Bot) Shown(game, what string, theme diagram.Theme) ([]byte, error) {
	if face := diagram.FaceOf(what, rules.White); game == "face" && face != (rules.Piece{}) {
		return drawAlone(diagram.Faces(), face, theme)
	}
	v := b.Games.Variant(game)
	if v == nil {
		return nil, ErrNothing
	}
	var m moment
	switch what {
	case "move":
		m = moments[v.Key]
	case "lesson":
		m.fen = v.Course[0].FEN
	default:
		if p := pieceOf(v, what); p != (rules.Piece{}) {
			return drawAlone(v.Table, p, theme)
		}
		n, err := strconv.Atoi(what)
		task := b.Training.Task(v, n-1, 0)
		if err != nil || task == nil {
			return nil, ErrNothing // no number is that of no puzzle
		}
		m.fen = task.Position().FEN()
	}
	return drawMoment(v, m, theme)
}

// drawAlone draws a piece on a square of its own.
func drawAlone(t rules.Table, p rules.Piece, theme diagram.Theme) ([]byte, error) {
	var picture bytes.Buffer
	err := render.SVG(&picture, diagram.Diagram{Table: t, Theme: theme}.Alone(diagram.Sign{Piece: p}), render.MinSize, phrase.English)
	return picture.Bytes(), err
}

func drawMoment(v *rules.Variant, m moment, theme diagram.Theme) ([]byte, error) {
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
	d.Theme = theme
	from, to := v.Shape.Parse(m.from), v.Shape.Parse(m.to)
	var picture bytes.Buffer
	err = render.Detail(&picture, d, from, to)
	return picture.Bytes(), err
}
