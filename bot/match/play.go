// Package match is the life of a match: challenge, moves, offers, and the end. It alone
// plays moves in games that are stored.
//
// # Design
//
// Each request becomes one transaction. The rules are tried before it, on what
// was read; inside it only the game's revision is compared, and the request is
// tried again if somebody else was faster. The transaction writes the game with
// its indexes, an outbox entry for each thing that must be said, and the answer
// that the message was given, so that a message that comes again changes nothing
// and gets the same answer.
//
// An entry holds facts (who, which game, which ply), no words.
package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/metrics"
	"chimera/bot/rating"
	"chimera/rules"
	"chimera/storage"
)

// Service carries out what people ask for in their games. It is safe for concurrent use.
type Service struct {
	*Games
	events   *event.Log
	coin     func() bool  // tossed for colors
	furthest atomic.Int64 // the latest moment of the running clock that was used, in Unix seconds

	Metrics *metrics.Metrics // is told of moves; set before anything is played, or nil

	// Contest is called at the end of each game that counts in a contest, in its transaction; MayClimb
	// refuses challenges that a ladder does not allow. Both are set before any such game is played.
	Contest  func(storage.Writer, *storage.Game) error
	MayClimb func(storage.Reader, *storage.Challenge) error
}

// New makes a Service over a store for the given games, whose results go to the ratings. now is the
// wall clock; coin is tossed for colours.
func New(store *storage.Store, in *event.Log, l *rating.Service, variants []*rules.Variant, now func() time.Time, coin func() bool) *Service {
	positions, _ := lru.New[[2]string, *rules.Position](keptPositions) // no size is below one
	scores, _ := lru.New[storage.GameID, score](keptScores)
	return &Service{Games: &Games{store, l, variants, now, positions, scores}, events: in, coin: coin}
}

// maxTries bounds how often a request is tried again after somebody else changed
// the game first.
const maxTries = 8

var errOvertaken = errors.New("match: the game has changed meanwhile")

// change is a game with the changes of a request made to it, before it is stored.
type change struct {
	storage.Game
	by   event.By      // who asked for the change
	side storage.Side  // the asker's
	done event.Kind    // what they are answered
	said []event.Event // what everyone is told
}

// tell answers the asker with an event, which everyone is told.
func (c *change) tell(what event.Kind, payload any) error {
	c.done = what
	c.said = append(c.said, event.Event{Kind: what, Ply: len(c.Moves), By: c.by.Person, Payload: payload})
	return nil
}

// end ends the game without a move.
func (c *change) end(o rules.Outcome, payload any) error {
	Conclude(&c.Game, o)
	return c.tell(event.Ended, payload)
}

func (c *change) refuse(why event.Why) error { return event.Refuse(why, c.ID) }

// update carries a request out on a game in progress, in three steps: it loads the game, unless it was
// just seen, applies plan to it, and commits the result. It refuses NoSuchGame, Damaged, Aborted,
// NotPlaying and Over, as every change of a game in progress does.
func (s *Service) update(ctx context.Context, by event.By, id storage.GameID, seen *storage.Game, plan func(*change) error) (event.Done, error) {
	if seen != nil && seen.ID == id {
		if done, err := s.try(ctx, by, *seen, plan); err == nil || errors.Is(err, storage.ErrNotSaved) {
			return done, err
		}
	} // else load the game: the refusal may be due to an outdated reading
	for range maxTries {
		var again *event.Done
		game, err := storage.Read(ctx, s.store, func(r storage.Reader) (g storage.Game, err error) {
			if again, err = event.Before(r, by.Message); again != nil || err != nil {
				return g, err
			}
			return event.Named(r, id)
		})
		switch {
		case err != nil:
			return event.Done{}, err
		case again != nil:
			return *again, nil
		}
		if done, err := s.try(ctx, by, game, plan); !errors.Is(err, errOvertaken) {
			return done, err
		}
	}
	return event.Done{}, fmt.Errorf("match: game %d changes too fast: %w", id, errOvertaken)
}

// try carries a request out on a game as it was read, or returns errOvertaken if it has changed since.
func (s *Service) try(ctx context.Context, by event.By, was storage.Game, plan func(*change) error) (event.Done, error) {
	c := &change{Game: was, by: by}
	var plays bool
	switch c.side, plays = was.SideOf(by.Person); {
	case !plays:
		return event.Done{}, c.refuse(event.NotPlaying)
	case was.Over():
		return event.Done{}, c.refuse(event.Over)
	}
	if err := plan(c); err != nil {
		return event.Done{}, err
	}
	c.Changed = s.now()
	if len(c.Moves) != len(was.Moves) {
		c.Turned = c.Changed
	}
	done := event.Done{Kind: c.done, Game: was.ID}
	err := s.store.Update(ctx, func(w storage.Writer) error {
		switch now, err := w.Revision(was.ID); {
		case err != nil:
			return err
		case now != was.Revision:
			return errOvertaken
		}
		g := c.Game
		if err := s.write(w, by, &was, &g, c.said...); err != nil {
			return err
		}
		return s.events.Remember(w, by.Message, done)
	})
	if err != nil {
		return done, err
	}
	mover := was.Turn
	computer, level := was.Computer()
	for range len(c.Moves) - len(was.Moves) {
		s.Metrics.Move(was.Variant, level > 0 && mover == computer)
		mover = 1 - mover
	}
	return done, nil
}

// write stores a changed game: its places, its clock, the ratings after its end, and the events to
// tell.
func (s *Service) write(w storage.Writer, by event.By, was, g *storage.Game, told ...event.Event) (err error) {
	if g.Over() && g.Merged != len(g.Moves) && s.Variant(g.Variant) != nil { // others were counted move by move
		line, err := s.Replay(g)
		if err != nil {
			return err
		}
		line.countMerges(g)
	}
	var mover storage.Person // the player who has moved, if anybody has
	if len(g.Moves) > len(was.Moves) {
		if mover, err = w.People().Get(by.Person); err == nil {
			err = playHere(w.Reader, g, by, &mover)
		}
		if err != nil {
			return err
		}
	}
	if !was.Over() {
		g.Listed = g.Over() && g.Gathers()
	}
	err = errors.Join(s.keepTime(w.Reader, was, g, &mover), s.ratings.Finish(w, was, g), noteBeaten(w, was, g), w.Games().Replace(was, g))
	for _, said := range told {
		err = errors.Join(err, s.events.Post(w, g, said))
	}
	if s.Contest != nil && g.Contested() && !was.Over() && g.Over() && err == nil {
		err = s.Contest(w, g)
	}
	return errors.Join(err, s.backWithAMove(w, mover))
}

// playHere moves a player's seat in a game to where they are, if they played it on another platform,
// and the place belongs to the game or is their private chat. A move on a page moves no seat.
func playHere(r storage.Reader, g *storage.Game, by event.By, me *storage.Person) error {
	side, ok := g.SideOf(by.Person)
	if !ok || by.Outside || by.Place == g.Seat(side) || me.Home != by.Place && !slices.Contains(g.Places(), by.Place) {
		return nil
	}
	here, err := r.Places().Get(by.Place)
	if errors.Is(err, storage.ErrNotFound) {
		return nil
	}
	before, err2 := r.Places().Get(g.Seat(side))
	if err = cmp.Or(err, err2); err != nil || here.Address.Platform == before.Address.Platform {
		return err
	}
	if g.Seats[side] = here.ID; here.ID == g.Place {
		g.Seats[side] = 0
	}
	return nil
}

// Forfeit ends a game in progress because a player leaves for good.
func (s *Service) Forfeit(w storage.Writer, g storage.Game, p storage.PersonID) error {
	o := aborted()
	if side, ok := g.SideOf(p); ok && !CanAbort(&g) {
		o = lost(side)
	}
	return s.endNow(w, g, o, p)
}

// CutOff ends a game in progress because its season is over: as if the time of the side to move were up
// if they were reminded of their turn, else drawn and unrated.
func (s *Service) CutOff(w storage.Writer, g storage.Game) error {
	o := rules.Outcome{Result: rules.Drawn, Ending: SeasonOver}
	if g.Clock.Reminded.IsZero() {
		g.Rated = false
	} else {
		now, err := s.Current(&g)
		if err != nil {
			return err
		}
		if o = onTime(&g, now.Position); o.Result != rules.Drawn {
			o.Ending = SeasonOver
		}
	}
	return s.endNow(w, g, o, g.Players[1-g.Turn])
}

// endNow ends a game within a transaction.
func (s *Service) endNow(w storage.Writer, g storage.Game, o rules.Outcome, by storage.PersonID) error {
	was := g
	Conclude(&g, o)
	g.Changed = s.now()
	return s.write(w, event.By{}, &was, &g, event.Event{Kind: event.Ended, Ply: len(g.Moves), By: by})
}

// onTime is how a game ends when the time of the player to move is up: lost, but drawn against a bare
// king, and aborted if CanAbort allows it.
func onTime(g *storage.Game, pos *rules.Position) rules.Outcome {
	winner := pos.Turn().Other()
	switch {
	case CanAbort(g):
		return rules.Outcome{Result: rules.Aborted, Ending: rules.ByTime}
	case bare(pos, winner):
		return rules.Outcome{Result: rules.Drawn, Ending: rules.ByTime}
	}
	return rules.Outcome{Result: rules.WinFor(winner), Ending: rules.ByTime}
}

// bare reports whether a side has nothing but its king.
func bare(pos *rules.Position, c rules.Color) bool {
	board, table := pos.Board(), pos.Variant().Table
	return !slices.ContainsFunc(board[:], func(p rules.Piece) bool { return p.Half(c) != rules.NoRole && !table[p.Half(c)].Royal })
}

// Illegal means that a move is against the rules.
type Illegal struct {
	*rules.Illegal
	Ply int // the ply at which it was tried
}

// Unwrap is what the rules say.
func (e *Illegal) Unwrap() error { return e.Illegal }

// Move plays the move that a text means, and then any conditional moves that follow; seen is the game
// as it was just read for the asker, or nil. It refuses what every change of a game in progress is
// refused for, and NotYourTurn; a move against the rules is an [*Illegal].
func (s *Service) Move(ctx context.Context, by event.By, id storage.GameID, text string, seen *storage.Game) (event.Done, error) {
	return s.update(ctx, by, id, seen, func(c *change) error { return s.move(c, text) })
}

func (s *Service) move(c *change, text string) error {
	now, err := s.Current(&c.Game)
	if err != nil {
		return err
	}
	if c.side != c.Turn {
		return c.refuse(event.NotYourTurn)
	}
	m, err := now.Position.Parse(text)
	if no := (*rules.Illegal)(nil); errors.As(err, &no) {
		return &Illegal{no, len(c.Moves)}
	}
	c.Moves, c.Plans[c.side] = slices.Clone(c.Moves), nil
	for planned := event.Flag(false); err == nil; planned = true {
		if now, err = s.play(c, now, m, planned); err != nil || c.Over() {
			break
		}
		answer := c.foreseen()
		if answer == "" {
			break
		}
		m, err = now.Position.ParseCoordinate(answer)
	}
	c.done = event.Moved
	return err
}

// play adds a legal move to a change.
func (s *Service) play(c *change, now rules.Game, m rules.Move, planned event.Flag) (rules.Game, error) {
	next, err := now.Play(m)
	if err != nil {
		return now, err
	}
	happened := event.Event{Kind: event.Moved, Ply: len(c.Moves) + 1, By: c.Players[c.Turn]}
	position, offer := event.Position{Move: now.Position.Chat(m), Planned: planned}, c.Draw
	if c.Merged == len(c.Moves) {
		countMerge(&c.Game, now.Position, m)
	}
	c.Moves = append(c.Moves, now.Position.Variant().Coordinate(m))
	c.Before = c.FEN
	stand(&c.Game, next)
	s.positions.Add([2]string{c.Variant, c.FEN}, next.Position)
	if o := next.Outcome(); o.Over() {
		Conclude(&c.Game, o)
		happened.Kind = event.Ended
	} else if offer != nil && (offer.By == happened.By || bool(planned)) { // it stays open: a planned move does not answer it
		c.Draw, position.Draw = offer, true
	}
	happened.Payload = position
	c.said = append(c.said, happened)
	return next, nil
}

// countMerges counts the pieces that each side of a game has made by merging.
func (l *Replayed) countMerges(g *storage.Game) {
	g.Merges, g.Made, g.Merged = [2]int{}, [2]map[string]int{}, 0
	for i, m := range l.Moves {
		countMerge(g, l.Games[i].Position, m)
	}
}

// countMerge adds the merge of one move to a game's counts, if it is one.
func countMerge(g *storage.Game, pos *rules.Position, m rules.Move) {
	side := SideToMove(pos)
	for _, e := range rules.Made(m, pos.Effects(m)) {
		g.Merges[side]++
		if g.Made[side] = maps.Clone(g.Made[side]); g.Made[side] == nil {
			g.Made[side] = map[string]int{}
		}
		g.Made[side][rating.SignOf(pos.Variant().Table, e.Into)]++
	}
	g.Merged++
}

// Restore rebuilds what a game stores for speed from its moves; no offer is open then.
func (l *Replayed) Restore(g *storage.Game) {
	g.Before = ""
	if last := len(l.Moves) - 1; last >= 0 {
		g.Before = l.Games[last].Position.FEN()
	}
	stand(g, l.End())
	l.countMerges(g)
}

// stand sets a stored game to a position, in which no offer is open.
func stand(g *storage.Game, now rules.Game) {
	g.Hinted = 0
	g.FEN, g.Past, g.Turn = now.Position.FEN(), now.Past, SideToMove(now.Position)
	closeOffers(g)
}

// closeOffers ends the offers of the players, and their unconfirmed first words.
func closeOffers(g *storage.Game) {
	g.Draw, g.Takeback, g.Resign, g.Abort, g.DrawAsk = nil, nil, nil, nil, nil
}

// Conclude ends a game.
func Conclude(g *storage.Game, o rules.Outcome) {
	g.Result, g.Ending = o.Result.String(), string(o.Ending)
	closeOffers(g)
	g.Plans = [2][]storage.Line{}
}

// Resign gives up a game at the second word; a first word is kept, or refused if sure. It refuses what
// every change of a game in progress is refused for, and NotAsked.
func (s *Service) Resign(ctx context.Context, by event.By, id storage.GameID, sure bool) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error {
		if s.events.Second(c.Resign, by) {
			return c.end(lost(c.side), nil)
		}
		return s.firstWord(c, &c.Resign, event.ResignAsked, sure)
	})
}

// AskResign is only ever the first word to resign, however often it is said. It refuses what every
// change of a game in progress is refused for.
func (s *Service) AskResign(ctx context.Context, by event.By, id storage.GameID) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error { return s.firstWord(c, &c.Resign, event.ResignAsked, false) })
}

// lost is the outcome of a game that a side gives up.
func lost(side storage.Side) rules.Outcome {
	return rules.Outcome{Result: rules.WinFor(rules.Color(1 - side)), Ending: rules.ByResignation}
}

// aborted is the outcome of a game that counts for nothing.
func aborted() rules.Outcome { return rules.Outcome{Result: rules.Aborted, Ending: rules.ByAbort} }

// firstWord notes in first that something that ends a game was asked for; if sure, the request was
// meant as a second word, and is refused.
func (s *Service) firstWord(c *change, first **storage.Offer, asked event.Kind, sure bool) error {
	if sure {
		return c.refuse(event.NotAsked)
	}
	c.playOn()
	*first, c.done = s.events.Offer(c.by), asked
	return nil
}

// Abort ends a game in which not both have moved, at the second word; a first word is kept, or refused
// if sure. It refuses what every change of a game in progress is refused for, and InSeason,
// TooLateToAbort, NotAsked.
func (s *Service) Abort(ctx context.Context, by event.By, id storage.GameID, sure bool) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error {
		switch {
		case c.Contested():
			return c.refuse(event.InSeason)
		case !CanAbort(&c.Game):
			return c.refuse(event.TooLateToAbort)
		case s.events.Second(c.Abort, by):
			return c.end(aborted(), nil)
		}
		return s.firstWord(c, &c.Abort, event.AbortAsked, sure)
	})
}

// CanAbort reports whether a player has not moved yet, in a game of no season or ladder.
func CanAbort(g *storage.Game) bool { return len(g.Moves) < 2 && !g.Contested() }

// PlayOn takes back the asker's first word to resign, to abort or to draw. It refuses what every
// change of a game in progress is refused for, and NotAsked.
func (s *Service) PlayOn(ctx context.Context, by event.By, id storage.GameID) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error {
		if !c.playOn() {
			return c.refuse(event.NotAsked)
		}
		c.done = event.PlaysOn
		return nil
	})
}

// playOn takes back the asker's first words, whatever they do instead, and reports whether there were
// any.
func (c *change) playOn() (had bool) {
	for _, first := range []**storage.Offer{&c.Resign, &c.Abort, &c.DrawAsk} {
		if *first != nil && (*first).By == c.by.Person {
			*first, had = nil, true
		}
	}
	return had
}

// Claim ends a game as won by the asker, where the opponent's time is up, or else as
// the draw that its repetitions or its move count allow. Either player may claim a
// draw. It refuses what every change of a game in progress is refused for, and
// NothingToClaim.
func (s *Service) Claim(ctx context.Context, by event.By, id storage.GameID) (event.Done, error) {
	return s.update(ctx, by, id, nil, s.claim)
}

func (s *Service) claim(c *change) error {
	now, err := s.Current(&c.Game)
	if err != nil {
		return err
	}
	if o, ok := Claimable(&c.Game, now, c.by.Person); ok {
		return c.end(o, nil)
	}
	return c.refuse(event.NothingToClaim)
}

// Claimable is the outcome that a player has the right to claim: won if the opponent's time is up,
// else drawn; false if there is none.
func Claimable(g *storage.Game, now rules.Game, by storage.PersonID) (rules.Outcome, bool) {
	if g.Clock.Up && g.Players[g.Turn] != by {
		return onTime(g, now.Position), true
	}
	return now.Claim()
}

// AddTime gives the opponent some days more: for this move if it is their turn, else for a later one.
// It refuses what every change of a game in progress is refused for, and InSeason, NoLimit, TooLong.
func (s *Service) AddTime(ctx context.Context, by event.By, id storage.GameID, days int) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error {
		bank := &c.Clock.Bank[1-c.side]
		*bank += time.Duration(days) * Day
		switch {
		case c.Contested():
			return c.refuse(event.InSeason)
		case c.Pace.Unlimited():
			return c.refuse(event.NoLimit)
		case *bank > MaxBank:
			return c.refuse(event.TooLong)
		}
		return c.tell(event.TimeAdded, event.Time{Days: days})
	})
}

// PlanFault says what is wrong with conditional moves as somebody wrote them.
type PlanFault struct {
	Text   string // the move or line at fault, "" for all
	Why    error  // an [*rules.Illegal], or one of the errors below
	Theirs bool   // the fault is in a move of the opponent
}

// Error tells operators; people are told in bot/words.
func (f *PlanFault) Error() string {
	return fmt.Sprintf("match: conditional move %q: %v", f.Text, f.Why)
}

// Unwrap is the reason.
func (f *PlanFault) Unwrap() error { return f.Why }

// Reasons to refuse a line, other than the rules.
var (
	ErrPlanForm     = errors.New("not of the form: if move then move")
	ErrPlanLong     = errors.New("too many lines, or a line that is too long")
	ErrPlanConflict = errors.New("two answers to the same moves")
)

var (
	planIf   = regexp.MustCompile(`(?i)^if\s+`)
	planThen = regexp.MustCompile(`(?i)\s+then\s+|\s*(?:→|->)\s*`)
)

// Plan replaces the asker's conditional moves in a game. Lines are separated by semicolons, and
// consist of pairs like "if e5 then Nf3", separated by commas: the opponent's move and the answer to
// it. It refuses what every change of a game in progress is refused for, and YourTurn; what is wrong
// with the lines is a [*PlanFault].
func (s *Service) Plan(ctx context.Context, by event.By, id storage.GameID, text string) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error {
		if c.side == c.Turn {
			return c.refuse(event.YourTurn)
		}
		now, err := s.Current(&c.Game)
		if err != nil {
			return err
		}
		var lines []storage.Line
		answers := map[string]string{}
		for written := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ';' || r == '\n' }) {
			if written = strings.TrimSpace(written); written == "" {
				continue
			}
			line, err := readLine(now.Position, written, answers)
			if err != nil {
				return err
			}
			if lines = append(lines, line); len(lines) > limit.PlanLines {
				return &PlanFault{Why: ErrPlanLong}
			}
		}
		if len(lines) == 0 {
			return &PlanFault{Why: ErrPlanForm}
		}
		c.Plans[c.side], c.done = lines, event.Planned
		return nil
	})
}

// planMoves are the moves of "if e5 then Nf3", "e5 -> Nf3" or "e5 Nf3".
func planMoves(pair string) []string {
	pair = planIf.ReplaceAllString(pair, "")
	if moves := planThen.Split(pair, -1); len(moves) > 1 {
		return moves
	}
	return strings.Fields(pair)
}

// readLine reads one line. answers are those of the lines before, by the moves that lead to them.
func readLine(pos *rules.Position, text string, answers map[string]string) (line storage.Line, _ error) {
	for pair := range strings.SplitSeq(text, ",") {
		pair = strings.TrimSpace(pair)
		moves := planMoves(pair)
		if len(moves) != 2 {
			return nil, &PlanFault{Text: pair, Why: ErrPlanForm}
		}
		for i, move := range moves {
			m, err := pos.Parse(move)
			if err != nil {
				return nil, &PlanFault{Text: move, Why: err, Theirs: i == 0}
			}
			coordinate := pos.Variant().Coordinate(m)
			if len(line)%2 == 1 {
				led := strings.Join(line, " ")
				if other, given := answers[led]; given && other != coordinate {
					return nil, &PlanFault{Text: move, Why: ErrPlanConflict}
				}
				answers[led] = coordinate
			}
			line = append(line, coordinate)
			if pos, err = pos.Play(m); err != nil {
				return nil, &PlanFault{Text: move, Why: err}
			}
		}
		if len(line) > 2*limit.PlanDepth {
			return nil, &PlanFault{Text: text, Why: ErrPlanLong}
		}
	}
	return line, nil
}

// ClearPlan removes the conditional moves that the asker has in a game. It refuses what every
// change of a game in progress is refused for.
func (s *Service) ClearPlan(ctx context.Context, by event.By, id storage.GameID) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error {
		c.Plans[c.side], c.done = nil, event.Unplanned
		return nil
	})
}

// foreseen is the answer that the player to move has planned to the last move, "" for none. A move
// that they did not foresee ends their plan.
func (c *change) foreseen() (answer string) {
	var rest []storage.Line
	for _, line := range c.Plans[c.Turn] {
		if line[0] == c.Moves[len(c.Moves)-1] {
			answer = line[1]
			if len(line) > 2 {
				rest = append(rest, line[2:])
			}
		}
	}
	c.Plans[c.Turn] = rest
	return answer
}

// Follow makes the asker's place hear of each move of a game, or stops that. It refuses NoSuchGame,
// Damaged, Aborted, Over, PlayedHere, TooManyFollow, NotShown and NotFollowed.
func (s *Service) Follow(ctx context.Context, by event.By, id storage.GameID, wanted bool) (event.Done, error) {
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		g, err := event.Named(w.Reader, id)
		if err != nil {
			return event.Done{}, err
		}
		follows := slices.Index(g.Also, by.Place)
		switch told := slices.Contains(g.Places(), by.Place); {
		case g.Over():
			err = event.Refuse(event.Over, id)
		case told && follows < 0:
			err = event.Refuse(event.PlayedHere, id)
		case wanted && len(g.Also) >= limit.Follows:
			err = event.Refuse(event.TooManyFollow, id)
		case wanted && follows < 0:
			err = event.Shown(w.Reader, by, &g)
			g.Also = append(slices.Clone(g.Also), by.Place)
		case !wanted && follows < 0:
			err = event.Refuse(event.NotFollowed, id)
		case !wanted:
			g.Also = slices.Delete(slices.Clone(g.Also), follows, follows+1)
		}
		return event.Done{Kind: event.Chose, Game: id}, errors.Join(err, w.Games().Put(g))
	})
}
