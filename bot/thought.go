package bot

import (
	"slices"
	"strings"

	"chimera/bot/match"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/storage"
)

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
func (s *BoardView) thinkAhead(sight *match.GameView, me storage.PersonID) {
	side, plays := sight.Game.SideOf(me)
	if _, level := sight.Game.Computer(); !plays || me == 0 || s.Over || s.Mover == me || s.Ply != s.Last || level != 0 {
		return
	}
	s.Thought = &Thought{}
	lines := sight.Game.Plans[side]
	for i, line := range lines {
		others := slices.Delete(slices.Clone(lines), i, i+1)
		s.Thought.Stored = append(s.Thought.Stored, Stored{chatTexts(sight.Now.Position, line), planning(others)})
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
func (s *BoardView) follow(sight *match.GameView, line []string) (*rules.Position, error) {
	pos, last := sight.Now.Position, sight.Effects
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
		moves, last = append(moves, sight.Variant.Coordinate(m)), pos.Effects(m)
		pos = next
	}
	if len(moves) > 0 {
		d := diagram.Of(pos, last, s.Note.Board.Bottom)
		Picture(&s.Note, sight, d)
	}
	if t := s.Thought; t != nil {
		t.Line = chatTexts(sight.Now.Position, moves)
		if len(moves) > 0 && len(moves)%2 == 0 {
			kept := slices.DeleteFunc(slices.Clone(sight.Game.Plans[1-sight.Game.Turn]), func(l storage.Line) bool {
				return len(l) <= len(moves) && slices.Equal(l, moves[:len(l)]) // the line goes on from there
			})
			t.Store = planning(append(kept, moves))
		}
	}
	return pos, fault
}
