package main

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"chimera/rules/engine"
	"chimera/rules/variants"
)

// What players of a known strength show of the way leads to steps of the same climb.
func TestLevelsStandAtEvenSteps(t *testing.T) {
	var trials []trial
	for mark := range len(way) - 1 {
		elo := 100 + 40*float64(mark)
		score := 1 / (1 + math.Pow(10, -elo/400))
		trials = append(trials, trial{High: float64(mark + 1), Low: float64(mark), Games: 10_000, Score: score})
	}
	slopes := climb(trials)
	for mark, slope := range slopes {
		if want := 100 + 40*float64(mark); math.Abs(slope-want) > 5 {
			t.Errorf("from mark %d, the way climbs by %.1f, want %.1f", mark, slope, want)
		}
	}
	points, elo := divide(slopes, 0, wayEnd, engine.Levels-1)
	if len(points) != engine.Levels || points[0] > 1e-6 || math.Abs(points[engine.Levels-1]-wayEnd) > 1e-6 {
		t.Errorf("levels at %.2f", points)
	}
	if want := (100*wayEnd + 20*wayEnd*(wayEnd-1)) / (engine.Levels - 1); math.Abs(elo-want) > 5 {
		t.Errorf("a step is %.1f, want %.1f", elo, want)
	}
	if first, last := points[1]-points[0], points[7]-points[6]; first < 2*last {
		t.Errorf("the first step, where it climbs least, is %.2f long, the last %.2f", first, last)
	}
}

func TestStrengthGrowsAlongTheWay(t *testing.T) {
	before := strengthAt(0, math.MaxInt)
	for point := 0.1; point <= wayEnd; point += 0.1 {
		s := strengthAt(point, math.MaxInt)
		if s.Nodes < before.Nodes || s.Blind > before.Blind || s.Noise > before.Noise {
			t.Errorf("at %.1f: %+v after %+v", point, s, before)
		}
		before = s
	}
	if s := strengthAt(wayEnd, 70_000); s.Nodes != 70_000 {
		t.Errorf("of 70,000 nodes at most, %d are searched", s.Nodes)
	}
}

// Matches that were played before count, and what is written can be played with.
func TestALadderIsFitted(t *testing.T) {
	v, err := variants.Named("chess")
	must(t, err)
	work := t.TempDir()
	l := levels{Games: []string{"chess"}, Openings: 1, Seed: 1, Fit: true, Rounds: 1, Top: 200, Work: work}
	for run := 1; run <= 2; run++ {
		must(t, l.Run(t.Context(), io.Discard))
		trials, err := readRecords[trial](filepath.Join(work, "chess-levels.jsonl"))
		if want := run * (engine.Levels - 2); err != nil || len(trials) != want {
			t.Errorf("after run %d, %d matches are kept, want %d: %v", run, len(trials), want, err)
		}
	}
	text, err := os.ReadFile(filepath.Join(work, "chess.txt"))
	must(t, err)
	n, err := engine.ReadNumbers(v, string(text))
	must(t, err)
	if top := n.Ladder[engine.Levels]; top.Nodes > l.Top || n.Ladder[1].Depth != 1 {
		t.Errorf("fitted: %+v", n.Ladder)
	}
}
