package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"chimera/cmd/internal/progress"
	"chimera/rules"
)

type mates struct {
	Games  []string `arg:"" optional:"" name:"game" help:"Games, by key (default: all)."`
	Player string   `default:"level=8" help:"Who is to find them, described as for match."`
	Each   int      `default:"20" help:"Positions of each game with a mate in one, as many with one in two, and in three."`
	Seed   uint64   `default:"1000" help:"What the positions follow from."`
}

// mostMoves is the length in moves of the longest mates to find.
const mostMoves = 3

// Run prints a row for each game: how many of the mates, or captures of a king, in one, two and three moves the player
// finds.
func (c *mates) Run(ctx context.Context, out io.Writer) error {
	fmt.Fprintf(out, "%-13s %9s %9s %9s\n", "", "mate in 1", "in 2", "in 3")
	return eachGame(c.Games, func(v *rules.Variant) error { return c.row(ctx, out, v) })
}

// row prints the row of a game.
func (c *mates) row(ctx context.Context, out io.Writer, v *rules.Variant) error {
	found, err := c.game(ctx, v)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%-13s", v.Key)
	for _, n := range found {
		fmt.Fprintf(out, " %9s", fmt.Sprintf("%d/%d", n, c.Each))
	}
	fmt.Fprintln(out)
	return nil
}

// game counts the mates of one game that were found, by length.
func (c *mates) game(ctx context.Context, v *rules.Variant) (found [mostMoves]int, err error) {
	solver, err := newPlayer(v, c.Player)
	if err != nil {
		return found, err
	}
	bar := progress.Count(os.Stderr, v.Key, mostMoves*c.Each)
	defer bar.End()
	var met [mostMoves]int
	for seed := c.Seed; met != [mostMoves]int{c.Each, c.Each, c.Each}; seed++ {
		positions, err := lastOf(ctx, v, seed)
		if err != nil {
			return found, err
		}
		for moves := 1; moves <= min(mostMoves, len(positions)); moves++ {
			pos := positions[len(positions)-moves]
			if met[moves-1] == c.Each || !matesIn(pos, moves) {
				continue
			}
			game := rules.NewGame(pos)
			m, err := solver.move(ctx, &course{seed: seed, start: game, now: game})
			if err != nil {
				return found, err
			}
			next, err := pos.Play(m)
			if err != nil {
				return found, err
			}
			met[moves-1]++
			if p := (prover{cursor: next.Cursor()}); p.loses(moves - 1) {
				found[moves-1]++
			}
			bar.Add()
		}
	}
	return found, nil
}

// lastOf plays a game between a weak and a weaker player, and returns the positions in which the winner was to move, in
// order; none for a draw.
func lastOf(ctx context.Context, v *rules.Variant, seed uint64) ([]*rules.Position, error) {
	game, err := opening(v, seed)
	if err != nil {
		return nil, err
	}
	var players [2]player
	for i, nodes := range [...]string{"nodes=60", "nodes=300"} {
		if players[uint64(i)^seed&1], err = newPlayer(v, nodes); err != nil {
			return nil, err
		}
	}
	c, result, err := play(ctx, game, seed, players)
	if err != nil {
		return nil, err
	}
	var met []*rules.Position
	for _, m := range c.moves {
		if result == rules.WinFor(game.Position.Turn()) {
			met = append(met, game.Position)
		}
		if game, err = game.Play(m); err != nil {
			return nil, err
		}
	}
	return met, nil
}

// matesIn reports whether the mover can force a mate, or the capture of a king, in exactly that number of its moves. It
// is false if the proof takes too long.
func matesIn(pos *rules.Position, moves int) bool {
	sooner := prover{cursor: pos.Cursor()}
	if sooner.wins(moves - 1) {
		return false
	}
	p := prover{cursor: pos.Cursor()}
	return p.wins(moves) && p.positions < mostPositions && sooner.positions < mostPositions
}

// mostPositions is how many positions a proof may look at.
const mostPositions = 2_000_000

// prover looks for mates by trying all moves.
type prover struct {
	cursor    rules.Cursor
	positions int
}

// wins reports whether the mover can force a mate in at most that many of its moves.
func (p *prover) wins(moves int) bool {
	if moves == 0 {
		return false
	}
	for _, m := range p.cursor.Moves() {
		p.cursor.Push(m)
		won := p.loses(moves - 1)
		p.cursor.Pop()
		if won {
			return true
		}
	}
	return false
}

// loses reports whether the mover has lost, or loses within that many moves of the other side.
func (p *prover) loses(moves int) bool {
	if p.positions++; p.positions >= mostPositions {
		return false
	}
	replies := p.cursor.Moves()
	switch p.cursor.Status(len(replies)) {
	case rules.Checkmate, rules.KingTaken:
		return true
	case rules.Stalemate, rules.Insufficient:
		return false
	case rules.Ongoing, rules.Mated:
	}
	if moves == 0 {
		return false
	}
	for _, m := range replies {
		p.cursor.Push(m)
		won := p.wins(moves)
		p.cursor.Pop()
		if !won {
			return false
		}
	}
	return true
}
