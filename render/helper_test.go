package render

import (
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/phrase"
)

// The pieces of a game made up for these tests, by role.
const (
	pawn rules.Role = iota + 1
	knight
	bishop
	rook
	queen
	king
	rookBishop
	rookKnight
	bishopKnight
	queenKnight
	queenRookBishop
	wizard
	amplifier
	isolator
)

var table = rules.Table{
	pawn:            {Code: "P", Name: "pawn", Noun: phrase.As("pawn"), Glyph: "pawn", Worth: 1, Pawn: true},
	knight:          {Code: "N", Name: "knight", Noun: phrase.As("knight"), Glyph: "knight", Worth: 3},
	bishop:          {Code: "B", Name: "bishop", Noun: phrase.As("bishop"), Glyph: "bishop", Worth: 3},
	rook:            {Code: "R", Name: "rook", Noun: phrase.As("rook"), Glyph: "rook", Worth: 5},
	queen:           {Code: "Q", Name: "queen", Noun: phrase.As("queen"), Glyph: "queen", Worth: 9},
	king:            {Code: "K", Name: "king", Noun: phrase.As("king"), Glyph: "king", Royal: true},
	rookBishop:      {Code: "RB", Name: "rook-bishop", Noun: phrase.As("rook-bishop"), Parts: []rules.Role{rook, bishop}},
	rookKnight:      {Code: "RN", Name: "rook-knight", Noun: phrase.As("rook-knight"), Parts: []rules.Role{rook, knight}},
	bishopKnight:    {Code: "BN", Name: "bishop-knight", Noun: phrase.As("bishop-knight"), Parts: []rules.Role{bishop, knight}},
	queenKnight:     {Code: "QN", Name: "queen-knight", Noun: phrase.As("queen-knight"), Parts: []rules.Role{queen, knight}},
	queenRookBishop: {Code: "QRB", Name: "queen-rook-bishop", Noun: phrase.As("queen-rook-bishop"), Parts: []rules.Role{queen, rook, bishop}},
	wizard:          {Code: "WZ", Name: "wizard", Noun: phrase.As("wizard"), Glyph: "wizard"},
	amplifier:       {Code: "A", Name: "amplifier", Noun: phrase.As("amplifier"), Glyph: "amplifier"},
	isolator:        {Code: "I", Name: "isolator", Noun: phrase.As("isolator"), Glyph: "isolator"},
}

const startBoard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"

// diagram reads the board of a FEN, from White's side with White to move. A piece
// of several letters stands in brackets; a piece of both sides too, White's
// letter in capitals and first; '*' is no square.
func diagram(t testing.TB, fen string) Diagram {
	t.Helper()
	lines := strings.Split(fen, "/")
	d := Diagram{Table: table}
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
	p := rules.Piece{White: table.Role(code[:small]), Black: table.Role(strings.ToUpper(code[small:]))}
	if p == (rules.Piece{}) {
		t.Fatalf("no piece is called %q", code)
	}
	return p
}

// mark is a mark on the squares so named, one or two.
func mark(d Diagram, kind MarkKind, names ...string) Mark {
	return Mark{Kind: kind, From: d.Shape.Parse(names[0]), To: d.Shape.Parse(names[len(names)-1])}
}

// offsets are ways from a square, files and ranks.
type offsets [][2]int

var (
	straight = offsets{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}
	slanting = offsets{{1, 1}, {-1, -1}, {1, -1}, {-1, 1}}
	jumps    = offsets{{2, 0}, {-2, 0}, {0, 2}, {0, -2}}
)

// zones are influences of a game made up for these tests: those of bishops reach
// straight, those of rooks slanting, those of knights two squares far, those of
// amplifiers and isolators all around.
func zones(d Diagram) []rules.Influence {
	reach := map[rules.Role]offsets{
		bishop: straight, rook: slanting, knight: jumps,
		amplifier: append(slanting[:4:4], straight...), isolator: append(slanting[:4:4], straight...),
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
