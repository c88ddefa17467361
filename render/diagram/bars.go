package diagram

import (
	"slices"

	"chimera/rules"
	"chimera/rules/phrase"
)

// Bars are the texts about the players of a game, above and below its board.
type Bars struct {
	Sides  [2]Bar // by side
	Result string // such as "1–0 · checkmate", in a banner below the board; "" while the game goes on
}

// Bar is one player's. Its texts are in the viewer's language, and may be anything.
type Bar struct {
	Name, Rating string
	Face         string        // one of [Faces], "" for none
	Taken        []rules.Piece // the pieces this player has captured, in display order
	Ahead        int           // by how much this player's pieces are worth more than the other's, 0 if not
	When         string        // the date until which this player must move, "" for none
	Won          bool
}

// ShowTaken is d with bars that show which pieces each player has captured since the start, and who is ahead. It counts
// simple pieces. Surplus ones of a side are taken to be promoted pawns. Where pieces grow by capturing, missing pieces
// do not tell what was captured: then taken does, and nobody is said to be ahead.
func (d Diagram) ShowTaken(start rules.Board, taken []rules.Piece) Diagram {
	bars := d.bars()
	lost, worth := d.count(start[:]), [2]int{}
	for piece, n := range d.count(d.Board[:]) {
		lost[piece] -= n
		worth[SideOf(piece)] += n * d.Table[piece.White|piece.Black].Worth
	}
	if d.Table.Grows() {
		clear(lost)
		worth = [2]int{} // captured pieces would count twice, and grown ones have no accepted values
		for _, p := range taken {
			lost[p]++
		}
	} else {
		more := [2]int{} // than at the start: these were pawns
		for piece, n := range lost {
			more[SideOf(piece)] -= min(0, n)
		}
		for piece := range lost {
			if d.Table[piece.White|piece.Black].Pawn {
				lost[piece] -= max(0, more[SideOf(piece)])
			}
		}
	}
	for side := range bars.Sides {
		b, other := &bars.Sides[side], rules.Color(side).Other()
		b.Taken, b.Ahead = nil, max(0, worth[side]-worth[other])
		for r := range d.Table {
			piece := rules.PieceOf(other, rules.Role(r))
			b.Taken = append(b.Taken, slices.Repeat([]rules.Piece{piece}, max(0, lost[piece]))...)
		}
		slices.SortStableFunc(b.Taken, func(p, q rules.Piece) int { return d.Table.Worth(p.White|p.Black) - d.Table.Worth(q.White|q.Black) })
	}
	d.Bars = bars
	return d
}

// ShowWinner is d with bars that name the winner, and the lost king marked.
func (d Diagram) ShowWinner(winner rules.Color) Diagram {
	d.Bars = d.bars()
	d.Bars.Sides[winner].Won = true
	d.Marks = d.fell(winner.Other())
	return d
}

// fell is the marks of d with those of a side's lost kings.
func (d Diagram) fell(side rules.Color) []Mark {
	kings := d.Shape.Squares.Where(func(sq rules.Square) bool { return d.Table[d.Board[sq].Half(side)].Royal })
	return append(slices.Clone(d.Marks), each(Fallen, kings&^d.Marked(Fallen))...)
}

// bars are a copy of those of d, or new empty ones.
func (d Diagram) bars() *Bars {
	if d.Bars == nil {
		return &Bars{}
	}
	return new(*d.Bars)
}

// count counts simple pieces, the parts of compounds one by one.
func (d Diagram) count(pieces []rules.Piece) map[rules.Piece]int {
	n := map[rules.Piece]int{}
	for _, p := range pieces {
		for _, side := range []rules.Color{rules.White, rules.Black} {
			if r := p.Half(side); r != rules.NoRole {
				for _, part := range d.Table.Simple(r) {
					n[rules.PieceOf(side, part)]++
				}
			}
		}
	}
	return n
}

// Lesson is something to learn about a board, in a strip below it: about a kind of piece, or about marks.
type Lesson struct {
	Piece rules.Piece   // its subject, drawn beside it; the zero Piece for none
	Name  phrase.Phrase // the piece's name, or a title
	Line  phrase.Phrase // what there is to know, a sentence or two
	Signs []Sign        // marks on the board, and their meanings
}

// Sign is a mark as it looks on a square, and its meaning. One about where a part of a piece could capture also has
// that part's sign.
type Sign struct {
	Mark  Mark        // the zero Mark for a piece alone
	Piece rules.Piece // on that square
	Means phrase.Phrase
}

// Alone is a sign as a board of one square.
func (d Diagram) Alone(s Sign) Diagram {
	one := Diagram{Shape: rules.NewShape(1, 1), Table: d.Table, Theme: d.Theme, Chosen: d.Chosen, Letters: d.Letters, Coords: NoCoords, Idle: true}
	one.Board[0] = s.Piece
	if s.Mark != (Mark{}) {
		if s.Mark.Kind == Lent {
			s.Mark.Piece = d.LentBy(s.Mark)
		}
		for _, m := range d.Marks { // these tell to which part of a piece the mark belongs
			if m.From == s.Mark.From {
				one.Marks = append(one.Marks, Mark{Kind: m.Kind, To: 1, Piece: m.Piece})
			}
		}
		s.Mark.From, s.Mark.To = 0, 0
		one.Marks = append(one.Marks, s.Mark)
		if s.Mark.Kind == Takes && s.Mark.Piece != (rules.Piece{}) {
			s.Mark.Kind = Goes // it can go there too
			one.Marks = append(one.Marks, s.Mark)
		}
	}
	return one
}

// Faces are the computer's characters as a table of pieces that look like them, each by its name.
func Faces() rules.Table {
	return rules.Table{{}, {Code: "G", Name: "greta", Glyph: "greta"}, {Code: "I", Name: "ignaz", Glyph: "ignaz"}, {Code: "M", Name: "melba", Glyph: "melba"}, {Code: "O", Name: "otto", Glyph: "otto"}}
}

// FaceOf is a character as a piece of a side; the empty piece if the name is unknown.
func FaceOf(name string, side rules.Color) rules.Piece {
	role := slices.IndexFunc(Faces(), func(info rules.RoleInfo) bool { return info.Name == name })
	return rules.PieceOf(side, rules.Role(max(role, 0)))
}
