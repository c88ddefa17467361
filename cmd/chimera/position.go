package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	botwords "chimera/bot/words"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/render/text"
	"chimera/rules"
	"chimera/rules/analysis"
	"chimera/rules/perft"
	"chimera/rules/phrase"
	"chimera/rules/variants"
)

// position is a position given on the command line.
type position struct {
	Variant string  `required:"" placeholder:"GAME" help:"The game, by its key."`
	FEN     *string `name:"fen" help:"The position (default: the start of the game)."`
}

func (p position) find() (*rules.Position, error) {
	v, err := variants.Named(p.Variant)
	switch {
	case err != nil:
		return nil, err
	case p.FEN == nil:
		return v.Position("")
	case *p.FEN == "":
		return nil, errors.New("the FEN is empty: leave --fen out for the start position")
	}
	return v.Position(*p.FEN)
}

type board struct {
	Variant string  `placeholder:"GAME" help:"The game, by its key."`
	FEN     *string `name:"fen" help:"The position (default: the start of the game)."`
	Last    *string `placeholder:"MOVE" help:"Play this move in the position, and show what it did."`
	Flip    bool    `help:"Show the board from Black's side."`
	Zones   bool    `help:"Mark the squares to which pieces lend their powers."`
	Threats bool    `help:"Mark what the side to move has to fear, in place of what the last move did."`
	Bars    *string `placeholder:"WHITE,BLACK" help:"Name the players above and below the board, with what they have captured."`
	Coords  string  `default:"inside" placeholder:"WHERE" help:"Letters of files and numbers of ranks: inside, outside or off."`
	Theme   string  `default:"wood" help:"Colors: wood, night, contrast or print."`
	Size    int     `default:"720" help:"Longer side of the board in pixels."`
	Sheet   string  `placeholder:"DIR" help:"Draw every piece of every game into this directory instead."`
	Out     string  `short:"o" placeholder:"FILE" help:"File to draw into: .svg, .png, .gif or .txt."`
}

// Run draws a position, or sheets.
func (b *board) Run() error {
	switch {
	case b.Sheet != "":
		return sheets(b.Sheet)
	case b.Variant == "" || b.Out == "":
		return errors.New("name a game and a file, as in --variant combine -o board.png, or --sheet DIR")
	}
	pos, err := position{b.Variant, b.FEN}.find()
	if err != nil {
		return err
	}
	frames, err := b.frames(pos)
	if err != nil {
		return err
	}
	var file bytes.Buffer
	if err := draw(&file, filepath.Ext(b.Out), frames, b.Size); err != nil {
		return err
	}
	return os.WriteFile(b.Out, file.Bytes(), 0o644)
}

// frames are the position and, if there is a last move, the one after it.
func (b *board) frames(pos *rules.Position) ([]diagram.Diagram, error) {
	first, err := b.diagram(pos, nil)
	if err != nil || b.Last == nil {
		return []diagram.Diagram{first}, err
	}
	m, err := pos.Parse(*b.Last)
	if err != nil {
		return nil, fmt.Errorf("%s can't play --last %s in the position %s: %w", pos.Turn(), *b.Last, pos.FEN(), err)
	}
	next, err := pos.Play(m)
	if err != nil {
		return nil, err
	}
	second, err := b.diagram(next, pos.Effects(m))
	return []diagram.Diagram{first, second}, err
}

// diagram is the diagram of a position after a move with these effects.
func (b *board) diagram(pos *rules.Position, last []rules.Effect) (d diagram.Diagram, err error) {
	d = diagram.Of(pos, last, botwords.Either(b.Flip, rules.Black, rules.White))
	var known bool
	if d.Theme, known = diagram.ParseTheme(b.Theme); !known {
		return d, fmt.Errorf("there is no theme %q: choose from wood, night, contrast, print", b.Theme)
	}
	if d.Coords, known = map[string]diagram.Coords{"inside": diagram.Inside, "outside": diagram.Outside, "off": diagram.NoCoords}[b.Coords]; !known {
		return d, fmt.Errorf("coordinates can't be %q: choose from inside, outside, off", b.Coords)
	}
	if b.Threats {
		if s := pos.Status(); s != rules.Ongoing && s != rules.Mated {
			return d, fmt.Errorf("--threats: the game is over in the position %s of %s", pos.FEN(), pos.Variant().Name)
		}
		found := analysis.Find(pos)
		d = d.ShowThreats(found)
		d.Legend = botwords.ThreatLegend(pos.Board(), found)
	}
	if b.Zones {
		zones := pos.Influences()
		if zones == nil {
			return d, fmt.Errorf("--zones: no piece lends its powers in the position %s of %s", pos.FEN(), pos.Variant().Name)
		}
		d = d.ShowZones(zones)
		d.Legend = append(d.Legend, botwords.ZoneLegend(d)...)
	}
	d.Language = phrase.English
	if b.Bars != nil {
		return b.name(d, pos)
	}
	return d, nil
}

// name adds bars with the players' names, what they have captured since the start of the game, and how it ended.
func (b *board) name(d diagram.Diagram, pos *rules.Position) (diagram.Diagram, error) {
	names := strings.Split(*b.Bars, ",")
	if len(names) != 2 || slices.Contains(names, "") {
		return d, fmt.Errorf("--bars needs two names with a comma between them, as in --bars alice,bob, not %q", *b.Bars)
	}
	start, _ := pos.Variant().Position("") // it is the game's own
	d = d.ShowTaken(start.Board(), nil)
	winner := pos.Turn().Other()
	results := map[rules.Status]string{
		rules.Checkmate: "checkmate", rules.KingTaken: "king captured", rules.Stalemate: "stalemate", rules.Insufficient: "insufficient material",
	}
	score := "½–½"
	if s := pos.Status(); s == rules.Checkmate || s == rules.KingTaken {
		d = d.ShowWinner(winner)
		score = [...]string{rules.White: "1–0", rules.Black: "0–1"}[winner]
	}
	if ending, over := results[pos.Status()]; over {
		d.Over, d.Bars.Result = true, score+" · "+ending
	}
	for side, name := range names {
		d.Bars.Sides[side].Name = name
	}
	return d, nil
}

// draw writes diagrams as a file of the type of an ending: the last one, or all as an animation.
func draw(w io.Writer, ending string, frames []diagram.Diagram, size int) error {
	d := frames[len(frames)-1]
	switch ending {
	case ".svg":
		return render.SVG(w, d, size, phrase.English)
	case ".png":
		return render.NewPainter().PNG(w, d, size)
	case ".gif":
		return render.NewPainter().GIF(w, frames, size, render.Pace{Step: time.Second})
	case ".txt":
		if d.Coords == diagram.NoCoords {
			return errors.New("--coords off: a .txt board always names its ranks and files; draw a .png, .svg or .gif")
		}
		_, err := fmt.Fprint(w, text.Text(d))
		for _, said := range []phrase.Phrase{text.Legend(d), text.BarWords(d)} {
			if err == nil && !said.IsZero() {
				_, err = fmt.Fprintln(w, said.Text(phrase.English))
			}
		}
		return err
	}
	return fmt.Errorf("a board needs a .svg, .png, .gif or .txt file, not %q", ending)
}

// sheets draws every piece of every game in each theme, on squares of 45, 60 and 90
// pixels.
func sheets(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	painter := render.NewPainter()
	for _, v := range variants.All() {
		for page, d := range diagram.Sheets(v) {
			for _, theme := range diagram.Themes() {
				for _, square := range []int{45, 60, 90} {
					d.Theme = theme
					var file bytes.Buffer
					if err := painter.PNG(&file, d, square*d.Shape.Files); err != nil {
						return err
					}
					name := fmt.Sprintf("%s-%d-%s-%d.png", v.Key, page+1, theme, square)
					if err := os.WriteFile(filepath.Join(dir, name), file.Bytes(), 0o644); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

type moves struct {
	position `embed:""`
}

// Run lists the legal moves in byte order, then the status and the check.
func (m *moves) Run(std streams) error {
	pos, err := m.find()
	if err != nil {
		return err
	}
	texts := phrase.Each(pos.Moves(), pos.Variant().Coordinate)
	slices.Sort(texts)
	for _, text := range texts {
		fmt.Fprintln(std.out, text)
	}
	fmt.Fprintf(std.out, "status: %s\ncheck: %s\n", pos.Status(), botwords.Either(pos.Checked() != 0, "yes", "no"))
	return nil
}

type apply struct {
	position `embed:""`
	Moves    []string `arg:"" name:"move" help:"Moves, as coordinate or chat text."`
}

// Run plays the moves and prints the FEN after each, up to the first illegal one.
func (a *apply) Run(std streams) error {
	pos, err := a.find()
	if err != nil {
		return err
	}
	for _, text := range a.Moves {
		m, err := pos.Parse(text)
		if err == nil {
			pos, err = pos.Play(m)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		fmt.Fprintln(std.out, pos.FEN())
	}
	return nil
}

type count struct {
	position `embed:""`
	Depth    int  `required:"" help:"Number of plies."`
	Divide   bool `help:"Count each first move separately."`
}

// Validate says what is wrong with the flags.
func (c *count) Validate() error {
	if c.Depth < 0 {
		return fmt.Errorf("the depth is a number of plies from 0, not %d", c.Depth)
	}
	return nil
}

// Run counts.
func (c *count) Run(std streams) error {
	pos, err := c.find()
	if err != nil {
		return err
	}
	if !c.Divide || c.Depth == 0 {
		fmt.Fprintln(std.out, perft.Nodes(pos, c.Depth))
		return nil
	}
	var lines []string
	var total uint64
	for m, nodes := range perft.Divide(pos, c.Depth) {
		lines = append(lines, fmt.Sprintf("%s %d", pos.Variant().Coordinate(m), nodes))
		total += nodes
	}
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Fprintln(std.out, line)
	}
	fmt.Fprintln(std.out, total)
	return nil
}
