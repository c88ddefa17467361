package bot

import (
	"context"

	"chimera/bot/announce"
	"chimera/bot/ask"
	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/storage"
)

// Seat is a game as somebody sees it who can touch its board.
type Seat struct {
	Note     Note // what chats show: words, the board, buttons
	Plan     render.Plan
	Title    string // the kind of game and its number
	Mover    PersonID
	Players  [2]PersonID
	Plays    bool // whoever sees it
	Over     bool
	Ply      int // that is seen
	Last     int // of the game
	Revision uint64
	Choices  []Choice // what whoever sees it can play now
	Score    []Scored // the moves of the game
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

// Seat shows a game at a ply, or [Latest], to whoever a message is from. What is refused is
// told by the notes; a game that a [Stranger] may not see as if there were none.
func (b *Bot) Seat(ctx context.Context, m Message, id GameID, ply int) (*Seat, []Note, error) {
	r, _ := b.Asker(ctx, m) // to whom nobody has spoken yet is a stranger
	sight, err := b.Games.See(ctx, r.By(), id, ply)
	if err != nil {
		notes, err := b.finish(ctx, r, true, nil, err)
		return nil, notes, err
	}
	s := &Seat{
		Note: announce.Board(sight, announce.Viewer{Alone: r.Me.ID}), Title: words.GameName(sight),
		Mover: match.ToMove(&sight.Game), Players: sight.Game.Players, Over: sight.Game.Over(),
		Ply: sight.Ply, Last: len(sight.Game.Moves), Revision: sight.Game.Revision,
	}
	_, s.Plays = sight.Game.SideOf(r.Me.ID)
	if r.Me.ID == 0 {
		s.Note.Buttons = nil // they are for people who are known
	}
	s.Note.Speak(r.Language())
	s.Note.Zoned(r.Zone())
	s.Note.SetLook(b.Studio, r.Me.Settings.Look, r.Server.Settings.Look)
	s.Plan = render.PlanOf(*s.Note.Board)
	score, err := b.Games.Score(&sight.Game)
	if err != nil {
		return nil, nil, err
	}
	number, turn := 1, rules.White
	if sight.Start != nil {
		number, turn = sight.Start.FullMove(), sight.Start.Turn()
	}
	for i, text := range score {
		s.Score = append(s.Score, Scored{number, turn == rules.Black, text, i + 1})
		if turn == rules.Black {
			number++
		}
		turn = turn.Other()
	}
	if !s.Over && s.Ply == s.Last && s.Mover == r.Me.ID {
		s.Choices = choicesIn(r, sight.Now.Position)
	}
	return s, nil, nil
}

// Revision counts how often a game was stored.
func (b *Bot) Revision(ctx context.Context, id GameID) (uint64, error) {
	g, err := storage.Read(ctx, b.Store, func(r storage.Reader) (storage.Game, error) { return r.Game(id) })
	return g.Revision, err
}

// choicesIn are the legal moves of a position.
func choicesIn(r ask.Request, pos *rules.Position) []Choice {
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
				if kind := marked[mark.Kind]; kind != "" {
					kinds[[2]rules.Square{m.From, mark.To}] = kind
				}
			}
		}
		all[i] = Choice{
			v.Shape.Name(m.From), v.Shape.Name(m.To), kinds[[2]rules.Square{m.From, m.To}],
			v.Coordinate(m), texts[i], v.Tell(pos.Effects(m)).Text(r.Language()),
		}
	}
	return all
}
