package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCommandsSayWhatTheySaid runs the transcripts in testdata/commands, each in a folder of its own. A line that
// begins with $ is a command line, written as for a shell, and what begins with | below it is typed in. There follow
// what the program prints, its errors after a !, and its status in brackets unless all is well. A line that begins
// with + writes a file: of what begins with | below it, of one text, or of another file in which one text stands for
// another. What is otherwise each time is written as N.
func TestCommandsSayWhatTheySaid(t *testing.T) {
	files, err := filepath.Glob("testdata/commands/*.txt")
	must(t, err)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			file, err := filepath.Abs(file)
			must(t, err)
			want := string(contents(t, file))
			t.Chdir(t.TempDir())
			got := transcribed(t, want)
			if update {
				must(t, os.WriteFile(file, []byte(got), 0o644))
			} else if got != want {
				t.Errorf("now it is\n%s", got)
			}
		})
	}
}

var (
	step  = regexp.MustCompile(`(?m)^(?:#.*|[$+].*(?:\n\|.*)*)$`)
	below = regexp.MustCompile(`(?m)^\| ?`)
	vague = regexp.MustCompile(`time=\S+|version=.*|\d+ bytes|\d+ nodes|"nodes":\d+|\d+(\.\d+)?s`)
)

// transcribed is a transcript of what the commands in another say now.
func transcribed(t *testing.T, transcript string) string {
	t.Helper()
	var all strings.Builder
	for _, s := range step.FindAllString(transcript, -1) {
		fmt.Fprintln(&all, s)
		line, text, _ := strings.Cut(s, "\n")
		words, text := shellWords(line[1:]), below.ReplaceAllString(text, "")
		switch {
		case line[0] == '+' && len(words) == 2:
			write(t, words[0], words[1])
		case line[0] == '+' && len(words) == 4:
			write(t, words[0], strings.ReplaceAll(string(contents(t, words[1])), words[2], words[3]))
		case line[0] == '+':
			write(t, words[0], text+"\n")
		case line[0] == '$':
			status, out, errs := call(t, text+"\n", words...)
			all.WriteString(out)
			for line := range strings.Lines(errs) {
				all.WriteString("! " + line)
			}
			if status != allWell {
				fmt.Fprintf(&all, "[%d]\n", status)
			}
			all.WriteString("\n")
		}
	}
	return vague.ReplaceAllString(all.String(), "N")
}
