package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"chimera/cmd/internal/progress"
	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/puzzle"
)

type mine struct {
	Games []string `arg:"" optional:"" name:"game" help:"Games, by key (default: all)."`
	Want  int      `default:"150" help:"Puzzles that each game shall have, with those that it has and that still are some."`
	Nodes int      `default:"200000" help:"Nodes for each look at whether one move alone wins."`
	Seed  uint64   `default:"1" help:"What all games follow from."`
	Work  string   `default:"train" help:"The folder that puzzles are kept in; run again, mining goes on from what is there."`
	Out   string   `help:"The folder to write them to, as GAME-puzzles.txt (default: the work folder)."`
}

// mined are the puzzles of one game of self-play.
type mined struct {
	Seed    uint64   `json:"seed"`
	Puzzles []string `json:"puzzles"`
}

// Run mines puzzles of one kind of game after another.
func (c *mine) Run(ctx context.Context, out io.Writer) error {
	if err := os.MkdirAll(c.Work, 0o755); err != nil {
		return err
	}
	return eachGame(c.Games, func(v *rules.Variant) error { return c.game(ctx, out, v) })
}

// game mines puzzles of one kind of game, and writes them, even if it is interrupted.
func (c *mine) game(ctx context.Context, out io.Writer, v *rules.Variant) error {
	chosen, games, err := c.dig(ctx, v)
	if err != nil && ctx.Err() == nil {
		return err
	}
	fmt.Fprintf(out, "%-13s %d puzzles of %d games: %s\n", v.Key, len(chosen.all), games, chosen.table())
	text := new(strings.Builder)
	fmt.Fprintf(text, "# Puzzles of %s, found by cmd/train: position, solution, themes, difficulty.\n", v.Name)
	for _, p := range chosen.all {
		fmt.Fprintln(text, p.String())
	}
	return errors.Join(ctx.Err(), os.WriteFile(filepath.Join(cmp.Or(c.Out, c.Work), v.Key+"-puzzles.txt"), []byte(text.String()), 0o644))
}

// dig plays games until there are enough puzzles, after reading those played earlier.
func (c *mine) dig(ctx context.Context, v *rules.Variant) (chosen choice, games int, err error) {
	chosen = choice{want: c.Want, kinds: map[string]int{}, seen: map[string]bool{}}
	before, err := puzzle.Read(v)
	if err != nil {
		return chosen, 0, err
	}
	file := filepath.Join(c.Work, v.Key+"-mined.jsonl")
	known, err := readRecords[mined](file)
	if err != nil {
		return chosen, 0, err
	}
	e, err := engine.New(v)
	if err != nil {
		return chosen, 0, err
	}
	m := &miner{variant: v, engine: e, nodes: c.Nodes}
	for _, p := range before {
		if !p.Withdrawn {
			still, err := m.stands(ctx, &p)
			if err != nil {
				return chosen, 0, err
			}
			if p.Withdrawn = !still; still {
				if p, err = m.mated(ctx, p); err != nil {
					return chosen, 0, err
				}
			}
		}
		if err := chosen.take(v, p); err != nil {
			return chosen, 0, err
		}
	}
	bar := progress.Count(os.Stderr, v.Key, c.Want)
	defer bar.End()
	for ; chosen.given < c.Want; games++ {
		var found mined
		if games < len(known) {
			found = known[games]
		} else {
			if found, err = m.play(ctx, c.Seed+uint64(games)); err != nil {
				return chosen, games, err
			}
			if err := appendRecord(file, found); err != nil {
				return chosen, games, err
			}
		}
		for _, line := range found.Puzzles {
			p, err := read(v, line)
			if err != nil {
				return chosen, games, err
			}
			m.count(p)
			if err := chosen.offer(v, p); err != nil {
				return chosen, games, err
			}
		}
		bar.Set(chosen.given)
	}
	return chosen, games, nil
}

// choice is a varied selection of the puzzles found.
type choice struct {
	want  int
	all   []puzzle.Puzzle // including withdrawn ones
	given int             // how many of them are not withdrawn
	kinds map[string]int
	seen  map[string]bool
}

// offer takes a puzzle, unless there are enough of its kind, or its mirror image was taken.
func (c *choice) offer(v *rules.Variant, p puzzle.Puzzle) error {
	pos, err := v.Position(p.FEN)
	if err != nil {
		return err
	}
	most := map[string]int{"mate in one": 15, "one move": 90, "easiest": 20, "easy": 60, "endgame": 30, "gain alone": 50} // per cent
	for kind, yes := range kindsOf(p, pos) {
		if yes && 100*c.kinds[kind] >= most[kind]*c.want {
			return nil
		}
	}
	if c.given == c.want || c.seen[keyOf(pos)] {
		return nil
	}
	return c.take(v, p)
}

// take takes a puzzle.
func (c *choice) take(v *rules.Variant, p puzzle.Puzzle) error {
	pos, err := v.Position(p.FEN)
	if err != nil {
		return err
	}
	c.seen[keyOf(pos)] = true
	c.all = append(c.all, p)
	if p.Withdrawn {
		return nil
	}
	c.given++
	for kind, yes := range kindsOf(p, pos) {
		if yes {
			c.kinds[kind]++
		}
	}
	return nil
}

// kindsOf are the kinds of puzzles whose number is limited, and whether a puzzle is one.
func kindsOf(p puzzle.Puzzle, pos *rules.Position) map[string]bool {
	mates, short := slices.Contains(p.Themes, puzzle.Mate), p.Turns() == 1
	return map[string]bool{
		"mate in one": mates && short,
		"one move":    short,
		"easiest":     p.Level == 1,
		"easy":        p.Level == 2,
		"endgame":     pieces(pos) <= 8,
		"gain alone":  slices.Equal(p.Themes, []puzzle.Theme{puzzle.Gain}),
	}
}

func pieces(pos *rules.Position) (n int) {
	for _, p := range pos.Board() {
		if p != (rules.Piece{}) {
			n++
		}
	}
	return n
}

// table tells how many puzzles there are of each theme and difficulty.
func (c *choice) table() string {
	var turns [puzzle.MostTurns + 1]int
	var levels [puzzle.Hardest + 1]int
	themes := map[puzzle.Theme]int{}
	for _, p := range c.all {
		turns[p.Turns()]++
		levels[p.Level]++
		for _, t := range p.Themes {
			themes[t]++
		}
	}
	text := new(strings.Builder)
	for _, t := range puzzle.Themes() {
		if themes[t] > 0 {
			fmt.Fprintf(text, "%s %d, ", t, themes[t])
		}
	}
	fmt.Fprintf(text, "turns %v, difficulties %v", turns[1:], levels[1:])
	return text.String()
}

// stands reports whether an earlier puzzle is still valid.
func (m *miner) stands(ctx context.Context, p *puzzle.Puzzle) (bool, error) {
	steps, err := p.Steps(m.variant)
	for turn := 0; turn < len(steps) && err == nil; turn += 2 {
		if turn > 0 && puzzle.Mates(steps[turn].After()) {
			break // any mate solves it
		}
		best, alone, err := wonAlone(ctx, m.engine, steps[turn].Before, m.nodes, bar{Won: 150, Ahead: strict.Ahead})
		if err != nil || !alone || best.Moves[0] != steps[turn].Move {
			return false, err
		}
	}
	return true, err
}

// mated is a puzzle that goes on to its mate if the next move mates, be it one of several.
func (m *miner) mated(ctx context.Context, p puzzle.Puzzle) (puzzle.Puzzle, error) {
	steps, err := p.Steps(m.variant)
	if err != nil {
		return p, err
	}
	if steps, err = m.mate(ctx, steps); err == nil {
		m.fill(&p, steps)
	}
	return p, err
}

// fill gives a puzzle its solution, and the themes of that.
func (m *miner) fill(p *puzzle.Puzzle, steps []puzzle.Step) {
	p.Moves, p.Themes = nil, themesOf(steps)
	for _, s := range steps {
		p.Moves = append(p.Moves, m.variant.Coordinate(s.Move))
	}
}

// mate is a solution with the best answer to it and the move that mates then, if there is one and another move, too.
func (m *miner) mate(ctx context.Context, steps []puzzle.Step) ([]puzzle.Step, error) {
	after := steps[len(steps)-1].After()
	if len(steps) == 2*puzzle.MostTurns-1 || puzzle.Mates(after) || after.Status() != rules.Ongoing {
		return steps, nil
	}
	found, err := m.engine.Search(ctx, rules.NewGame(after), engine.Limits{Nodes: m.nodes})
	if err != nil || found.Score.Mate == 0 {
		return steps, err
	}
	answer := puzzle.Step{Before: after, Move: found.Move()}
	pos := answer.After()
	moves := pos.Moves()
	i := slices.IndexFunc(moves, func(last rules.Move) bool { return puzzle.Mates((&puzzle.Step{Before: pos, Move: last}).After()) })
	if i < 0 || len(moves) == 1 {
		return steps, nil
	}
	return append(steps, answer, puzzle.Step{Before: pos, Move: moves[i]}), nil
}

// miner finds puzzles of one game.
type miner struct {
	variant *rules.Variant
	engine  *engine.Engine
	nodes   int
	source  *rand.Rand

	easy, hard int // easy and hard puzzles found so far
}

// easy is the highest level of easy puzzles.
const easy = 2

// count notes a puzzle that has been found.
func (m *miner) count(p puzzle.Puzzle) {
	if p.Level <= easy {
		m.easy++
	} else {
		m.hard++
	}
}

// read reads a puzzle of a game.
func read(v *rules.Variant, line string) (puzzle.Puzzle, error) {
	one := *v
	one.Puzzles = line
	all, err := puzzle.Read(&one)
	if err != nil {
		return puzzle.Puzzle{}, err
	}
	return all[0], nil
}

// play plays a quick game from a seed and, until a side is winning, looks for puzzles after moves that seem as good as
// the best.
func (m *miner) play(ctx context.Context, seed uint64) (mined, error) {
	const most, apart = 4, 6 // puzzles per game at most, and plies between them at least
	found := mined{Seed: seed}
	game, err := fairOpening(ctx, m.variant, seed)
	if err != nil {
		return found, err
	}
	m.source = rand.New(rand.NewPCG(seed, 5))
	clear := 0
	for plies, next := 0, 0; clear < 4 && len(found.Puzzles) < most; plies++ {
		if _, ok := over(game, plies); ok {
			break
		}
		r, err := m.engine.Search(ctx, game, engine.Limits{Nodes: 250 + m.source.IntN(300)})
		if err != nil {
			return found, err
		}
		clear++
		if s := r.Score; s.Mate == 0 && max(s.Centipawns, -s.Centipawns) < 300 {
			clear = 0
		}
		if plies >= next && clear == 0 {
			p, err := m.mistakes(ctx, game, r.Move())
			if err != nil {
				return found, err
			}
			if p != nil {
				found.Puzzles, next = append(found.Puzzles, p.String()), plies+apart
			}
		}
		if game, err = game.Play(r.Move()); err != nil {
			return found, err
		}
	}
	return found, ctx.Err()
}

// mistakes is the puzzle after a weak player's move, or one that looks good at first; nil if there is none.
func (m *miner) mistakes(ctx context.Context, game rules.Game, best rules.Move) (*puzzle.Puzzle, error) {
	const tries, near, enough = 4, 60, 1_500 // moves, centipawns, nodes
	weak, err := m.engine.Search(ctx, game, engine.Limits{Level: engine.AtLevel(3 + m.source.IntN(2)), Seed: m.source.Uint64()})
	if err != nil {
		return nil, err
	}
	glance, err := m.engine.Search(ctx, game, engine.Limits{Depth: 1 + m.source.IntN(2), Nodes: enough, Lines: tries})
	if err != nil {
		return nil, err
	}
	bad := []rules.Move{weak.Move()}
	for _, l := range glance.Lines {
		if m := l.Moves[0]; m != bad[0] && l.Score.Mate == 0 && l.Score.Centipawns >= glance.Score.Centipawns-near {
			bad = append(bad, m)
		}
	}
	for _, b := range bad {
		if b == best {
			continue
		}
		pos, err := game.Position.Play(b)
		if err != nil {
			return nil, err
		}
		if p, err := m.at(ctx, pos); p != nil || err != nil {
			return p, err
		}
	}
	return nil, nil
}

// at is the puzzle that starts at a position; nil if there is none. The slower checks come last.
func (m *miner) at(ctx context.Context, pos *rules.Position) (*puzzle.Puzzle, error) {
	const fewMoves = 5
	if len(pos.Moves()) < fewMoves || pos.Status() != rules.Ongoing || pos.TakesKing() || puzzle.Mates(pos) {
		return nil, nil
	}
	pos, err := afresh(pos)
	if err != nil {
		return nil, err
	}
	if ok, err := m.promises(ctx, pos); !ok || err != nil {
		return nil, err
	}
	steps, err := m.solve(ctx, pos)
	if len(steps) == 0 || err != nil {
		return nil, err
	}
	if steps, err = m.mate(ctx, steps); err != nil {
		return nil, err
	}
	p := &puzzle.Puzzle{FEN: pos.FEN()}
	m.fill(p, steps)
	p.Level, err = m.level(ctx, steps)
	return p, err
}

// look is the length and strictness of a search for a single winning move.
type look struct {
	nodes int
	bar   bar
}

// promises reports, by quick searches, whether a puzzle may start at a position.
func (m *miner) promises(ctx context.Context, pos *rules.Position) (bool, error) {
	const wins = 80 // centipawns
	r, err := m.engine.Search(ctx, rules.NewGame(pos), engine.Limits{Nodes: 400})
	if err != nil || r.Score.Mate <= 0 && r.Score.Centipawns < wins {
		return false, err
	}
	looks := [...]look{
		{1_000, bar{Won: 100, Ahead: 0.12}},
		{3_000, bar{Won: 140, Ahead: 0.2}},
		{8_000, bar{Won: 180, Ahead: 0.25}},
		{30_000, bar{Won: 220, Ahead: 0.31}},
	}
	for i, look := range looks {
		best, ok, err := wonAlone(ctx, m.engine, pos, look.nodes, look.bar)
		if !ok || err != nil {
			return false, err
		}
		if i == len(looks)-2 {
			if ok, err := m.wanted(ctx, puzzle.Step{Before: pos, Move: best.Moves[0]}); !ok || err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// wanted reports whether a puzzle with this first step is hard enough: neither the capture of a hanging piece, nor an
// easy one if there are enough of these.
func (m *miner) wanted(ctx context.Context, first puzzle.Step) (bool, error) {
	steps := []puzzle.Step{first}
	if found, err := m.finds(ctx, steps, 1); found || err != nil {
		return err == nil && puzzle.Mates(first.After()), err
	}
	if 2*m.easy <= 3*m.hard {
		return true, nil
	}
	found, err := m.finds(ctx, steps, easy)
	return !found, err
}

// afresh is a position with its counters reset.
func afresh(pos *rules.Position) (*rules.Position, error) {
	fields := strings.Fields(pos.FEN())
	fields[4], fields[5] = "0", "1"
	return pos.Variant().Position(strings.Join(fields, " "))
}

// solve is the solution of the puzzle at a position, for as long as only one move wins; empty if several win at once,
// or none.
func (m *miner) solve(ctx context.Context, pos *rules.Position) ([]puzzle.Step, error) {
	var steps []puzzle.Step
	for turn := 0; turn < puzzle.MostTurns && pos.Status() == rules.Ongoing && !pos.TakesKing(); turn++ {
		best, ok, err := m.only(ctx, pos)
		if !ok || err != nil {
			return trim(steps), err
		}
		steps = append(steps, puzzle.Step{Before: pos, Move: best.Moves[0]})
		after := steps[len(steps)-1].After()
		if puzzle.Mates(after) {
			return steps, nil
		}
		if len(best.Moves) < 2 {
			return trim(steps), nil // the search needed no answers
		}
		steps = append(steps, puzzle.Step{Before: after, Move: best.Moves[1]})
		if pos, err = after.Play(best.Moves[1]); err != nil {
			return nil, err
		}
		if pos, err = afresh(pos); err != nil {
			return nil, err
		}
	}
	return trim(steps), nil
}

// only is the one winning line with all nodes, if searches with fewer nodes agree that only one move wins.
func (m *miner) only(ctx context.Context, pos *rules.Position) (engine.Line, bool, error) {
	var best engine.Line
	for _, look := range [...]look{{8_000, bar{Won: 130, Ahead: 0.15}}, {50_000, bar{Won: 185, Ahead: 0.28}}, {m.nodes, strict}} {
		found, ok, err := wonAlone(ctx, m.engine, pos, look.nodes, look.bar)
		if !ok || err != nil || look.nodes == m.nodes && found.Moves[0] != best.Moves[0] {
			return best, false, err
		}
		best = found
	}
	return best, true, nil
}

// trim cuts what is no task off the end of a solution: an answer, or a forced move.
func trim(steps []puzzle.Step) []puzzle.Step {
	for len(steps) > 0 {
		last := steps[len(steps)-1]
		if len(steps)%2 == 1 && len(last.Before.Moves()) > 1 {
			return steps
		}
		steps = steps[:len(steps)-1]
	}
	return nil
}

// level is the difficulty of a solution: one more than the highest level that misses it.
func (m *miner) level(ctx context.Context, steps []puzzle.Step) (int, error) {
	for level := engine.Levels - 1; level >= 1; level-- {
		found, err := m.finds(ctx, steps, level)
		if err != nil {
			return 0, err
		}
		if !found {
			return level + 1, nil
		}
	}
	return 1, nil
}

// finds reports whether a level usually finds a solution.
func (m *miner) finds(ctx context.Context, steps []puzzle.Step, level int) (bool, error) {
	tries := 3
	if level >= engine.Levels-2 {
		tries = 1 // it hardly ever errs
	}
	found := 0
	for seed := range tries {
		all := true
		for i := 0; i < len(steps) && all; i += 2 {
			r, err := m.engine.Search(ctx, rules.NewGame(steps[i].Before), engine.Limits{Level: engine.AtLevel(level), Seed: uint64(seed) + 1})
			if err != nil {
				return false, err
			}
			played := puzzle.Step{Before: steps[i].Before, Move: r.Move()}
			all = r.Move() == steps[i].Move || i > 0 && puzzle.Mates(played.After())
		}
		if all {
			found++
		}
	}
	return 2*found > tries, ctx.Err()
}
