package main

import (
	"context"

	"chimera/rules"
	"chimera/rules/engine"
)

// record is one game of self-play, a line of JSON in a file of games.
type record struct {
	Seed   uint64  `json:"seed"`
	Points float64 `json:"points"` // White's: 1, 0.5 or 0
	Plies  []ply   `json:"plies"`
}

// ply is the result of a search in one position of the game.
type ply struct {
	Leaf   string       `json:"leaf"`   // the last position of the principal variation, as a FEN
	Parent string       `json:"parent"` // the last one before it with the opponent free to move
	Score  engine.Score `json:"score"`  // White's
}

// selfPlay plays an engine against itself, to the end of the game or until it is decided.
func selfPlay(ctx context.Context, v *rules.Variant, e *engine.Engine, nodes int, seed uint64, toEnd bool) (record, error) {
	game, err := opening(v, seed)
	if err != nil {
		return record{}, err
	}
	r := record{Seed: seed}
	for plies := 0; ; plies++ {
		if result, ok := over(game, plies); ok {
			t := tally{}
			r.Points = t.count(result, rules.White)
			return r, nil
		}
		found, err := e.Search(ctx, game, engine.Limits{Nodes: nodes})
		if err != nil {
			return r, err
		}
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		next, err := leafOf(game.Position, found)
		if err != nil {
			return r, err
		}
		r.Plies = append(r.Plies, next)
		if points, ok := decided(r.Plies); ok && !toEnd {
			r.Points = points
			return r, nil
		}
		if game, err = game.Play(found.Move()); err != nil {
			return r, err
		}
	}
}

// decided reports White's points if one side has been winning for some plies: few nodes do not find every mate, but a
// won game is no draw.
func decided(plies []ply) (float64, bool) {
	const enough, long = 800, 8
	if len(plies) < long {
		return 0, false
	}
	wins := [2]int{}
	for _, p := range plies[len(plies)-long:] {
		switch {
		case p.Score.Mate > 0 || p.Score.Mate == 0 && p.Score.Centipawns >= enough:
			wins[rules.White]++
		case p.Score.Mate < 0 || p.Score.Centipawns <= -enough:
			wins[rules.Black]++
		}
	}
	return float64(wins[rules.White]) / long, wins[rules.White] == long || wins[rules.Black] == long
}

func leafOf(pos *rules.Position, found engine.Result) (ply, error) {
	p := ply{Score: found.Score}
	if pos.Turn() == rules.Black {
		p.Score = engine.Score{Centipawns: -p.Score.Centipawns, Mate: -p.Score.Mate}
	}
	line := []*rules.Position{pos}
	for _, m := range found.Moves {
		next, err := line[len(line)-1].Play(m)
		if err != nil {
			return p, err
		}
		line = append(line, next)
	}
	last := len(line) - 1
	p.Leaf, p.Parent = line[last].FEN(), engine.Free(line[:max(last, 1)]).FEN()
	return p, nil
}
