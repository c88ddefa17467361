package match

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/rules"
	"chimera/storage"
)

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
