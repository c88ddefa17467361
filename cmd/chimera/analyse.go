package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"chimera/rules"
	"chimera/rules/engine"
)

type analyse struct {
	position `embed:""`
	Nodes    int           `placeholder:"N" help:"Search this many positions (default: 200000, if there is no other limit)."`
	Time     time.Duration `placeholder:"D" help:"Search for this long, such as 5s."`
	Level    *int          `placeholder:"L" help:"Search as level 0 to 8 plays."`
	Seed     uint64        `default:"1" help:"What a level overlooks and misjudges."`
	Moves    []string      `placeholder:"M" help:"Play these moves first, as coordinate or chat text."`
	More     []string      `arg:"" optional:"" hidden:"" name:"move"`
	JSON     bool          `name:"json" help:"Print one line of JSON."`
}

// Validate says what is wrong with the flags.
func (a *analyse) Validate() error {
	switch {
	case a.Nodes < 0:
		return fmt.Errorf("the number of nodes is 1 or more, not %d", a.Nodes)
	case a.Time < 0:
		return fmt.Errorf("the time is more than nothing, not %s", a.Time)
	case a.Level != nil && (*a.Level < 0 || *a.Level > engine.Levels):
		return fmt.Errorf("the level is 0 to %d, not %d", engine.Levels, *a.Level)
	}
	return nil
}

// Run searches, and prints the best move with what is to be expected after it.
func (a *analyse) Run(ctx context.Context, std streams) error {
	pos, err := a.find()
	if err != nil {
		return err
	}
	game := rules.NewGame(pos)
	for _, text := range strings.Fields(strings.Join(append(a.Moves, a.More...), " ")) {
		if game, err = playText(game, text); err != nil {
			return err
		}
	}
	limits := engine.Limits{Nodes: a.Nodes, Time: a.Time, Seed: a.Seed}
	switch {
	case a.Level != nil:
		limits.Level = engine.AtLevel(*a.Level)
	case a.Nodes == 0 && a.Time == 0:
		limits.Nodes = 200_000
	}
	result, err := engine.Search(ctx, game, limits)
	if err != nil {
		return err
	}
	if a.JSON {
		return printJSON(std.out, game.Position, result)
	}
	fmt.Fprintf(std.out, "%s  %s  depth %d, %d nodes\n%s\n", game.Position.Chat(result.Move()), scoreText(result.Score),
		result.Depth, result.Nodes, strings.Join(chatLine(game.Position, result.Moves), " "))
	return nil
}

// playText plays a move as coordinate or chat text.
func playText(game rules.Game, text string) (rules.Game, error) {
	m, err := game.Position.Parse(text)
	if err == nil {
		game, err = game.Play(m)
	}
	if err != nil {
		return game, fmt.Errorf("%s: %w", text, err)
	}
	return game, nil
}

// findings is the JSON that analyse prints, with either cp or mate.
type findings struct {
	Move  string   `json:"move"` // coordinate text
	Text  string   `json:"text"` // chat text
	CP    *int     `json:"cp,omitempty"`
	Mate  *int     `json:"mate,omitempty"`
	Depth int      `json:"depth"`
	Nodes int      `json:"nodes"`
	PV    []string `json:"pv"` // coordinate texts
}

func printJSON(out io.Writer, pos *rules.Position, r engine.Result) error {
	f := findings{Text: pos.Chat(r.Move()), Depth: r.Depth, Nodes: r.Nodes}
	if r.Score.Mate != 0 {
		f.Mate = &r.Score.Mate
	} else {
		f.CP = &r.Score.Centipawns
	}
	for _, m := range r.Moves {
		f.PV = append(f.PV, pos.Variant().Coordinate(m))
	}
	f.Move = f.PV[0]
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(f)
}

// scoreText is a score for people: "+0.35", or "mate in 3", or "mated in 2".
func scoreText(s engine.Score) string {
	switch {
	case s.Mate > 0:
		return "mate in " + strconv.Itoa(s.Mate)
	case s.Mate < 0:
		return "mated in " + strconv.Itoa(-s.Mate)
	}
	return fmt.Sprintf("%+.2f", float64(s.Centipawns)/100)
}

// chatLine writes moves that are played one after the other.
func chatLine(pos *rules.Position, moves []rules.Move) []string {
	var texts []string
	for _, m := range moves {
		next, err := pos.Play(m)
		if err != nil {
			break
		}
		texts = append(texts, pos.Chat(m))
		pos = next
	}
	return texts
}
