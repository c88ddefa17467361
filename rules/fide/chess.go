package fide

import "chimera/rules"

// Start is the array of orthodox chess.
const Start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

// Pieces are the rows of a piece table for the orthodox roles.
func Pieces() rules.Table {
	return rules.Table{
		Pawn: {
			Code: "P", Name: "pawn", Glyph: "pawn", Pawn: true,
			Does: "steps straight ahead, two squares from its home rank, captures diagonally ahead, also en passant, and promotes on the last rank",
		},
		Knight: {Code: "N", Name: "knight", Glyph: "knight", Does: "leaps two squares straight and one to the side, over anything"},
		Bishop: {Code: "B", Name: "bishop", Glyph: "bishop", Does: "slides diagonally, any distance"},
		Rook:   {Code: "R", Name: "rook", Glyph: "rook", Does: "slides along its rank or file, any distance"},
		Queen:  {Code: "Q", Name: "queen", Glyph: "queen", Does: "slides in all eight directions, any distance"},
		King: {
			Code: "K", Name: "king", Glyph: "king", Royal: true,
			Does: "steps one square in any direction, never into check, and castles with a rook",
		},
	}
}

// Chess is the game of orthodox chess.
func Chess() *rules.Variant {
	return rules.NewVariant(rules.Variant{
		Key: "chess", Name: "Chess", Rules: rulesText, Start: Start, Shape: Shape(), Table: Pieces(),
	}, func(s *State, setup rules.Setup) error { return s.Load(setup, nil) })
}

const rulesText = `Chess, by FIDE's Laws.

Checkmate wins. Stalemate, an agreement, too few men to mate, fivefold repetition and 75 moves by each side without a capture or pawn move draw; threefold repetition and 50 such moves may be claimed.

Moves: e4, Nf3, Nxd5, exd5, O-O, e8=Q. Coordinates (e2e4, e7e8q) are read too.`
