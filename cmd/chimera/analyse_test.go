package main

import (
	"encoding/json"
	"strings"
	"testing"

	"chimera/rules/variants"
)

func TestAnalyseFindsAMate(t *testing.T) {
	args := []string{"analyse", "--variant", "chess", "--fen", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "--nodes", "1000"}
	if status, out, errs := call(t, "", args...); status != 0 || !strings.HasPrefix(out, "Ra8#  mate in 1  depth ") || !strings.HasSuffix(out, "\nRa8#\n") {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
	status, out, errs := call(t, "", append(args, "--json")...)
	want := `{"move":"a1a8","text":"Ra8#","mate":1,"depth":2,"nodes":`
	if status != 0 || !strings.HasPrefix(out, want) || !strings.HasSuffix(out, `,"pv":["a1a8"]}`+"\n") {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
}

func TestAnalysePlaysMovesFirst(t *testing.T) {
	status, out, errs := call(t, "", "analyse", "--variant", "chess", "--level", "4", "--json", "--moves", "f3", "e5", "g4")
	var found findings
	if err := json.Unmarshal([]byte(out), &found); err != nil || status != 0 || found.Move != "d8h4" || *found.Mate != 1 || found.CP != nil {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
}

func TestAnalyseSaysWhatIsWrong(t *testing.T) {
	for _, args := range [][]string{
		{"--variant", "draughts"},
		{"--variant", "chess", "--level", "9"},
		{"--variant", "chess", "--nodes", "-1"},
		{"--variant", "chess", "--moves", "e5"},
		{"--variant", "chess", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}, // stalemate
	} {
		status, out, errs := call(t, "", append([]string{"analyse"}, args...)...)
		if status != badInput || out != "" || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: status %d, %q, %q", args, status, out, errs)
		}
	}
}

func TestBenchHasALineForEachGame(t *testing.T) {
	status, out, errs := call(t, "", "bench", "--nodes", "500", "--positions", "1")
	if status != 0 || strings.Count(out, "\n") != 1+len(variants.All()) || !strings.Contains(out, "\nbrigade ") {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
}
