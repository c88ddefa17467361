package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"chimera/bot/event"
	"chimera/bot/rating"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Games shows games without changing them. It is safe for concurrent use.
type Games struct {
	store    *storage.Store
	ratings  *rating.Service
	variants []*rules.Variant
	now      func() time.Time

	// positions are the latest that were read or reached, by kind of game and FEN: one move needs each
	// several times.
	positions *lru.Cache[[2]string, *rules.Position]

	// scores are the latest that were asked for: everybody who looks at a game needs its score, and a move
	// only adds to it.
	scores *lru.Cache[storage.GameID, score]
}

// GameView is a game as it is seen at one ply.
type GameView struct {
	Game    storage.Game
	Variant *rules.Variant
	Names   [2]string         // of White and Black
	People  [2]storage.Person // the same; only the name if the person is gone
	Ratings [2]rating.Figure  // likewise, in this kind of game; after the game if it has ended
	Start   *rules.Position   // nil if it cannot be read
	Ply     int               // how many moves had been played
	Now     rules.Game
	Last    string          // chat text of the move that led here, "" at the start
	Effects []rules.Effect  // of the last move
	Before  *rules.Position // where the last move was played, nil at the start
	New     []rules.Piece   // made by the last move, of kinds that were never on the board before
	Taken   []rules.Piece   // captured so far, where pieces grow by it and the board does not tell; else nil
	Due     time.Time       // when the player to move runs out of time, on the wall clock; zero if their clock is stopped
	Left    time.Duration   // until Due
	Away    time.Time       // until when the player to move is on vacation; zero if they are not
}

// Latest stands for the last ply in Load.
const Latest = -1

// ErrNoPly means that the game has not reached a ply.
var ErrNoPly = errors.New("match: the game has no such ply")

// Load reads a game at a ply, counted from 0 for the start, or Latest. It refuses NoSuchGame,
// NoSuchVariant, Damaged and Aborted; for a ply that was not reached it returns ErrNoPly.
func (s *Games) Load(ctx context.Context, id storage.GameID, ply int) (*GameView, error) {
	return s.LoadBy(ctx, ply, func(r storage.Reader) (storage.Game, error) { return event.Named(r, id) })
}

// LoadFor is Load for the asker, where they are. Players, and people who are told of the game in
// private, may see it anywhere; others see it where it is played or followed, and in the servers of
// the places where it is played. Imported games are played nowhere, and everybody may see them.
// LoadFor refuses NotShown.
func (s *Games) LoadFor(ctx context.Context, by event.By, id storage.GameID, ply int) (*GameView, error) {
	return s.LoadBy(ctx, ply, func(r storage.Reader) (storage.Game, error) { return ShownTo(r, by, id) })
}

// ShownTo is the game that LoadFor loads.
func ShownTo(r storage.Reader, by event.By, id storage.GameID) (storage.Game, error) {
	g, err := event.Named(r, id)
	return g, cmp.Or(err, event.Shown(r, by, &g))
}

// LoadBy loads the game that read returns; read may also read more in the same transaction.
func (s *Games) LoadBy(ctx context.Context, ply int, read func(storage.Reader) (storage.Game, error)) (*GameView, error) {
	view := &GameView{}
	err := s.store.View(ctx, func(r storage.Reader) (err error) {
		if view.Game, err = read(r); err == nil {
			err = view.readPlayers(r, s.now())
		}
		if err == nil {
			view.Ratings, err = s.ratings.Figures(r, &view.Game)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	g := &view.Game
	switch view.Variant = s.Variant(g.Variant); {
	case view.Variant == nil:
		return nil, event.Refuse(event.NoSuchVariant, g.ID)
	case ply > len(g.Moves):
		return nil, ErrNoPly
	case ply == Latest:
		ply = len(g.Moves)
	}
	view.Start, _ = s.position(g, g.Start)
	if err := s.goTo(view, ply); err != nil {
		return nil, err
	}
	s.findNew(view)
	view.Taken = s.Taken(g, ply)
	return view, nil
}

// readPlayers fills in the players' names and the clock of the player to move.
func (v *GameView) readPlayers(r storage.Reader, now time.Time) error {
	g := &v.Game
	for side, id := range g.Players {
		p, err := r.People().Get(id)
		lost := storage.Missing(err)
		if lost {
			p.Name, err = storage.Nobody, nil
		}
		p.Name = g.NameOf(side, p.Name)
		v.Names[side], v.People[side] = p.Name, p
		if err != nil {
			return err
		}
		if g.Over() || g.Pace.Unlimited() || side != g.Turn {
			continue
		}
		clocks, err := r.Running()
		if err != nil {
			return err
		}
		m := Moment{Now: now.Add(-clocks.Lag), lag: clocks.Lag}
		if !lost {
			adjust(g, &p, m)
		}
		if !g.Clock.Stopped.IsZero() {
			v.Away = m.wall(p.Vacation.Until)
			continue
		}
		v.Due = m.wall(g.Due())
		v.Left = max(v.Due.Sub(now), 0)
	}
	return nil
}

// goTo shows the position after some moves. The last one needs no replay.
func (s *Games) goTo(view *GameView, ply int) (err error) {
	g := &view.Game
	var move rules.Move
	if ply < len(g.Moves) {
		line, err := s.Replay(g)
		if err != nil {
			return err
		}
		if view.Now = line.Games[ply]; ply > 0 {
			view.Before, move = line.Games[ply-1].Position, line.Moves[ply-1]
		}
	} else if view.Now, err = s.Current(g); err == nil && ply > 0 {
		view.Before, move, err = s.LastMove(g)
	}
	if view.Ply = ply; err == nil && ply > 0 {
		view.Last, view.Effects = view.Before.Chat(move), view.Before.Effects(move)
	}
	return err
}

// LastMove is the last move of a game that has any, and the position before it. It refuses
// NoSuchVariant and Damaged.
func (s *Games) LastMove(g *storage.Game) (before *rules.Position, m rules.Move, err error) {
	if before, err = s.position(g, g.Before); err != nil {
		return nil, m, err
	}
	if m, err = before.ParseCoordinate(g.Moves[len(g.Moves)-1]); err != nil {
		err = event.Unreadable(g.ID, fmt.Errorf("last move: %w", err))
	}
	return before, m, err
}

// Replayed is a game replayed from its moves.
type Replayed struct {
	Games []rules.Game // at the start, and after each move
	Moves []rules.Move
}

// End is the game after its last move.
func (l *Replayed) End() rules.Game { return l.Games[len(l.Games)-1] }

// Replay plays a game's moves from its start. It refuses NoSuchVariant and Damaged.
func (s *Games) Replay(g *storage.Game) (*Replayed, error) {
	start, err := s.position(g, g.Start)
	if err != nil {
		return nil, err
	}
	line := &Replayed{Games: []rules.Game{rules.NewGame(start)}}
	keys := make([]uint64, 0, len(g.Moves)) // each game's Past is a slice of them
	for i, text := range g.Moves {
		m, now, err := step(g.ID, line.End(), i+1, text)
		if err != nil {
			return nil, err
		}
		if n := len(now.Past); n > 0 {
			keys = append(keys, now.Past[n-1])
			now.Past = keys[len(keys)-n : len(keys) : len(keys)]
		}
		line.Games, line.Moves = append(line.Games, now), append(line.Moves, m)
	}
	return line, nil
}

// Keys are the keys of earlier positions that a game's record should hold, if its variant is one of
// these. It refuses what Replay does.
func Keys(variants []*rules.Variant, g *storage.Game) ([]uint64, error) {
	line, err := New(nil, nil, nil, variants, nil, nil).Replay(g)
	if err != nil {
		return nil, err
	}
	return line.End().Past, nil
}

// step plays the stored move that leads to a ply.
func step(id storage.GameID, now rules.Game, ply int, text string) (m rules.Move, next rules.Game, err error) {
	if m, err = now.Position.ParseCoordinate(text); err == nil {
		next, err = now.Play(m)
	}
	if err != nil {
		err = event.Unreadable(id, fmt.Errorf("ply %d: stored move %q: %w", ply, text, err))
	}
	return m, next, err
}

// Playing are a person's games in progress, in order of number.
func (s *Games) Playing(ctx context.Context, p storage.PersonID) ([]storage.Game, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) ([]storage.Game, error) { return r.Games().All(r.Playing(p)) })
}

// Endings of games, besides those by the rules.
const (
	Unfinished = "unfinished"  // it was imported before its end
	SeasonOver = "season over" // lost by the side to move if they were reminded, else drawn
)

// ToMove is the person to move in a game, 0 if it has ended.
func ToMove(g *storage.Game) storage.PersonID {
	if g.Over() {
		return 0
	}
	return g.Players[g.Turn]
}

// Variants are the games that can be played, in the order in which people see
// them. They must not be changed.
func (s *Games) Variants() []*rules.Variant { return s.variants }

// Variant is the variant with a key, or nil.
func (s *Games) Variant(key string) *rules.Variant { return rules.Find(s.variants, key) }

// Current is a stored game in the form that the rules use.
func (s *Games) Current(g *storage.Game) (rules.Game, error) {
	pos, err := s.position(g, g.FEN)
	switch {
	case err != nil:
		return rules.Game{}, err
	case SideToMove(pos) != g.Turn:
		return rules.Game{}, event.Unreadable(g.ID, errors.New("it is the other's turn"))
	}
	return rules.Game{Position: pos, Past: g.Past}, nil
}

// SideToMove is the side to move: games may begin with Black.
func SideToMove(pos *rules.Position) storage.Side { return storage.Side(pos.Turn()) }

// stored reads a game. It refuses NoSuchGame, Damaged and Aborted.
func (s *Games) stored(ctx context.Context, id storage.GameID) (storage.Game, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (storage.Game, error) { return event.Named(r, id) })
}

// keptPositions is how many positions are kept: those before and after the last moves of the games
// being played. keptScores is how many scores are kept.
const keptPositions, keptScores = 512, 128

// position is the position of a game that a FEN describes; its start for "". It refuses NoSuchVariant
// and Damaged.
func (s *Games) position(g *storage.Game, fen string) (*rules.Position, error) {
	if pos, kept := s.positions.Get([2]string{g.Variant, fen}); kept {
		return pos, nil
	}
	v := s.Variant(g.Variant)
	if v == nil {
		return nil, event.Refuse(event.NoSuchVariant, g.ID)
	}
	pos, err := v.Position(fen)
	if err != nil {
		return nil, event.Unreadable(g.ID, err)
	}
	s.positions.Add([2]string{g.Variant, fen}, pos)
	return pos, nil
}

// score is the score of a game, with what it was made from.
type score struct {
	start [2]string // the kind of game, and where it began
	moves []string  // as they are stored
	texts []string
	taken [][]rules.Piece
	end   rules.Game
}

// Score is the chat text of each move of a game. It refuses what Replay does.
func (s *Games) Score(g *storage.Game) ([]string, error) {
	sc, err := s.scored(g)
	return sc.texts, err
}

// Taken are the pieces that were captured in the first plies of a game whose pieces grow by capturing:
// nil for other games, and for games that cannot be read.
func (s *Games) Taken(g *storage.Game, plies int) []rules.Piece {
	if v := s.Variant(g.Variant); v == nil || !v.Table.Grows() {
		return nil
	}
	sc, err := s.scored(g)
	if err != nil {
		return nil
	}
	return slices.Concat(sc.taken[:plies]...)
}

// scored is the score of a game. Only moves that are new since the last call are played.
func (s *Games) scored(g *storage.Game) (score, error) {
	pos, err := s.position(g, g.Start)
	if err != nil {
		return score{}, err
	}
	start := [2]string{g.Variant, g.Start}
	sc, _ := s.scores.Get(g.ID)
	n := len(sc.moves)
	if n == 0 || n > len(g.Moves) || sc.start != start || !slices.Equal(sc.moves, g.Moves[:n]) {
		sc, n = score{end: rules.NewGame(pos)}, 0
	}
	texts, taken := slices.Clip(sc.texts), slices.Clip(sc.taken)
	for i, text := range g.Moves[n:] {
		m, next, err := step(g.ID, sc.end, n+i+1, text)
		if err != nil {
			return score{}, err
		}
		pos := sc.end.Position
		texts, taken, sc.end = append(texts, pos.Chat(m)), append(taken, rules.Taken(pos.Effects(m))), next
	}
	sc = score{start, slices.Clone(g.Moves), texts, taken, sc.end}
	s.scores.Add(g.ID, sc)
	return sc, nil
}

// alike reports whether two pieces are of a kind, whoever owns them; for pieces of both sides, whoever
// owns which half.
func alike(p, q rules.Piece) bool { return p == q || p == rules.Piece{White: q.Black, Black: q.White} }

// stands reports whether a piece of a kind stands on a board.
func stands(p rules.Piece, pos *rules.Position) bool {
	board := pos.Board()
	return slices.ContainsFunc(board[:], func(q rules.Piece) bool { return alike(p, q) })
}

// findNew finds the kinds of pieces that the last move has made and that were never on the board
// before. It mostly does not need the game's past. If that cannot be read, nothing counts as new: the
// game may still be played.
func (s *Games) findNew(sight *GameView) {
	if sight.Start == nil {
		return
	}
	var made []rules.Piece
	board := sight.Now.Position.Board()
	for _, e := range sight.Effects {
		p := board[e.To]
		known := func(q rules.Piece) bool { return alike(p, q) }
		if e.Into == p && p != (rules.Piece{}) && !stands(p, sight.Start) && !slices.ContainsFunc(made, known) {
			made = append(made, p)
		}
	}
	now := sight.Start
	for _, text := range sight.Game.Moves[:max(sight.Ply-1, 0)] {
		if len(made) == 0 {
			return
		}
		m, err := now.ParseCoordinate(text)
		if err == nil {
			now, err = now.Play(m)
		}
		if err != nil {
			return
		}
		made = slices.DeleteFunc(made, func(p rules.Piece) bool { return stands(p, now) })
	}
	sight.New = made
}

// Item is a game on somebody's agenda.
type Item struct {
	Game     storage.Game
	Variant  phrase.Phrase // its name
	Opponent string
	Mine     bool          // it is their turn
	Due      time.Time     // as in GameView
	Left     time.Duration // until Due
	Away     time.Time     // as in GameView
}

// Agenda are a person's games in progress that the asker may see where they are, most urgent first:
// those in which it is the person's turn before others, and less time before more. It returns at most
// most of those that are wanted (nil for all); all counts the others too.
func (s *Games) Agenda(ctx context.Context, by event.By, p storage.PersonID, most int, wanted func(*Item) bool) (items []Item, all int, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		items, all = nil, 0
		allowed, err := event.NewPermissions(r, by)
		games, err2 := r.Games().All(r.Playing(p))
		if err := cmp.Or(err, err2); err != nil {
			return err
		}
		slices.SortFunc(games, func(a, b storage.Game) int {
			return cmp.Or(First(ToMove(&a) == p, ToMove(&b) == p), First(a.Runs(), b.Runs()), when(&a, &b), cmp.Compare(a.ID, b.ID))
		})
		for i := range games {
			g := &games[i]
			side, plays := g.SideOf(p)
			switch sees, err := allowed.Sees(g); {
			case err != nil:
				return err
			case !plays || !sees:
				continue
			}
			if all++; len(items) == most {
				continue
			}
			view := GameView{Game: *g}
			if err := view.readPlayers(r, s.now()); err != nil {
				return err
			}
			it := Item{*g, s.ratings.Called(g.Variant), view.Names[1-side], ToMove(g) == p, view.Due, view.Left, view.Away}
			if wanted == nil || wanted(&it) {
				items = append(items, it)
			}
		}
		return nil
	})
	return items, all, err
}

// First compares by a condition: if only one meets it, that one comes first.
func First(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// when orders games by when time runs out, if a clock runs, else the last changed first.
func when(a, b *storage.Game) int {
	if a.Runs() {
		return a.Due().Compare(b.Due())
	}
	return b.Changed.Compare(a.Changed)
}
