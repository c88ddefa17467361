// Package diagram describes what is shown of a position, as data: the board, its orientation, the marks on it, and what
// stands beside it.
//
// Read it in this order:
//
//   - diagram.go: a diagram, what is shown of the move that led to it, and what can be shown besides;
//   - bars.go: what is said of the players, and of what there is to learn;
//   - motion.go: how a move is shown in several diagrams.
//
// # Design
//
// A diagram knows roles by their figures and parts, never by the game they belong to, and shows only a move's effects:
// so a new game has diagrams at once. Its texts are finished, in the viewer's language. Packages that paint or describe
// it read nothing else, so that a picture and its description cannot differ in content.
package diagram

import (
	"cmp"
	"slices"
	"sync"

	"chimera/rules"
	"chimera/rules/analysis"
	"chimera/rules/phrase"
)

// Diagram is everything shown of a position: data, for others to paint or describe. It knows no game. Its methods that
// show more return a changed copy.
type Diagram struct {
	Shape   *rules.Shape
	Table   rules.Table // names and figures of the pieces
	Board   rules.Board
	Bottom  rules.Color // the side at the bottom
	Turn    rules.Color
	Status  rules.Status // of the position
	Over    bool         // the game has ended with it
	Idle    bool         // nobody is to move: it belongs to no game
	Marks   []Mark
	Theme   Theme
	Chosen  bool  // the theme was chosen, so pages keep it in the dark
	Letters bool  // pieces are drawn as letters, not figures
	Bars    *Bars // texts about the players, nil for none
	Coords  Coords

	Flights []Flight // pieces between squares, in a frame of an animation

	Legend   []Lesson        // lessons below the board
	Language phrase.Language // the viewer's
	Caption  string          // words below the picture, "" for none
}

// Coords is where the names of files and ranks stand.
type Coords uint8

// The places of coordinates.
const (
	Inside   Coords = iota // in the corners of squares
	Outside                // beside the board and below it
	NoCoords               // nowhere
)

// Of is the diagram of a position, with the effects of the move that led to it
// (nil if there was none) and the side at the bottom.
func Of(pos *rules.Position, last []rules.Effect, bottom rules.Color) Diagram {
	v := pos.Variant()
	d := Diagram{Shape: v.Shape, Table: v.Table, Board: pos.Board(), Bottom: bottom, Turn: pos.Turn(), Status: pos.Status()}
	for _, e := range last {
		for _, m := range marks(e) {
			if !slices.Contains(d.Marks, m) {
				d.Marks = append(d.Marks, m)
			}
		}
	}
	// If the captor stands there now, the capture needs no mark.
	reached := d.Marked(Reached)
	d.Marks = slices.DeleteFunc(d.Marks, func(m Mark) bool { return m.Kind == Killed && reached.Has(m.To) })
	for sq := range pos.Checked().Squares() {
		d.Marks = append(d.Marks, on(Check, sq))
		for from := range pos.Checkers().Squares() {
			d.Marks = append(d.Marks, Mark{Kind: Checker, From: from, To: sq})
		}
	}
	d.Marks = append(d.Marks, each(Frozen, pos.Frozen())...)
	if d.Status == rules.Checkmate {
		d.Marks = d.fell(d.Turn)
	}
	return d
}

// Flip converts a file and a rank to a column and a row, counted from the upper left, with d.Bottom at the bottom; and
// a column and a row to a file and a rank. Nothing else knows the orientation.
func (d Diagram) Flip(x, y int) (int, int) {
	if d.Bottom == rules.White {
		return x, d.Shape.Ranks - 1 - y
	}
	return d.Shape.Files - 1 - x, y
}

// At is the square in a column and a row, NoSquare where the board has none.
func (d Diagram) At(col, row int) rules.Square { return d.Shape.At(d.Flip(col, row)) }

// Live reports whether somebody is to move.
func (d Diagram) Live() bool {
	return !d.Over && !d.Idle && (d.Status == rules.Ongoing || d.Status == rules.Mated)
}

// RankName is the name of the rank in a row.
func (d Diagram) RankName(row int) string {
	_, rank := d.Flip(0, row)
	return d.Shape.RankName(rules.Square(rank * d.Shape.Files))
}

// FileName is the name of the file in a column.
func (d Diagram) FileName(col int) string {
	file, _ := d.Flip(col, 0)
	return d.Shape.FileName(rules.Square(file))
}

// Mark is something shown about a square, or about the way between two.
type Mark struct {
	Kind     MarkKind
	From, To rules.Square // equal where one square is meant
	Piece    rules.Piece  // what was killed, came, left or lends; the zero Piece where it does not matter
	Path     rules.Path   // the way of a piece that Ran, To last
}

// MarkKind is the meaning of a Mark.
type MarkKind uint8

// The marks.
const (
	Left    MarkKind = iota // something left From in the last move
	Reached                 // something arrived on To in the last move
	Check                   // the king on To is in check
	Killed                  // something on To was removed by a piece from From
	Fired                   // something on To was shot from From
	Joined                  // a part came from From into the piece on To
	Parted                  // a part left From for To
	Blasted                 // something on To was annihilated
	Frozen                  // the piece on To may not move now
	Lent                    // the piece on From lends its powers to To
	Chosen                  // the piece on To is about to move
	Target                  // it can end its move on To
	Aimed                   // it can kill what stands on To
	Merges                  // it can go into what stands on To
	Splits                  // a part of it can go to To
	Ran                     // something came from From to To by Path
	Checker                 // what stands on From gives check to the king on To
	Attacks                 // something on From could kill on To
	Vain                    // something could kill on To, but would gain nothing
	Fallen                  // the king on To is lost
	Goes                    // the piece on From could go to To, if that were empty, as its part Piece
	Takes                   // it could capture on To, as its part Piece
	Ranged                  // a gun could shoot at To from where it stands
	Doomed                  // what stands on To could be annihilated
)

// String is a mark's kind in a word.
func (k MarkKind) String() string {
	return [...]string{
		Left: "left", Reached: "reached", Check: "check", Killed: "killed", Fired: "shot", Joined: "joined", Parted: "parted",
		Blasted: "annihilated", Frozen: "frozen", Lent: "lent", Chosen: "chosen", Target: "target", Aimed: "aimed", Merges: "merges",
		Splits: "splits", Ran: "ran", Checker: "checker", Attacks: "attacked", Vain: "vain", Fallen: "fallen", Goes: "goes", Takes: "takes",
		Ranged: "ranged", Doomed: "doomed",
	}[k]
}

// on is a mark about one square.
func on(kind MarkKind, sq rules.Square) Mark { return Mark{Kind: kind, From: sq, To: sq} }

// marks are the marks for one effect.
func marks(e rules.Effect) []Mark {
	left, reached := on(Left, e.From), on(Reached, e.To)
	switch e.Kind {
	case rules.Moved, rules.Castled:
		if e.Path != "" {
			return []Mark{left, reached, {Kind: Ran, From: e.From, To: e.To, Path: e.Path}}
		}
		return []Mark{left, reached}
	case rules.Captured, rules.Absorbed:
		return []Mark{{Kind: Killed, From: e.From, To: e.To, Piece: e.Piece}}
	case rules.Annihilated:
		return []Mark{{Kind: Blasted, From: e.To, To: e.To, Piece: e.Piece}}
	case rules.Shot:
		return []Mark{{Kind: Fired, From: e.From, To: e.To, Piece: e.Piece}}
	case rules.Merged, rules.Born:
		if e.From == e.To {
			return []Mark{reached}
		}
		return []Mark{left, reached, {Kind: Joined, From: e.From, To: e.To, Piece: e.Piece}}
	case rules.Parted:
		return []Mark{left, reached, {Kind: Parted, From: e.From, To: e.To, Piece: e.Piece}}
	case rules.Promoted, rules.Lent: // seen from the piece that arrived, and told
	}
	return nil
}

// Marked is the set of squares that have a mark of that kind.
func (d Diagram) Marked(kind MarkKind) rules.Set {
	var set rules.Set
	for _, m := range d.Marks {
		if m.Kind == kind {
			set |= m.To.Set()
		}
	}
	return set
}

// Lender is the side whose powers a mark of kind Lent shows.
func (d Diagram) Lender(m Mark) rules.Color { return SideOf(d.LentBy(m)) }

// LentBy is the piece whose powers a mark of kind Lent shows.
func (d Diagram) LentBy(m Mark) rules.Piece { return cmp.Or(m.Piece, d.Board[m.From]) }

// SideOf is the owner of a piece that is not shared.
func SideOf(p rules.Piece) rules.Color {
	if p.White != rules.NoRole {
		return rules.White
	}
	return rules.Black
}

// Lends reports whether a mark shows a power that the piece on To is lent and does not have by itself.
func (d Diagram) Lends(m Mark) bool {
	side := d.Lender(m)
	lender, borrower := d.LentBy(m).Half(side), d.Board[m.To].Half(side)
	return m.Kind == Lent && (m.From != m.To || m.Piece != rules.Piece{}) && borrower != rules.NoRole && borrower != lender
}

// Theme is a choice of colors. The zero Theme is the usual one.
type Theme uint8

// The themes. In each, pieces and marks differ from the squares in lightness, so that they can be seen without telling
// red from green.
const (
	Wood     Theme = iota // brown squares
	Night                 // walnut, for dark rooms and dark chats
	Contrast              // white and blue, with strong lines
	Print                 // white and grey, for paper
)

// ByTheme computes something once for each theme, when it is first needed.
func ByTheme[T any](of func(Theme) T) func(Theme) T {
	var all [Print + 1]func() T
	for _, t := range Themes() {
		all[t] = sync.OnceValue(func() T { return of(t) })
	}
	return func(t Theme) T { return all[t]() }
}

// Themes are all themes, in the order in which people see them.
func Themes() []Theme { return []Theme{Wood, Night, Contrast, Print} }

// String is the name of a theme in small letters.
func (t Theme) String() string { return [...]string{"wood", "night", "contrast", "print"}[t] }

// ParseTheme is the theme of that name, if there is one.
func ParseTheme(name string) (Theme, bool) {
	i := slices.IndexFunc(Themes(), func(t Theme) bool { return t.String() == name })
	return Theme(max(i, 0)), i >= 0
}

// ShowZones is d with marks on the squares to which pieces lend their powers. If a piece is chosen, only those to which
// it does, and its own.
func (d Diagram) ShowZones(zones []rules.Influence) Diagram {
	d.Marks = slices.Clone(d.Marks)
	for _, z := range zones {
		for sq := range z.On.Squares() {
			d.Marks = append(d.Marks, Mark{Kind: Lent, From: z.From, To: sq})
		}
	}
	d.narrow()
	return d
}

// narrow keeps, if a piece is chosen, only what it lends and borrows.
func (d *Diagram) narrow() {
	if chosen := d.Marked(Chosen); chosen != 0 {
		d.Marks = slices.DeleteFunc(d.Marks, func(m Mark) bool {
			return m.Kind == Lent && !chosen.Has(m.From) && (!chosen.Has(m.To) || !d.Lends(m))
		})
	}
}

// ShowMoves is d with marks on the piece on a square and on its moves' targets: squares where it can end, pieces it can
// join, squares for its parts, and what it kills elsewhere.
func (d Diagram) ShowMoves(from rules.Square, moves []rules.Move) Diagram {
	d.Marks = append(slices.Clone(d.Marks), on(Chosen, from))
	ends := map[MarkKind]rules.Set{}
	for _, m := range moves {
		if m.From != from && (m.Act != rules.Rally || m.With != from) {
			continue
		}
		kind := [...]MarkKind{rules.Step: Target, rules.Castle: Target, rules.Merge: Merges, rules.Rally: Merges, rules.Split: Splits}[m.Act]
		ends[kind] |= m.To.Set() &^ from.Set()
		ends[Aimed] |= m.Kills
	}
	d.narrow()
	for _, kind := range []MarkKind{Target, Merges, Splits, Aimed} {
		d.Marks = append(d.Marks, each(kind, ends[kind])...)
	}
	return d
}

// each is a mark about each square of a set.
func each(kind MarkKind, set rules.Set) (marks []Mark) {
	for sq := range set.Squares() {
		marks = append(marks, on(kind, sq))
	}
	return marks
}

// ShowThreats is d without the last move and with marks on what threatens the side to move: attacked squares, attacked
// pieces with their attackers, squares in range of guns, and what could be annihilated.
func (d Diagram) ShowThreats(t analysis.Threats) Diagram {
	kept := map[MarkKind]bool{Check: true, Checker: true, Frozen: true}
	d.Marks = slices.DeleteFunc(slices.Clone(d.Marks), func(m Mark) bool { return !kept[m.Kind] })
	d.Marks = append(d.Marks, each(Attacks, t.Attacked)...)
	d.Marks = append(d.Marks, each(Ranged, t.Ranged)...)
	for _, threat := range t.Vain {
		d.Marks = append(d.Marks, on(Vain, threat.On))
	}
	for _, threat := range slices.Concat(t.Blasts, t.Chances) {
		d.Marks = append(d.Marks, on(Doomed, threat.On))
	}
	for _, threat := range t.Pieces {
		for by := range threat.By.Squares() {
			d.Marks = append(d.Marks, Mark{Kind: Attacks, From: by, To: threat.On})
		}
	}
	return d
}

// Card is a diagram of what a piece can do, with nobody to move: what each of its parts can reach, what it could shoot
// from its square, and where it lends its powers. It needs a picture of at least 480 pixels.
func Card(v *rules.Variant, w analysis.Power) Diagram {
	d := Diagram{Shape: v.Shape, Table: v.Table, Board: w.Board, Idle: true, Marks: []Mark{on(Chosen, w.From)}}
	add := func(kind MarkKind, squares rules.Set, part rules.Piece) {
		for sq := range squares.Squares() {
			d.Marks = append(d.Marks, Mark{Kind: kind, From: w.From, To: sq, Piece: part})
		}
	}
	for _, part := range w.Parts {
		add(Goes, part.Goes, part.Piece)
	}
	for _, part := range w.Parts {
		add(Takes, part.Takes, part.Piece)
	}
	add(Ranged, w.All.Shoots&^w.All.Takes, rules.Piece{})
	add(Lent, w.Lends, rules.Piece{})
	return d
}

// MaxParts is how many parts of a piece have signs of their own; further ones share the last.
const MaxParts = 3

// PartNumber is the number, from 1, of the part of the piece on m.From that a mark is about.
func (d *Diagram) PartNumber(m Mark) uint8 {
	var parts []rules.Piece
	for _, other := range d.Marks {
		if other.Kind != m.Kind && other.Kind != Goes || other.From != m.From {
			continue
		}
		if len(parts) == 0 || parts[len(parts)-1] != other.Piece {
			parts = append(parts, other.Piece)
		}
		if other.Piece == m.Piece {
			break
		}
	}
	return uint8(min(len(parts), MaxParts))
}

// Everywhere reports whether the piece of a card can go to and capture on every square but its own, so that small signs
// are enough.
func (d *Diagram) Everywhere() bool {
	others := d.Shape.Squares &^ d.Marked(Chosen)
	return d.Marked(Goes) == others && d.Marked(Takes) == others
}

// Sheets are diagrams of all pieces of a game, for inspection: each piece of White's and of Black's on a light and on a
// dark square, then the possible shared pieces.
func Sheets(v *rules.Variant) []Diagram {
	var pieces []rules.Piece
	for r := range v.Table[1:] {
		for _, c := range []rules.Color{rules.White, rules.Black} {
			piece := rules.PieceOf(c, rules.Role(r+1))
			pieces = append(pieces, piece, piece)
		}
	}
	for _, p := range shared(v) {
		pieces = append(pieces, p, p)
	}
	var sheets []Diagram
	for page := range slices.Chunk(pieces, 64) {
		d := Diagram{Shape: rules.NewShape(8, 8), Table: v.Table, Idle: true, Coords: NoCoords}
		for i, piece := range page {
			d.Board[d.Shape.At(i%8, 7-i/8)] = piece
		}
		sheets = append(sheets, d)
	}
	return sheets
}

// shared are the possible pieces of both sides.
func shared(v *rules.Variant) []rules.Piece {
	var all []rules.Piece
	if !v.Shares() {
		return nil
	}
	for white, one := range v.Table {
		for black, other := range v.Table {
			if white > 0 && black > 0 && !one.Royal && !one.Pawn && !other.Royal && !other.Pawn {
				all = append(all, rules.Piece{White: rules.Role(white), Black: rules.Role(black)})
			}
		}
	}
	return all
}
