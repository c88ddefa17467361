package bot

import (
	"context"
	"slices"
	"strings"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/analysis"
	"chimera/storage"
)

// BoardOptions are what somebody wants to see of a game.
type BoardOptions struct {
	Ply     int      // after so many moves, or [match.Latest]
	Flip    bool     // from the other side
	Zones   bool     // the squares to which pieces lend their powers
	Threats bool     // what threatens the side to move
	Line    []string // moves to be thought of from there on; nil where nobody thinks ahead
}

// BoardView is a game as somebody sees it who can touch its board.
type BoardView struct {
	Note  message.Message // what chats show: words, the board, buttons
	Plan  render.Plan
	Title string // the kind of game and its number
	Kind  string // the key of its rules
	Turn
	Plays    bool    // whoever sees it
	Clocks   []Clock // of White and Black, while time is limited
	Over     bool
	Ply      int // that is seen
	Last     int // of the game
	Revision uint64
	Choices  []Choice   // what whoever sees it can play now, or can be thought of next
	Score    []Scored   // the moves of the game
	Zones    bool       // pieces lend their powers
	Threats  words.Text // what was asked for, in words
	Thought  *Thought   // nil for who cannot think ahead
}

// Turn is who plays a game, and whose turn it is.
type Turn struct {
	Players [2]storage.PersonID
	Mover   storage.PersonID // 0 if the game has ended
}

func turnOf(g *storage.Game) Turn { return Turn{g.Players, match.ToMove(g)} }

// Clock is how much time a player has.
type Clock struct {
	Name string
	Due  time.Time // when it is up; zero where it does not run
	Left string    // in words
}

// Scored is a move of a game.
type Scored struct {
	Number int  // of the full move
	Black  bool // who moved
	Text   string
	Ply    int // that it led to
}

// Choice is a legal move.
type Choice struct {
	From, To string
	Kind     string // what [diagram.Diagram.ShowMoves] marks To with: goes, kills, joins or parts
	Move     string // as coordinate text
	Text     string // as chat text
	Tells    string // what it does
}

// BoardView shows a game to whoever a message is from. What is refused is told by the messages, a game that a
// [Stranger] may not see as if there were none; where that is a move to be thought of, the moves before
// it are shown.
func (b *Bot) BoardView(ctx context.Context, m message.Incoming, id storage.GameID, options BoardOptions) (*BoardView, []message.Message, error) {
	r, _ := b.Asker(ctx, m) // to whom nobody has spoken yet is a stranger
	view, err := b.Games.LoadFor(ctx, r.by(), id, options.Ply)
	if err != nil {
		refused, err := b.finish(ctx, r, true, nil, err)
		return nil, replies(refused), err
	}
	s := &BoardView{
		Note: boardOf(view, onlooker{Alone: r.Me.ID}), Title: words.GameName(view), Kind: view.Variant.Key,
		Turn: turnOf(&view.Game), Over: view.Game.Over(), Ply: view.Ply, Last: len(view.Game.Moves), Revision: view.Game.Revision,
	}
	_, s.Plays = view.Game.SideOf(r.Me.ID)
	if r.Me.ID == 0 {
		s.Note.Buttons = nil // they are for people who are known
	}
	if s.Score, err = b.scored(view); err != nil {
		return nil, nil, err
	}
	s.thinkAhead(view, r.Me.ID)
	pos, faults := s.follow(view, options.Line)
	refused, err := b.finish(ctx, r, true, nil, faults)
	if err != nil {
		return nil, nil, err
	}
	moves := r.Me.ID != 0 && !s.Over && s.Ply == s.Last && s.Mover == r.Me.ID && len(options.Line) == 0
	if moves || s.Thought != nil && options.Line != nil {
		s.Choices = choicesIn(r, pos)
	}
	s.mark(view, pos, options)
	s.Clocks = clocksOf(view, r)
	s.Threats = s.Threats.In(r.Language())
	s.Note.For(b.audience(r))
	s.Plan = render.PlanOf(*s.Note.Board)
	return s, replies(refused), nil
}

// replies are a message, if there is one.
func replies(said *message.Message) []message.Message {
	if said == nil {
		return nil
	}
	return []message.Message{*said}
}

// scored are the moves of a game with their numbers.
func (b *Bot) scored(view *match.GameView) (all []Scored, err error) {
	score, err := b.Games.Score(&view.Game)
	if err != nil {
		return nil, err
	}
	number, turn := 1, rules.White
	if view.Start != nil {
		number, turn = view.Start.FullMove(), view.Start.Turn()
	}
	for i, text := range score {
		all = append(all, Scored{number, turn == rules.Black, text, i + 1})
		if turn == rules.Black {
			number++
		}
		turn = turn.Other()
	}
	return all, nil
}

// mark marks on the board what is asked for, and turns it.
func (s *BoardView) mark(view *match.GameView, pos *rules.Position, options BoardOptions) {
	d := *s.Note.Board
	zones := pos.Influences()
	s.Zones = len(zones) > 0
	if options.Threats && !d.Over && pos.Status() == rules.Ongoing {
		found := analysis.Find(pos)
		d = d.ShowThreats(found)
		s.Threats, s.Note.Legend = words.Threats(view, found), nil
	}
	if options.Zones && s.Zones {
		d = d.ShowZones(zones)
		s.Note.Legend = append(s.Note.Legend, words.ZoneLegend(d)...)
	}
	if options.Flip {
		d.Bottom = d.Bottom.Other()
	}
	s.Note.Board = &d
}

// clocksOf are how much time both have.
func clocksOf(view *match.GameView, r Request) []Clock {
	g := &view.Game
	if g.Over() || g.Pace.Move == 0 {
		return nil
	}
	all := make([]Clock, len(g.Players))
	for side := range all {
		left := g.Pace.Move + g.Clock.Bank[side]
		if side == g.Turn {
			all[side].Due, left = view.Due, view.Left
		}
		all[side].Name, all[side].Left = view.Names[side], words.Length(left).Text(r.Language())
	}
	return all
}

// Explain tells what the piece on a square of a game may do, or one of that name, and shows its card.
func (b *Bot) Explain(ctx context.Context, m message.Incoming, id storage.GameID, piece string) []message.Message {
	m.Text, m.ReplyTo = "how "+piece, id
	told, err := b.Handle(ctx, m)
	r, _ := b.Asker(ctx, m)
	if err != nil || len(told) == 0 {
		return told // an error has its message
	}
	view, err := b.Games.LoadFor(ctx, r.by(), id, match.Latest)
	if err != nil {
		return told
	}
	sq := view.Variant.Shape.Parse(strings.ToLower(piece))
	if sq == rules.NoSquare || view.Now.Position.Board()[sq] == (rules.Piece{}) {
		return told
	}
	on := view.Now.Position.Board()[sq]
	if on.White == rules.NoRole {
		on = rules.PieceOf(rules.White, on.Black) // cards are of White's
	}
	power, err := analysis.Of(view.Variant, on)
	if err != nil {
		return told
	}
	said := &told[0]
	card := diagram.Card(view.Variant, power)
	card.Legend = words.Card(view.Variant, on, power).In(said.Language)
	said.Board, said.Players = &card, nil
	said.For(b.audience(r))
	return told
}

// Turn is whose turn it is in a game, nobody's if there is no such game.
func (b *Bot) Turn(ctx context.Context, id storage.GameID) (Turn, error) {
	g, err := storage.Read(ctx, b.Store, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(id) })
	if err != nil && !storage.Missing(err) {
		return Turn{}, err
	}
	return turnOf(&g), nil
}

// Revision counts how often a game was stored. What whoever a message is from may not see is refused.
func (b *Bot) Revision(ctx context.Context, m message.Incoming, id storage.GameID) (uint64, error) {
	asker, _ := b.Asker(ctx, m)
	return storage.Read(ctx, b.Store, func(r storage.Reader) (uint64, error) {
		g, err := event.Named(r, id)
		if err != nil {
			return 0, err
		}
		return g.Revision, event.Shown(r, asker.by(), &g)
	})
}

// choicesIn are the legal moves of a position.
func choicesIn(r Request, pos *rules.Position) []Choice {
	v, moves, texts := pos.Variant(), pos.Moves(), pos.ChatTexts()
	marked := map[diagram.MarkKind]string{diagram.Target: "goes", diagram.Aimed: "kills", diagram.Merges: "joins", diagram.Splits: "parts"}
	kinds := map[[2]rules.Square]string{}
	d := diagram.Of(pos, nil, pos.Turn())
	var from rules.Set
	all := make([]Choice, len(moves))
	for i, m := range moves {
		if !from.Has(m.From) {
			from |= m.From.Set()
			for _, mark := range d.ShowMoves(m.From, moves).Marks {
				kind := marked[mark.Kind]
				if kind == "goes" && pos.Board()[mark.To] != (rules.Piece{}) {
					kind = "kills"
				}
				if kind != "" {
					kinds[[2]rules.Square{m.From, mark.To}] = kind
				}
			}
		}
		all[i] = Choice{
			v.Shape.Name(m.From), v.Shape.Name(m.To), kinds[[2]rules.Square{m.From, m.To}],
			v.Coordinate(m), texts[i], v.Describe(pos.Effects(m)).Text(r.Language()),
		}
	}
	return all
}

// Thought is what a player who waits thinks of: their conditional moves, and the line that they look at.
type Thought struct {
	Line   []string // as chat text
	Store  string   // the command that stores it too; "" if it does not end with an answer
	Stored []Stored
}

// Stored is a line of conditional moves.
type Stored struct {
	Moves   []string // as chat text
	Without string   // the command that stores all others alone
}

// thinkAhead lets a player who waits for somebody's move think of answers. The computer moves at once.
func (s *BoardView) thinkAhead(view *match.GameView, me storage.PersonID) {
	side, plays := view.Game.SideOf(me)
	if _, level := view.Game.Computer(); !plays || me == 0 || s.Over || s.Mover == me || s.Ply != s.Last || level != 0 {
		return
	}
	s.Thought = &Thought{}
	lines := view.Game.Plans[side]
	for i, line := range lines {
		others := slices.Delete(slices.Clone(lines), i, i+1)
		s.Thought.Stored = append(s.Thought.Stored, Stored{chatTexts(view.Now.Position, line), planning(others)})
	}
}

// planning is the command that stores lines of conditional moves.
func planning(lines []storage.Line) string {
	if len(lines) == 0 {
		return "if clear"
	}
	var all []string
	for _, line := range lines {
		var pairs []string
		for pair := range slices.Chunk(line, 2) {
			pairs = append(pairs, strings.Join(pair, " "))
		}
		all = append(all, strings.Join(pairs, ", "))
	}
	return "if " + strings.Join(all, "; ")
}

// chatTexts are moves one after the other as chat text, as far as they are legal.
func chatTexts(pos *rules.Position, line []string) (texts []string) {
	for _, text := range line {
		m, err := pos.Parse(text)
		if err != nil {
			return texts
		}
		texts = append(texts, pos.Chat(m))
		if pos, err = pos.Play(m); err != nil {
			return texts
		}
	}
	return texts
}

// follow is the position after the moves of a line; if one is illegal, before it.
func (s *BoardView) follow(view *match.GameView, line []string) (*rules.Position, error) {
	pos, last := view.Now.Position, view.Effects
	var moves storage.Line
	var fault error
	for i, text := range line {
		m, err := pos.Parse(text)
		var next *rules.Position
		if err == nil {
			next, err = pos.Play(m)
		}
		if err != nil {
			fault = &match.PlanFault{Text: text, Why: err, Theirs: s.Thought != nil && i%2 == 0}
			break
		}
		moves, last = append(moves, view.Variant.Coordinate(m)), pos.Effects(m)
		pos = next
	}
	if len(moves) > 0 {
		d := diagram.Of(pos, last, s.Note.Board.Bottom)
		setPicture(&s.Note, view, d)
	}
	if t := s.Thought; t != nil {
		t.Line = chatTexts(view.Now.Position, moves)
		if len(moves) > 0 && len(moves)%2 == 0 {
			kept := slices.DeleteFunc(slices.Clone(view.Game.Plans[1-view.Game.Turn]), func(l storage.Line) bool {
				return len(l) <= len(moves) && slices.Equal(l, moves[:len(l)]) // the line goes on from there
			})
			t.Store = planning(append(kept, moves))
		}
	}
	return pos, fault
}
