// Package sample has the diagrams used in tests of several packages.
package sample

import (
	"slices"
	"strings"
	"testing"

	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/rules/variants"
)

// The pieces of a game made up for tests, by role.
const (
	Pawn rules.Role = iota + 1
	Knight
	Bishop
	Rook
	Queen
	King
	RookBishop
	RookKnight
	BishopKnight
	QueenKnight
	QueenRookBishop
	Wizard
	Amplifier
	Isolator
)

// Table is the pieces of that game.
//
//nolint:gochecknoglobals // never written
var Table = rules.Table{
	Pawn:            {Code: "P", Name: "pawn", Noun: phrase.As("pawn"), Glyph: "pawn", Worth: 1, Pawn: true},
	Knight:          {Code: "N", Name: "knight", Noun: phrase.As("knight"), Glyph: "knight", Worth: 3},
	Bishop:          {Code: "B", Name: "bishop", Noun: phrase.As("bishop"), Glyph: "bishop", Worth: 3},
	Rook:            {Code: "R", Name: "rook", Noun: phrase.As("rook"), Glyph: "rook", Worth: 5},
	Queen:           {Code: "Q", Name: "queen", Noun: phrase.As("queen"), Glyph: "queen", Worth: 9},
	King:            {Code: "K", Name: "king", Noun: phrase.As("king"), Glyph: "king", Royal: true},
	RookBishop:      {Code: "RB", Name: "rook-bishop", Noun: phrase.As("rook-bishop"), Parts: []rules.Role{Rook, Bishop}},
	RookKnight:      {Code: "RN", Name: "rook-knight", Noun: phrase.As("rook-knight"), Parts: []rules.Role{Rook, Knight}},
	BishopKnight:    {Code: "BN", Name: "bishop-knight", Noun: phrase.As("bishop-knight"), Parts: []rules.Role{Bishop, Knight}},
	QueenKnight:     {Code: "QN", Name: "queen-knight", Noun: phrase.As("queen-knight"), Parts: []rules.Role{Queen, Knight}},
	QueenRookBishop: {Code: "QRB", Name: "queen-rook-bishop", Noun: phrase.As("queen-rook-bishop"), Parts: []rules.Role{Queen, Rook, Bishop}},
	Wizard:          {Code: "WZ", Name: "wizard", Noun: phrase.As("wizard"), Glyph: "wizard"},
	Amplifier:       {Code: "A", Name: "amplifier", Noun: phrase.As("amplifier"), Glyph: "amplifier"},
	Isolator:        {Code: "I", Name: "isolator", Noun: phrase.As("isolator"), Glyph: "isolator"},
}

// StartBoard is the board on which chess begins.
const StartBoard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"

// Diagram reads the board of a FEN, from White's side with White to move. A piece
// of several letters stands in brackets; a piece of both sides too, White's
// letter in capitals and first; '*' is no square.
func Diagram(t testing.TB, fen string) diagram.Diagram {
	t.Helper()
	lines := strings.Split(fen, "/")
	d := diagram.Diagram{Table: Table}
	var squares []rules.Square
	d.Shape = &rules.Shape{Ranks: len(lines)}
	var pieces []rules.Piece
	for rank := range lines {
		width := 0
		line := lines[len(lines)-1-rank]
		for line != "" {
			n, p, exists := 1, rules.Piece{}, true
			var code string
			switch {
			case line[0] == '[':
				code, line, _ = strings.Cut(line[1:], "]")
				p = piece(t, code)
			case line[0] >= '1' && line[0] <= '9':
				n, line = int(line[0]-'0'), line[1:]
			case line[0] == '*':
				exists, line = false, line[1:]
			default:
				p, line = piece(t, line[:1]), line[1:]
			}
			for range n {
				if exists {
					squares = append(squares, rules.Square(len(pieces)))
				}
				pieces = append(pieces, p)
				width++
			}
		}
		d.Shape.Files = width
	}
	for _, sq := range squares {
		d.Shape.Squares |= sq.Set()
	}
	copy(d.Board[:], pieces)
	return d
}

func piece(t testing.TB, code string) rules.Piece {
	t.Helper()
	small := strings.IndexFunc(code, func(r rune) bool { return r >= 'a' })
	if small < 0 {
		small = len(code)
	}
	p := rules.Piece{White: Table.Role(code[:small]), Black: Table.Role(strings.ToUpper(code[small:]))}
	if p == (rules.Piece{}) {
		t.Fatalf("no piece is called %q", code)
	}
	return p
}

// Mark is a mark on the squares so named, one or two.
func Mark(d diagram.Diagram, kind diagram.MarkKind, names ...string) diagram.Mark {
	return diagram.Mark{Kind: kind, From: d.Shape.Parse(names[0]), To: d.Shape.Parse(names[len(names)-1])}
}

// offsets are ways from a square, files and ranks.
type offsets [][2]int

// Zones are influences of that game: those of bishops reach
// straight, those of rooks slanting, those of knights two squares far, those of
// amplifiers and isolators all around.
func Zones(d diagram.Diagram) []rules.Influence {
	straight, slanting := offsets{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}, offsets{{1, 1}, {-1, -1}, {1, -1}, {-1, 1}}
	jumps := offsets{{2, 0}, {-2, 0}, {0, 2}, {0, -2}}
	reach := map[rules.Role]offsets{
		Bishop: straight, Rook: slanting, Knight: jumps,
		Amplifier: append(slanting[:4:4], straight...), Isolator: append(slanting[:4:4], straight...),
	}
	var all []rules.Influence
	for from := range d.Shape.Squares.Squares() {
		z := rules.Influence{From: from}
		for _, o := range reach[max(d.Board[from].White, d.Board[from].Black)] {
			z.On |= d.Shape.Offset(from, o[0], o[1]).Set()
		}
		if z.On != 0 {
			all = append(all, z)
		}
	}
	return all
}

// Pieces are all pieces that can stand on a board of v.
func Pieces(v *rules.Variant) (all []rules.Piece) {
	for _, d := range diagram.Sheets(v) {
		for sq := range d.Shape.Squares.Squares() {
			if p := d.Board[sq]; p != (rules.Piece{}) && !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// Game is the game with that key.
func Game(t testing.TB, key string) *rules.Variant {
	t.Helper()
	v, err := variants.Named(key)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// After is the diagram after a move, given as coordinate text.
func After(t testing.TB, key, fen, move string) diagram.Diagram {
	t.Helper()
	pos := position(t, key, fen)
	m, err := pos.ParseCoordinate(move)
	if err != nil {
		t.Fatal(err)
	}
	next, err := pos.Play(m)
	if err != nil {
		t.Fatal(err)
	}
	return diagram.Of(next, pos.Effects(m), next.Turn())
}
