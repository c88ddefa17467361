package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	botwords "chimera/bot/words"
	"chimera/cmd/internal/progress"
	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/phrase"
	"chimera/rules/variants"
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

// Run searches, and prints the best move and the expected line.
func (a *analyse) Run(ctx context.Context, std streams) error {
	pos, err := a.find()
	if err != nil {
		return err
	}
	game, err := playTexts(rules.NewGame(pos), strings.Join(append(a.Moves, a.More...), " "))
	if err != nil {
		return err
	}
	limits := engine.Limits{Nodes: a.Nodes, Time: a.Time, Seed: a.Seed}
	if a.Level != nil {
		limits.Level = engine.AtLevel(*a.Level)
	} else if a.Nodes == 0 && a.Time == 0 {
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
		result.Depth, result.Nodes, strings.Join(game.Position.Line(result.Moves), " "))
	return nil
}

// playTexts plays moves as coordinate or chat text, up to the first that is not legal.
func playTexts(game rules.Game, texts string) (rules.Game, error) {
	for text := range strings.FieldsSeq(texts) {
		m, err := game.Position.Parse(text)
		if err == nil {
			game, err = game.Play(m)
		}
		if err != nil {
			return game, fmt.Errorf("%s: %w", text, err)
		}
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
	f := findings{Text: pos.Chat(r.Move()), Depth: r.Depth, Nodes: r.Nodes, PV: phrase.Each(r.Moves, pos.Variant().Coordinate)}
	if r.Score.Mate != 0 {
		f.Mate = &r.Score.Mate
	} else {
		f.CP = &r.Score.Centipawns
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

type bench struct {
	Variant   string `placeholder:"GAME" help:"One game, by its key (default: all)."`
	Nodes     int    `default:"100000" help:"Nodes for each position: as level 8 searches."`
	Positions int    `default:"12" help:"Positions of random games."`
}

// Validate says what is wrong with the flags.
func (b *bench) Validate() error {
	if b.Nodes < 1 || b.Positions < 1 {
		return fmt.Errorf("nodes and positions are 1 or more, not %d and %d", b.Nodes, b.Positions)
	}
	return nil
}

// Run searches the same positions of each game every time, and prints its speed by processor time.
func (b *bench) Run(ctx context.Context, std streams) error {
	games := variants.All()
	if b.Variant != "" {
		pos, err := position{Variant: b.Variant}.find()
		if err != nil {
			return err
		}
		games = []*rules.Variant{pos.Variant()}
	}
	fmt.Fprintf(std.out, "%-13s %10s %10s %7s %10s\n", "game", "nodes", "nodes/s", "depth", "ms/move")
	shown := progress.Count(std.err, "searching", len(games)*b.Positions)
	defer shown.End()
	for i, v := range games {
		line, err := b.game(ctx, v, func(n int) { shown.Set(i*b.Positions + n) })
		if err != nil {
			return err
		}
		fmt.Fprintln(std.out, line)
	}
	return nil
}

func (b *bench) game(ctx context.Context, v *rules.Variant, done func(int)) (string, error) {
	e, err := engine.New(v)
	if err != nil {
		return "", err
	}
	var spent time.Duration
	nodes, depth, positions := 0, 0, 0
	for seed := uint64(1); positions < b.Positions; seed++ {
		game, err := beginning(v, seed)
		if err != nil {
			return "", err
		}
		before := progress.ProcessorTime()
		result, err := e.Search(ctx, game, engine.Limits{Nodes: b.Nodes})
		if err != nil || result.Score.Mate != 0 {
			continue // it is decided, or nearly
		}
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		spent += progress.ProcessorTime() - before
		nodes, depth, positions = nodes+result.Nodes, depth+result.Depth, positions+1
		done(positions)
	}
	each := float64(positions)
	return fmt.Sprintf("%-13s %10d %10.0f %7.1f %10.1f", v.Key, nodes, float64(nodes)/spent.Seconds(),
		float64(depth)/each, spent.Seconds()*1000/each), nil
}

// beginning is a game after some random moves, determined by the seed.
func beginning(v *rules.Variant, seed uint64) (rules.Game, error) {
	source := rand.New(rand.NewPCG(seed, 4))
	pos, err := v.Position("")
	game := rules.NewGame(pos)
	for plies := 6 + source.IntN(20); plies > 0 && err == nil && !game.Outcome().Over(); plies-- {
		moves := game.Position.Moves()
		game, err = game.Play(moves[source.IntN(len(moves))])
	}
	return game, err
}

type uci struct{}

// Run speaks UCI, the universal chess interface, through which other programs can play every game against the computer
// player, or let it analyse. It ends at "quit", or at the end of the input.
func (*uci) Run(ctx context.Context, std streams) error {
	s := session{ctx: ctx, out: std.out, lines: 1, stop: func() {}}
	if err := s.choose("chess"); err != nil {
		return err
	}
	defer s.halt()
	for said := bufio.NewScanner(std.in); ctx.Err() == nil && said.Scan(); {
		words := strings.Fields(said.Text())
		if len(words) > 0 && words[0] == "quit" {
			return nil
		}
		if len(words) > 0 {
			s.obey(words[0], words[1:])
		}
	}
	s.finish()
	return nil
}

// session is one conversation. While a search runs, thinking belongs to it.
type session struct {
	ctx   context.Context
	out   io.Writer
	say   sync.Mutex // one line at a time
	game  rules.Game
	mind  *engine.Engine
	lines int
	level engine.Level

	stop     context.CancelFunc // ends the search, if there is one
	infinite bool               // it goes on until it is stopped, and then says its best move
	thinking sync.WaitGroup
}

// obey carries out one line. As UCI demands, it ignores what it does not understand. Commands that would change a
// running search wait for its end.
func (s *session) obey(command string, words []string) {
	switch command {
	case "uci":
		s.print("id name Chimera")
		s.print("id author the authors of Chimera")
		keys := phrase.Each(variants.All(), func(v *rules.Variant) string { return " var " + v.Key })
		s.print("option name UCI_Variant type combo default chess%s", strings.Join(keys, ""))
		s.print("option name MultiPV type spin default 1 min 1 max 200")
		s.print("option name Level type spin default -1 min -1 max %d", engine.Levels)
		s.print("uciok")
	case "ucinewgame":
		s.finish()
		_ = s.choose(s.game.Position.Variant().Key) // this variant was chosen before
	case "isready":
		s.print("readyok")
	case "stop":
		s.halt()
	case "setoption":
		s.finish()
		s.set(words)
	case "position":
		s.finish()
		if err := s.place(words); err != nil {
			s.print("info string %s", strings.ReplaceAll(err.Error(), "\n", " "))
		}
	case "go":
		s.finish()
		s.think(words)
	}
}

func (s *session) print(format string, args ...any) {
	s.say.Lock()
	defer s.say.Unlock()
	fmt.Fprintf(s.out, format+"\n", args...)
}

// set sets an option: name NAME value VALUE.
func (s *session) set(words []string) {
	name, value, _ := strings.Cut(strings.Join(words, " "), " value ")
	number, _ := strconv.Atoi(value)
	switch strings.ToLower(strings.TrimPrefix(name, "name ")) {
	case "uci_variant":
		if err := s.choose(value); err != nil {
			s.print("info string %s", err)
		}
	case "multipv":
		s.lines = min(max(number, 1), 200)
	case "level":
		if s.level = (engine.Level{}); number >= 0 {
			s.level = engine.AtLevel(number)
		}
	}
}

// choose begins a game of another variant.
func (s *session) choose(key string) error {
	pos, err := position{Variant: key}.find()
	if err != nil {
		return err
	}
	mind, err := engine.New(pos.Variant())
	if err == nil {
		s.mind, s.game = mind, rules.NewGame(pos)
	}
	return err
}

// place sets up a game, given as "startpos" or "fen FEN", then "moves" and the moves.
func (s *session) place(words []string) error {
	where, moves, _ := strings.Cut(strings.Join(words, " "), "moves")
	fen, _ := strings.CutPrefix(strings.TrimSpace(where), "fen ")
	if fen == "startpos" {
		fen = ""
	}
	pos, err := s.game.Position.Variant().Position(fen)
	if err != nil {
		return err
	}
	s.game, err = playTexts(rules.NewGame(pos), moves)
	return err
}

// think starts a search, which reports what it finds and finally the best move.
func (s *session) think(words []string) {
	limits := s.limits(words)
	infinite := slices.Contains(words, "infinite") || limits.Nodes == 0 && limits.Depth == 0 && limits.Time == 0 && limits.Level == (engine.Level{})
	ctx, stop := context.WithCancel(s.ctx)
	s.stop, s.infinite = stop, infinite
	game, began := s.game, time.Now()
	limits.Info = func(r engine.Result) { s.inform(game, r, time.Since(began)) }
	s.thinking.Go(func() {
		result, err := s.mind.Search(ctx, game, limits)
		if infinite {
			<-ctx.Done() // the best move must wait for "stop"
		}
		if err != nil {
			s.print("bestmove (none)")
			return
		}
		s.inform(game, result, time.Since(began))
		best := "bestmove " + game.Position.Variant().Coordinate(result.Move())
		if len(result.Moves) > 1 {
			best += " ponder " + game.Position.Variant().Coordinate(result.Moves[1])
		}
		s.print("%s", best)
	})
}

// finish waits for the end of the search, if there is one; it stops one without a limit.
func (s *session) finish() {
	if !s.infinite {
		s.thinking.Wait()
	}
	s.halt()
}

// halt ends the search, if there is one, after its best move has been said.
func (s *session) halt() {
	s.stop()
	s.thinking.Wait()
}

// limits are those given by "go". Of a clock's time, it uses a thirtieth and most of the increment.
func (s *session) limits(words []string) engine.Limits {
	numbers := map[string]int{}
	for i, word := range words[:max(len(words)-1, 0)] {
		if n, err := strconv.Atoi(words[i+1]); err == nil {
			numbers[word] = n
		}
	}
	l := engine.Limits{Nodes: numbers["nodes"], Depth: numbers["depth"], Lines: s.lines, Level: s.level, Seed: 1, Keep: true}
	l.Time = time.Duration(numbers["movetime"]) * time.Millisecond
	left, more := numbers["wtime"], numbers["winc"]
	if s.game.Position.Turn() == rules.Black {
		left, more = numbers["btime"], numbers["binc"]
	}
	if left > 0 && l.Time == 0 {
		moves := 30
		if n := numbers["movestogo"]; n > 0 {
			moves = min(n, moves)
		}
		l.Time = time.Duration(min(left/moves+more*3/4, max(left/2, 1))) * time.Millisecond
	}
	return l
}

// inform says what has been found so far.
func (s *session) inform(game rules.Game, r engine.Result, spent time.Duration) {
	for i, line := range r.Lines {
		mate, centipawns := "mate "+strconv.Itoa(line.Score.Mate), "cp "+strconv.Itoa(line.Score.Centipawns)
		moves := phrase.Each(line.Moves, game.Position.Variant().Coordinate)
		s.print("info depth %d multipv %d score %s nodes %d nps %d time %d pv %s", r.Depth, i+1,
			botwords.Either(line.Score.Mate != 0, mate, centipawns), r.Nodes,
			int(float64(r.Nodes)/max(spent.Seconds(), 0.001)), spent.Milliseconds(), strings.Join(moves, " "))
	}
}
