package rules

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Setup is the content of a FEN.
type Setup struct {
	Board     Board
	Turn      Color
	Castling  Set    // squares of the rooks that may still castle
	EnPassant Square // the square that a pawn has just skipped, or NoSquare
	HalfMoves int    // plies since the last capture or pawn move
	FullMove  int    // number of the current move, from 1
	Own       string // the game's own fields, separated by spaces; "" if it has none or the FEN leaves them out
}

// BadFEN says why a text describes no position.
type BadFEN struct {
	Sentence string // for people: what is wrong, as one full sentence
}

// Error is the sentence.
func (e *BadFEN) Error() string { return e.Sentence }

// BadFENf makes a BadFEN of a formatted sentence.
func BadFENf(format string, args ...any) error {
	return &BadFEN{fmt.Sprintf(format, args...)}
}

const (
	fenFields  = 6 // of every game
	maxCounter = 1 << 30
)

// castlingLetters pairs FEN's letters with the file and rank of their rook on an 8x8 board.
var castlingLetters = [...]struct { //nolint:gochecknoglobals // never written
	letter     byte
	file, rank int
}{{'K', 7, 0}, {'Q', 0, 0}, {'k', 7, 7}, {'q', 0, 7}}

// parseFEN reads a FEN; FromSetup checks whether the position is possible.
func (v *Variant) parseFEN(fen string) (Setup, error) {
	if len(fen) > 1000 {
		return Setup{}, BadFENf("That is too long for a FEN.")
	}
	fields := strings.Fields(fen)
	if all := fenFields + len(v.Fields); len(fields) != fenFields && len(fields) != all {
		return Setup{}, BadFENf("A FEN of %s has %d fields (%s); this one has %d.", v.Name, all,
			strings.Join(append([]string{"board, side, castling, en passant, half-move clock, move number"}, v.Fields...), ", "), len(fields))
	}
	board, inBoard := v.parseBoard(fields[0])
	castling, inCastling := v.parseCastling(fields[2])
	halfMoves, inClock := counter("half-move clock", fields[4], 0)
	fullMove, inNumber := counter("move number", fields[5], 1)
	s := Setup{Board: board, Castling: castling, EnPassant: v.Shape.Parse(fields[3]), HalfMoves: halfMoves, FullMove: fullMove, Own: strings.Join(fields[fenFields:], " ")}
	var inSide, inPassing error
	switch fields[1] {
	case "w":
	case "b":
		s.Turn = Black
	default:
		inSide = BadFENf("The side to move in a FEN is w or b, not %q.", fields[1])
	}
	if s.EnPassant == NoSquare && fields[3] != "-" {
		inPassing = BadFENf("The en-passant field of a FEN is a square or -, not %q.", fields[3])
	}
	return s, cmp.Or(inBoard, inSide, inCastling, inPassing, inClock, inNumber)
}

func counter(name, text string, least int) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if errors.Is(err, strconv.ErrRange) || n > maxCounter {
		return 0, BadFENf("The %s of a FEN is at most %d.", name, maxCounter)
	}
	if err != nil || int(n) < least {
		return 0, BadFENf("The %s of a FEN is a whole number from %d, not %q.", name, least, text)
	}
	return int(n), nil
}

func (v *Variant) parseBoard(text string) (board Board, _ error) {
	ranks := strings.Split(text, "/")
	if len(ranks) != v.Shape.Ranks {
		return board, BadFENf("The board of %s has %d ranks; this FEN has %d.", v.Name, v.Shape.Ranks, len(ranks))
	}
	for i, rank := range ranks {
		if err := v.parseRank(&board, v.Shape.Ranks-1-i, rank); err != nil {
			return board, err
		}
	}
	return board, nil
}

func (v *Variant) parseRank(board *Board, rank int, text string) error {
	misfit := func() error {
		return BadFENf("Rank %d of the FEN board (%q) does not fit the board of %s.", rank+1, text, v.Name)
	}
	file := 0
	for rest := text; rest != ""; {
		if n, after := v.cutEmpty(rest); n > 0 {
			for ; n > 0; n-- {
				if v.Shape.At(file, rank) == NoSquare {
					return misfit()
				}
				file++
			}
			rest = after
			continue
		}
		sq := v.Shape.At(file, rank)
		code := rest[:1]
		if code == "[" {
			end := strings.IndexByte(rest, ']')
			if end < 0 {
				return BadFENf("A bracket in rank %d of the FEN board (%q) is not closed.", rank+1, text)
			}
			code = rest[:end+1]
		}
		rest = rest[len(code):]
		hole := sq == NoSquare && file < v.Shape.Files
		file++
		if hole && code == "*" {
			continue
		}
		piece, ok := v.parsePiece(code)
		switch {
		case !ok:
			return v.badPiece(code, rank)
		case sq == NoSquare:
			return misfit()
		}
		board[sq] = piece
	}
	if file != v.Shape.Files {
		return BadFENf("Rank %d of the FEN board (%q) has %d squares instead of %d.", rank+1, text, file, v.Shape.Files)
	}
	return nil
}

// cutEmpty reads a number of empty squares in a rank of a FEN: one digit, or two if the board is wide enough; 0 if
// there is none.
func (v *Variant) cutEmpty(text string) (n int, rest string) {
	most := min(len(strconv.Itoa(v.Shape.Files)), len(text))
	digits := most - len(strings.TrimLeft(text[:most], "0123456789"))
	n, _ = strconv.Atoi(text[:digits]) // 0 without digits
	return n, text[digits:]
}

func (info *RoleInfo) bracketed() bool { return info.Set || len(info.Code) > 1 }

// parsePiece reads a letter, or several in brackets, of one case.
func (v *Variant) parsePiece(code string) (Piece, bool) {
	letters, bracketed := strings.CutPrefix(code, "[")
	code = strings.TrimSuffix(letters, "]")
	upper := strings.ToUpper(code)
	color := White
	switch code {
	case upper:
	case strings.ToLower(code):
		color = Black
	default: // White's letters, then Black's small ones
		if !v.Shares() {
			return Piece{}, false
		}
		white := strings.TrimRight(code, "abcdefghijklmnopqrstuvwxyz")
		p := Piece{v.Table.Role(white), v.Table.Role(strings.ToUpper(code[len(white):]))}
		return p, p.Shared()
	}
	role := v.Table.Role(upper)
	return PieceOf(color, role), role != NoRole && bracketed == v.Table[role].bracketed()
}

// badPiece says why a code is no piece, and what to write instead if possible.
func (v *Variant) badPiece(code string, rank int) error {
	letters := strings.Trim(code, "[]")
	var piece Piece
	switch letters {
	case strings.ToUpper(letters):
		piece.White = v.Table.Find(letters)
	case strings.ToLower(letters):
		piece.Black = v.Table.Find(letters)
	}
	if piece == (Piece{}) {
		return BadFENf("%q in rank %d of the FEN board is no piece of %s.", code, rank+1, v.Name)
	}
	return BadFENf("%q in rank %d of the FEN board is no piece of %s: write %s.", code, rank+1, v.Name, v.appendPiece(nil, piece))
}

func (v *Variant) parseCastling(text string) (rooks Set, _ error) {
	if text == "-" {
		return rooks, nil
	}
	rest := text
	for _, c := range castlingLetters {
		if rest == "" || rest[0] != c.letter {
			continue
		}
		rook := v.Shape.At(c.file, c.rank)
		if rook == NoSquare {
			return 0, BadFENf("There is no castling in %s, so the castling field of a FEN is always -, not %q.", v.Name, text)
		}
		rooks |= rook.Set()
		rest = rest[1:]
	}
	if rest != "" {
		return 0, BadFENf("The castling field of a FEN is - or some of KQkq in that order, not %q.", text)
	}
	return rooks, nil
}

// fen writes the format of parseFEN.
func (v *Variant) fen(s *Setup) string {
	b := v.appendPlacement(make([]byte, 0, 100), s)
	b = strconv.AppendInt(append(b, ' '), int64(s.HalfMoves), 10)
	b = strconv.AppendInt(append(b, ' '), int64(s.FullMove), 10)
	return string(s.appendOwn(b))
}

// appendOwn appends the game's own fields of a FEN.
func (s *Setup) appendOwn(b []byte) []byte {
	if s.Own == "" {
		return b
	}
	return append(append(b, ' '), s.Own...)
}

// KeyOf is the [Position.Key] of a Setup's position. It allocates nothing.
func (v *Variant) KeyOf(s *Setup) uint64 {
	const offset, prime = 14695981039346656037, 1099511628211
	var room [200]byte
	text := s.appendOwn(v.appendPlacement(room[:0], s))
	hash := uint64(offset)
	for _, c := range text {
		hash = (hash ^ uint64(c)) * prime
	}
	return hash
}

// appendPlacement appends the FEN up to its counters.
func (v *Variant) appendPlacement(b []byte, s *Setup) []byte {
	for rank := v.Shape.Ranks - 1; rank >= 0; rank-- {
		b = v.appendRank(b, s, rank)
		if rank > 0 {
			b = append(b, '/')
		}
	}
	b = append(b, ' ', "wb"[s.Turn], ' ')
	if s.Castling == 0 {
		b = append(b, '-')
	}
	for _, c := range castlingLetters {
		if s.Castling != 0 && s.Castling.Has(v.Shape.At(c.file, c.rank)) {
			b = append(b, c.letter)
		}
	}
	b = append(b, ' ')
	return v.Shape.appendName(b, s.EnPassant)
}

func (v *Variant) appendRank(b []byte, s *Setup, rank int) []byte {
	empty := 0
	for file := range v.Shape.Files {
		sq := v.Shape.At(file, rank)
		if sq != NoSquare && s.Board[sq] == (Piece{}) {
			empty++
			continue
		}
		b, empty = appendEmpty(b, empty), 0
		if sq == NoSquare {
			b = append(b, '*')
		} else {
			b = v.appendPiece(b, s.Board[sq])
		}
	}
	return appendEmpty(b, empty)
}

func appendEmpty(b []byte, empty int) []byte {
	if empty == 0 {
		return b
	}
	return strconv.AppendInt(b, int64(empty), 10)
}

func (v *Variant) appendPiece(b []byte, p Piece) []byte {
	bracketed := p.Shared() || v.Table[p.White|p.Black].bracketed()
	if bracketed {
		b = append(b, '[')
	}
	b = append(b, v.Table[p.White].Code...)
	for _, letter := range []byte(v.Table[p.Black].Code) {
		b = append(b, letter|' ')
	}
	if bracketed {
		b = append(b, ']')
	}
	return b
}

// Renew updates some squares: where a piece of White's or Black's stands now, to one of its role, and elsewhere to
// none.
func (s *Setup) Renew(on, white, black Set, role func(Square) Role) {
	for rest := on; rest != 0; rest = rest.Rest() {
		switch sq := rest.First(); {
		case white.Has(sq):
			s.Board[sq] = Piece{White: role(sq)}
		case black.Has(sq):
			s.Board[sq] = Piece{Black: role(sq)}
		default:
			s.Board[sq] = Piece{}
		}
	}
}
