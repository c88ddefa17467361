package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/variants"
)

type uci struct{}

// Run speaks UCI, the universal chess interface, by which other programs can play every game
// against the computer player, or let it analyse. It ends when it is told to quit, or nothing
// more is said.
func (*uci) Run(ctx context.Context, std streams) error {
	s := session{ctx: ctx, out: std.out, lines: 1}
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

// session is one conversation. While it thinks, thinking is the search's.
type session struct {
	ctx   context.Context
	out   io.Writer
	say   sync.Mutex // one line at a time
	game  rules.Game
	mind  *engine.Engine
	lines int
	level engine.Level

	stop     context.CancelFunc // ends the search; nil if there is none
	infinite bool               // it goes on until it is stopped
	thinking sync.WaitGroup
}

// obey does what one line says. What is not understood is passed over, as UCI wants it. What
// would change the search that goes on waits for its end.
func (s *session) obey(command string, words []string) {
	switch command {
	case "uci":
		s.introduce()
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

func (s *session) introduce() {
	s.print("id name Chimera")
	s.print("id author the authors of Chimera")
	var keys strings.Builder
	for _, v := range variants.All() {
		keys.WriteString(" var " + v.Key)
	}
	s.print("option name UCI_Variant type combo default chess%s", keys.String())
	s.print("option name MultiPV type spin default 1 min 1 max 200")
	s.print("option name Level type spin default -1 min -1 max %d", engine.Levels)
	s.print("uciok")
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

// place sets the game up: startpos or fen FEN, then moves and moves.
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
	s.game = rules.NewGame(pos)
	for text := range strings.FieldsSeq(moves) {
		if s.game, err = playText(s.game, text); err != nil {
			return err
		}
	}
	return nil
}

// think begins to search, and says what it finds and in the end the best move.
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
			<-ctx.Done() // the best move is said when it is asked for
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

// finish waits for the end of the search, if there is one. One without a limit is ended.
func (s *session) finish() {
	if !s.infinite {
		s.thinking.Wait()
	}
	s.halt()
}

// halt ends the search, if there is one, after its best move has been said.
func (s *session) halt() {
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
	s.thinking.Wait()
}

// limits are what a go asks for. Of a clock's time, it takes a thirtieth and most of the
// increment.
func (s *session) limits(words []string) engine.Limits {
	numbers := map[string]int{}
	for i, word := range words[:max(len(words)-1, 0)] {
		if n, err := strconv.Atoi(words[i+1]); err == nil {
			numbers[word] = n
		}
	}
	l := engine.Limits{Nodes: numbers["nodes"], Depth: numbers["depth"], Lines: s.lines, Level: s.level, Seed: 1}
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
		score := "cp " + strconv.Itoa(line.Score.Centipawns)
		if line.Score.Mate != 0 {
			score = "mate " + strconv.Itoa(line.Score.Mate)
		}
		var moves strings.Builder
		for _, m := range line.Moves {
			moves.WriteString(" " + game.Position.Variant().Coordinate(m))
		}
		s.print("info depth %d multipv %d score %s nodes %d nps %d time %d pv%s", r.Depth, i+1, score, r.Nodes,
			int(float64(r.Nodes)/max(spent.Seconds(), 0.001)), spent.Milliseconds(), moves.String())
	}
}
