package match

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/rating"
	"chimera/rules"
	"chimera/storage"
)

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
	happened := event.Event{
		Kind: event.Moved, Ply: len(c.Moves) + 1, By: c.Players[c.Turn], Payload: event.Position{Move: now.Position.Chat(m), Planned: planned},
	}
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
	}
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
		for _, first := range []**storage.Offer{&c.Resign, &c.Abort, &c.DrawAsk} {
			if *first != nil && (*first).By == by.Person {
				*first, c.done = nil, event.PlaysOn
			}
		}
		if c.done == "" {
			return c.refuse(event.NotAsked)
		}
		return nil
	})
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
		told := slices.Contains(g.Places(), by.Place)
		switch {
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
