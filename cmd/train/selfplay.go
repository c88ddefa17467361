package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"

	"chimera/rules"
	"chimera/rules/engine"
)

// record is one game of self-play, a line of JSON in a file of games.
type record struct {
	Seed   uint64  `json:"seed"`
	Points float64 `json:"points"` // White's: 1, 0.5 or 0
	Plies  []ply   `json:"plies"`
}

// ply is what a search has said of one position of the game.
type ply struct {
	Leaf   string       `json:"leaf"`   // the last position of the principal variation, as a FEN
	Parent string       `json:"parent"` // the one before it
	Score  engine.Score `json:"score"`  // White's
}

// selfPlay plays one game of an engine against itself.
func selfPlay(ctx context.Context, v *rules.Variant, e *engine.Engine, nodes int, seed uint64) (record, error) {
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
		if points, ok := decided(r.Plies); ok {
			r.Points = points
			return r, nil
		}
		if game, err = game.Play(found.Move()); err != nil {
			return r, err
		}
	}
}

// decided reports White's points where one side has been winning for some plies: few nodes
// do not find every mate, but a game that is won is no draw.
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
	parent := pos
	for _, m := range found.Moves {
		next, err := pos.Play(m)
		if err != nil {
			return p, err
		}
		parent, pos = pos, next
	}
	p.Leaf, p.Parent = pos.FEN(), parent.FEN()
	return p, nil
}

// readGames reads the whole games of a file; there are none in a file that is not there.
// A line that was cut short ends them, and is cut off the file.
func readGames(file string) ([]record, error) {
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var games []record
	whole := int64(0)
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadBytes('\n')
		var r record
		if err != nil || json.Unmarshal(line, &r) != nil {
			if err != nil && !errors.Is(err, io.EOF) {
				return nil, err
			}
			return games, f.Truncate(whole)
		}
		games = append(games, r)
		whole += int64(len(line))
	}
}

// appendGame writes a game to the end of a file.
func appendGame(file string, r record) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
