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
	coin     func() bool  // tossed for colours
	furthest atomic.Int64 // the latest moment of the running clock that was used, in Unix seconds

	Metrics *metrics.Metrics // is told of moves; set before anything is played, or nil

	// Contest is told of the end of each game that is played for something, in its transaction, and
	// MayClimb refuses challenges that a ladder does not allow; set before anything is played for something.
	Contest  func(storage.Writer, *storage.Game) error
	MayClimb func(storage.Reader, *storage.Challenge) error
}

// New makes a Service over a store for the given games, whose results go to the ratings. now is
// the wall clock; coin is tossed for colours.
func New(store *storage.Store, in *event.Log, l *rating.Service, variants []*rules.Variant, now func() time.Time, coin func() bool) *Service {
	positions, _ := lru.New[[2]string, *rules.Position](keptPositions) // no size is below one
	scores, _ := lru.New[storage.GameID, score](keptScores)
	return &Service{Games: &Games{store, l, variants, now, positions, scores}, events: in, coin: coin}
}

// maxTries bounds how often a request is tried again after somebody else changed
// the game first.
const maxTries = 8

var errOvertaken = errors.New("match: the game has changed meanwhile")

// change is a game that is being changed, as it shall be.
type change struct {
	storage.Game
	by   event.By      // who asks for it
	side storage.Side  // theirs
	done event.Kind    // what they are answered
	said []event.Event // what everyone is told
}

// tell answers the asker with one thing, which everyone is told.
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

// update carries a request out on a game in progress, in three steps: it loads the game, unless
// that was seen just now, tries what plan does to it, and commits what comes of that. It refuses
// NoSuchGame, Damaged, Aborted, NotPlaying and Over, as every change of a game in progress does.
func (s *Service) update(ctx context.Context, by event.By, id storage.GameID, seen *storage.Game, plan func(*change) error) (event.Done, error) {
	if seen != nil && seen.ID == id {
		if done, err := s.try(ctx, by, *seen, plan); err == nil || errors.Is(err, storage.ErrNotSaved) {
			return done, err
		}
	} // else as it is by now: the refusal may have been due to an old reading
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

// try carries a request out on a game as read, unless it has changed since.
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
		done.After = &g
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

// write stores a game that has changed: with where it is played and its time, with what its end
// makes of ratings, and with what is told of it.
func (s *Service) write(w storage.Writer, by event.By, was, g *storage.Game, told ...event.Event) error {
	if g.Over() && g.Merged != len(g.Moves) && s.Variant(g.Variant) != nil { // not counted with each move
		line, err := s.Replay(g)
		if err != nil {
			return err
		}
		line.countMerges(g)
	}
	var mover storage.Person // who has played a move, if anybody has
	if len(g.Moves) > len(was.Moves) {
		var err error
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
	err := errors.Join(s.keepTime(w.Reader, was, g, &mover), s.ratings.Finish(w, was, g), noteBeaten(w, was, g), w.Games().Replace(was, g))
	for _, said := range told {
		err = errors.Join(err, s.events.Post(w, g, said))
	}
	if s.Contest != nil && g.Contested() && !was.Over() && g.Over() && err == nil {
		err = s.Contest(w, g)
	}
	return errors.Join(err, s.backWithAMove(w, mover))
}

// playHere lets somebody play a game where they are, who has played it on another platform, if
// that is a place of the game or one that they alone see. Who plays on a page is told of the game
// where they were.
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

// Forfeit ends a game in progress because a player leaves it for good.
func (s *Service) Forfeit(w storage.Writer, g storage.Game, p storage.PersonID) error {
	o := aborted()
	if side, ok := g.SideOf(p); ok && !CanAbort(&g) {
		o = lost(side)
	}
	return s.endNow(w, g, o, p)
}

// CutOff ends a game in progress because its season is over: it is lost by the side to move if they
// were reminded of their turn, else drawn and unrated.
func (s *Service) CutOff(w storage.Writer, g storage.Game) error {
	o := rules.Outcome{Result: rules.Drawn, Ending: rules.ByTime}
	if g.Clock.Reminded.IsZero() {
		g.Rated = false
	} else {
		now, err := s.Current(&g)
		if err != nil {
			return err
		}
		o = onTime(&g, now.Position)
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

// onTime is how a game ends in which the time of the player to move is up: lost, but
// drawn against a bare king, and aborted where they have never moved in a game that is played for nothing.
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
	board, v := pos.Board(), pos.Variant()
	for sq := range v.Shape.Squares.Squares() {
		if half := board[sq].Half(c); half != rules.NoRole && !v.Table[half].Royal {
			return false
		}
	}
	return true
}

// Illegal is a move that the rules do not allow.
type Illegal struct {
	*rules.Illegal
	Ply int // at which it was tried
}

// Unwrap is what the rules say.
func (e *Illegal) Unwrap() error { return e.Illegal }

// Move plays the move that a text means, and what conditions then ask for; seen is the game as
// it was read for the asker just now, or nil. It refuses what every change of a game in progress
// is refused for, and NotYourTurn; a move that the rules do not allow is a [*Illegal].
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
	} else if offer != nil && (offer.By == happened.By || bool(planned)) { // it waits for the other's answer or move; who has planned one has not heard of it
		c.Draw, position.Draw = offer, true
	}
	happened.Payload = position
	c.said = append(c.said, happened)
	return next, nil
}

// countMerges counts the pieces that each side of a game has made that are more than
// one was.
func (l *Replayed) countMerges(g *storage.Game) {
	g.Merges, g.Made, g.Merged = [2]int{}, [2]map[string]int{}, 0
	for i, m := range l.Moves {
		countMerge(g, l.Games[i].Position, m)
	}
}

// countMerge counts those of the next move.
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

// Restore brings what is stored of a game for speed to what its moves say; no offer is open
// then.
func (l *Replayed) Restore(g *storage.Game) {
	g.Before = ""
	if last := len(l.Moves) - 1; last >= 0 {
		g.Before = l.Games[last].Position.FEN()
	}
	stand(g, l.End())
	l.countMerges(g)
}

// stand brings a stored game to a position, in which no offer is open.
func stand(g *storage.Game, now rules.Game) {
	g.Hinted = 0
	g.FEN, g.Past, g.Turn = now.Position.FEN(), now.Past, SideToMove(now.Position)
	closeOffers(g)
}

// closeOffers ends what the players have asked of each other, and of themselves.
func closeOffers(g *storage.Game) {
	g.Draw, g.Takeback, g.Resign, g.Abort, g.DrawAsk = nil, nil, nil, nil, nil
}

// Conclude ends a game.
func Conclude(g *storage.Game, o rules.Outcome) {
	g.Result, g.Ending = o.Result.String(), string(o.Ending)
	closeOffers(g)
	g.Plans = [2][]storage.Line{}
}

// Resign gives a game up at the second word; with sure, only then. It refuses what every
// change of a game in progress is refused for, and NotAsked.
func (s *Service) Resign(ctx context.Context, by event.By, id storage.GameID, sure bool) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error {
		if s.events.Second(c.Resign, by) {
			return c.end(lost(c.side), nil)
		}
		return s.firstWord(c, &c.Resign, event.ResignAsked, sure)
	})
}

// AskResign is the first word to give a game up, however often it is said. It refuses what every
// change of a game in progress is refused for.
func (s *Service) AskResign(ctx context.Context, by event.By, id storage.GameID) (event.Done, error) {
	return s.update(ctx, by, id, nil, func(c *change) error { return s.firstWord(c, &c.Resign, event.ResignAsked, false) })
}

// lost is how a game ends that a side gives up.
func lost(side storage.Side) rules.Outcome {
	return rules.Outcome{Result: rules.WinFor(rules.Color(1 - side)), Ending: rules.ByResignation}
}

// aborted is how a game ends that counts for nothing.
func aborted() rules.Outcome { return rules.Outcome{Result: rules.Aborted, Ending: rules.ByAbort} }

// firstWord keeps the first word for something that ends a game, in its place there, unless the
// second was said at once.
func (s *Service) firstWord(c *change, first **storage.Offer, asked event.Kind, sure bool) error {
	if sure {
		return c.refuse(event.NotAsked)
	}
	c.playOn()
	*first, c.done = s.events.Offer(c.by), asked
	return nil
}

// Abort ends a game in which not both have moved, at the second word; with sure, only then.
// It refuses what every change of a game in progress is refused for, and InSeason,
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

// CanAbort reports whether not both players of a game have moved, and it is played for nothing.
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

// playOn takes back first words of the asker, whatever they do then instead, and reports whether there were any.
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

// Claimable is how a player may end a game that they have the right to end: as won, where the
// opponent's time is up, else as drawn; false if there is nothing to claim.
func Claimable(g *storage.Game, now rules.Game, by storage.PersonID) (rules.Outcome, bool) {
	if g.Clock.Up && g.Players[g.Turn] != by {
		return onTime(g, now.Position), true
	}
	return now.Claim()
}

// AddTime gives the opponent a number of days, for this move if it is their turn, else for
// a later one. It refuses what every change of a game in progress is refused for, and
// InSeason, NoLimit, TooLong.
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

// PlanFault is what is wrong with conditional moves as somebody wrote them.
type PlanFault struct {
	Text   string // the move or line that it is about, "" for all
	Why    error  // an [*rules.Illegal], or one of the errors below
	Theirs bool   // it is about a move of the opponent's
}

// Error tells operators; people are told in bot/words.
func (f *PlanFault) Error() string {
	return fmt.Sprintf("match: conditional move %q: %v", f.Text, f.Why)
}

// Unwrap is the reason.
func (f *PlanFault) Unwrap() error { return f.Why }

// The reasons that a line is refused for, besides those of the rules.
var (
	ErrPlanForm     = errors.New("not of the form: if move then move")
	ErrPlanLong     = errors.New("too many lines, or a line that is too long")
	ErrPlanConflict = errors.New("two answers to the same moves")
)

var (
	planIf   = regexp.MustCompile(`(?i)^if\s+`)
	planThen = regexp.MustCompile(`(?i)\s+then\s+|\s*(?:→|->)\s*`)
)

// Plan stores conditional moves in place of those that the asker had in the game:
// lines parted by semicolons, each of pairs "if e5 then Nf3" parted by commas, the
// opponent's move and the answer to it. It refuses what every change of a game in progress is
// refused for, and YourTurn; what is wrong with the lines is a [*PlanFault].
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

// readLine reads one line. answers are those that the lines before gave, by the
// moves that lead to them.
func readLine(pos *rules.Position, text string, answers map[string]string) (storage.Line, error) {
	var line storage.Line
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

// foreseen is what the player to move has said to answer to the last move, "" for nothing. What
// they did not foresee ends their plan.
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

// Follow lets the asker's place be told of each move of a game, or no more. It refuses
// NoSuchGame, Damaged, Aborted, Over, PlayedHere, TooManyFollow, NotShown and NotFollowed.
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
