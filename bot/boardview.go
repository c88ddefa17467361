package bot

import (
	"context"
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

// View is what somebody wants to see of a game.
type View struct {
	Ply     int      // after so many moves, or [Latest]
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
func (b *Bot) BoardView(ctx context.Context, m message.Incoming, id storage.GameID, view View) (*BoardView, []message.Message, error) {
	r, _ := b.Asker(ctx, m) // to whom nobody has spoken yet is a stranger
	game, err := b.Games.LoadFor(ctx, r.By(), id, view.Ply)
	if err != nil {
		refused, err := b.finish(ctx, r, true, nil, err)
		return nil, replies(refused), err
	}
	s := &BoardView{
		Note: boardOf(game, Viewer{Alone: r.Me.ID}), Title: words.GameName(game), Kind: game.Variant.Key,
		Turn: turnOf(&game.Game), Over: game.Game.Over(), Ply: game.Ply, Last: len(game.Game.Moves), Revision: game.Game.Revision,
	}
	_, s.Plays = game.Game.SideOf(r.Me.ID)
	if r.Me.ID == 0 {
		s.Note.Buttons = nil // they are for people who are known
	}
	if s.Score, err = b.scored(game); err != nil {
		return nil, nil, err
	}
	s.thinkAhead(game, r.Me.ID)
	pos, faults := s.follow(game, view.Line)
	refused, err := b.finish(ctx, r, true, nil, faults)
	if err != nil {
		return nil, nil, err
	}
	moves := r.Me.ID != 0 && !s.Over && s.Ply == s.Last && s.Mover == r.Me.ID && len(view.Line) == 0
	if moves || s.Thought != nil && view.Line != nil {
		s.Choices = choicesIn(r, pos)
	}
	s.mark(game, pos, view)
	s.Clocks = clocksOf(game, r)
	s.Threats = s.Threats.In(r.Language())
	s.Note.Speak(r.Language())
	s.Note.Zoned(r.Zone())
	s.Note.SetLook(b.Pictures, r.Me.Settings.Look, r.Server.Settings.Look)
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
func (b *Bot) scored(game *match.GameView) (all []Scored, err error) {
	score, err := b.Games.Score(&game.Game)
	if err != nil {
		return nil, err
	}
	number, turn := 1, rules.White
	if game.Start != nil {
		number, turn = game.Start.FullMove(), game.Start.Turn()
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
func (s *BoardView) mark(game *match.GameView, pos *rules.Position, view View) {
	d := *s.Note.Board
	zones := pos.Influences()
	s.Zones = len(zones) > 0
	if view.Threats && !d.Over && pos.Status() == rules.Ongoing {
		found := analysis.Find(pos)
		d = d.ShowThreats(found)
		s.Threats, s.Note.Legend = words.Threats(game, found), nil
	}
	if view.Zones && s.Zones {
		d = d.ShowZones(zones)
		s.Note.Legend = append(s.Note.Legend, words.ZoneLegend(d)...)
	}
	if view.Flip {
		d.Bottom = d.Bottom.Other()
	}
	s.Note.Board = &d
}

// clocksOf are how much time both have.
func clocksOf(game *match.GameView, r Request) []Clock {
	g := &game.Game
	if g.Over() || g.Pace.Move == 0 {
		return nil
	}
	all := make([]Clock, len(g.Players))
	for side := range all {
		left := g.Pace.Move + g.Clock.Bank[side]
		if side == g.Turn {
			all[side].Due, left = game.Due, game.Left
		}
		all[side].Name, all[side].Left = game.Names[side], words.Length(left).Text(r.Language())
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
	game, err := b.Games.LoadFor(ctx, r.By(), id, match.Latest)
	if err != nil {
		return told
	}
	sq := game.Variant.Shape.Parse(strings.ToLower(piece))
	if sq == rules.NoSquare || game.Now.Position.Board()[sq] == (rules.Piece{}) {
		return told
	}
	on := game.Now.Position.Board()[sq]
	if on.White == rules.NoRole {
		on = rules.PieceOf(rules.White, on.Black) // cards are of White's
	}
	power, err := analysis.Of(game.Variant, on)
	if err != nil {
		return told
	}
	said := &told[0]
	card := diagram.Card(game.Variant, power)
	card.Legend = words.Card(game.Variant, on, power).In(said.Language)
	said.Board, said.Players = &card, nil
	said.SetLook(b.Pictures, r.Me.Settings.Look, r.Server.Settings.Look)
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
		return g.Revision, event.Shown(r, asker.By(), &g)
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
