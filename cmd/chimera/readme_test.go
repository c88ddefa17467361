package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rounding is the share of pixels in which a picture may differ that is the same on another machine.
const rounding = .0005

// pictures has those of render/README.md.
const pictures = "testdata/pictures"

// TestCommandsOfTheReadmeDrawItsPictures runs each command of render/README.md.
func TestCommandsOfTheReadmeDrawItsPictures(t *testing.T) {
	text := contents(t, "../../render/README.md")
	shown := map[string]bool{}
	for _, picture := range regexp.MustCompile(`\(\.\./cmd/chimera/testdata/pictures/(\S+)\)`).FindAllSubmatch(text, -1) {
		shown[string(picture[1])] = true
	}
	commands := regexp.MustCompile(`(?m)^    go run \./cmd/chimera (board .*) -o (\S+)$`).FindAllSubmatch(text, -1)
	for _, command := range commands {
		line, file := string(command[1]), string(command[2])
		got := drawn(t, file, shellWords(line)...)
		if !shown[file] {
			continue
		}
		delete(shown, file)
		path := filepath.Join(pictures, file)
		if _, err := os.Stat(path); update && (err != nil || unlike(t, []byte(got), contents(t, path)) > rounding) {
			must(t, os.WriteFile(path, []byte(got), 0o644))
		}
		want := contents(t, path)
		const most = .02
		if share := unlike(t, []byte(got), want); share > most {
			t.Errorf("%.0f%% of %s is not as %s draws it: look at what CHIMERA_UPDATE=1 makes of it", 100*share, path, line)
		}
	}
	if len(commands) == 0 || len(shown) > 0 {
		t.Errorf("there are %d commands; nothing draws %v", len(commands), shown)
	}
}

// shellWords are the words of a command line, as a shell has them; between double quotes they are as in Go.
func shellWords(line string) (words []string) {
	for _, word := range regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`).FindAllString(line, -1) {
		if odd, err := strconv.Unquote(word); err == nil && word[0] == '"' {
			word = odd
		}
		words = append(words, strings.Trim(word, "'"))
	}
	return words
}

// unlike is the share of the pixels in which two pictures differ clearly: all of them where the sizes differ.
func unlike(t *testing.T, a, b []byte) float64 {
	t.Helper()
	one, other := decoded(t, a), decoded(t, b)
	if one.Bounds() != other.Bounds() {
		return 1
	}
	const clearly = 64
	n := 0
	for y := range one.Bounds().Dy() {
		for x := range one.Bounds().Dx() {
			p, q := color.GrayModel.Convert(one.At(x, y)).(color.Gray).Y, color.GrayModel.Convert(other.At(x, y)).(color.Gray).Y
			if max(p, q)-min(p, q) > clearly {
				n++
			}
		}
	}
	return float64(n) / float64(one.Bounds().Dx()*one.Bounds().Dy())
}

func decoded(t *testing.T, file []byte) image.Image {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(file))
	must(t, err)
	return m
}

func TestTheReadmeNamesEverySetting(t *testing.T) {
	named := setting.FindAllString(string(contents(t, "README.md")), -1)
	for _, name := range settings() {
		if !slices.Contains(named, name) {
			t.Errorf("the readme has nothing about %s", name)
		}
	}
	if n := len(settings()); n < 10 {
		t.Errorf("there are only %d settings", n)
	}
}
