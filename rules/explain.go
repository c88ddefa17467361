package rules

import (
	"slices"
	"strings"

	"chimera/rules/phrase"
)

// attempt is what a text that fits no legal move seems to try.
type attempt struct {
	act    Act
	mover  string // letters; "" if left out
	file   string
	rank   string
	second string // of a rally: letters and square of the second piece
	join   bool   // has the sign ~
	target string // letters of what it says to stand on the final square
	to     string
	role   string
	stays  bool   // names no square to end on, only kills
	kills  string // as "*e5*f6"
}

// The forms of a move, in letters only; which pieces and squares there are comes later.
//
//nolint:gochecknoglobals // compiled once, never written
var (
	stepForm   = form(`^([A-WYZa-wyz]*?)(FILE?)(RANK?)(?:([x~]+)([A-Za-z]*?))?(SQUARE)([A-Za-z]*)$`)
	splitForm  = form(`^([A-Za-z]*?)(FILE?)(RANK?)/([A-Za-z]*)(SQUARE)$`)
	rallyForm  = form(`^([A-Za-z]*?)(FILE?)(RANK?)\+([A-WYZa-wyz]*?FILE?RANK?)[x~]*(SQUARE)$`)
	secondForm = form(`^([A-Za-z]*?)(FILE?)(RANK?)$`)
	killsForm  = form(`^(FILE)(RANK)(FILERANK)((?:xFILERANK)+)$`) // of coordinate text
	squareForm = form(`SQUARE`)
	pathForm   = form(`^[A-Za-z]*?(SQUARE)(?:x?SQUARE)+?x?(SQUARE)$`)
)

func (r *reader) attempt() (attempt, bool) {
	if f := splitForm.FindStringSubmatch(r.body); f != nil {
		return attempt{act: Split, mover: f[1], file: f[2], rank: f[3], role: f[4], to: f[5]}, true
	}
	if f := rallyForm.FindStringSubmatch(r.body); f != nil {
		return attempt{act: Rally, mover: f[1], file: f[2], rank: f[3], second: f[4], to: f[5]}, true
	}
	if f := stepForm.FindStringSubmatch(r.body); f != nil {
		return attempt{
			mover: f[1], file: f[2], rank: f[3], join: strings.Contains(f[4], "~"), target: f[5], to: f[6], role: f[7], kills: r.kills,
		}, true
	}
	if f := killsForm.FindStringSubmatch(r.body); f != nil && r.kills == "" {
		return attempt{file: f[1], rank: f[2], to: f[3], kills: strings.ReplaceAll(f[4], "x", "*")}, true
	}
	if f := secondForm.FindStringSubmatch(r.body); f != nil && r.kills != "" && r.body != "" {
		return attempt{mover: f[1], file: f[2], rank: f[3], stays: true, kills: r.kills}, true
	}
	return attempt{}, false
}

// explain says why a text fits no legal move.
func (p *Position) explain(r *reader) *Illegal {
	if castle, ok := p.castling(r); ok {
		return p.near(p.refuse(castle), NoSquare, castle.From)
	}
	a, ok := r.attempt()
	if !ok {
		return p.explainPath(r)
	}
	if code := p.variant.code(a.mover); code != "" {
		a.mover = code
	} else if no := p.otherLetter(r, a); no != nil {
		return no
	}
	if no := p.shotFrom(a); no != nil {
		return no
	}
	to := p.variant.Shape.Parse(strings.ToLower(a.to))
	if to == NoSquare && !a.stays {
		return &Illegal{Reason: OffBoard, Sentence: book.Say("refused.no-square", "square", a.to)}
	}
	pieces, no := p.candidates(a)
	if no == nil {
		no = p.worst(a, pieces, to)
	}
	if killed, ok := p.killSet(strings.TrimPrefix(a.kills, "*")); ok && a.stays {
		to = killed.First()
	}
	return p.near(no, to, pieces...)
}

// shotFrom is for "Qh5xf7" where the queen may go to h5 and shoot at f7 from there.
func (p *Position) shotFrom(a attempt) *Illegal {
	if a.mover == "" || a.file == "" || a.rank == "" || a.kills != "" || len(p.owned(a.mover, a.file, a.rank)) > 0 {
		return nil
	}
	fits, meant := p.newReader(a.mover + a.file + a.rank + "*" + a.to).fits()
	if !meant {
		return nil
	}
	return &Illegal{Reason: Miswritten, Sentence: book.Say("refused.write-shot"), Meant: p.textsOf(fits)}
}

// explainPath is for what has the form of a way, or no form at all.
func (p *Position) explainPath(r *reader) *Illegal {
	path := pathForm.FindStringSubmatch(r.body)
	if path == nil && strings.ContainsAny(r.body, "~+") && !squareForm.MatchString(r.body) {
		return &Illegal{Reason: Unreadable, Sentence: book.Say("refused.name-square")}
	}
	if path == nil {
		return &Illegal{Reason: Unreadable, Sentence: book.Say("refused.unreadable")}
	}
	for _, name := range squareForm.FindAllString(r.body, -1) {
		if p.variant.Shape.Parse(strings.ToLower(name)) == NoSquare {
			return &Illegal{Reason: OffBoard, Sentence: book.Say("refused.no-square", "square", name)}
		}
	}
	from, to := p.variant.Shape.Parse(strings.ToLower(path[1])), p.variant.Shape.Parse(strings.ToLower(path[2]))
	if s, ok := p.state.(PathReader); ok && from != NoSquare {
		if no := s.RefusePath(r.body+r.kills, p.refuser(Move{})); no != nil {
			return p.near(no, to, from)
		}
	}
	no := &Illegal{Reason: NotPossible, Sentence: book.Say("refused.no-path", "from", p.variant.Shape.Name(from), "to", p.variant.Shape.Name(to))}
	return p.near(no, to, from)
}

// castling is the king's move that "O-O" or "O-O-O" would be, where there is a
// king to make it; it ends where it began where the board has no square for it.
func (p *Position) castling(r *reader) (Move, bool) {
	files, king := castlingFiles(r.body), p.kings(p.setup.Turn).First()
	if files == 0 || king == NoSquare {
		return Move{}, false
	}
	to := p.variant.Shape.Offset(king, files, 0)
	if to == NoSquare {
		to = king
	}
	return Move{Act: Castle, From: king, To: to}, true
}

// Called is the piece that letters call in any order, in a game with pieces of both sides also
// one of those; the zero Piece if there is none. White owns what is of one side.
func (v *Variant) Called(letters string) Piece {
	if role := v.Table.Find(letters); role != NoRole || !v.Shares() || len(letters) != 2 {
		return Piece{White: role}
	}
	p := Piece{v.Table.Role(strings.ToUpper(letters[:1])), v.Table.Role(strings.ToUpper(letters[1:]))}
	for _, half := range [...]Role{p.White, p.Black} {
		if info := v.Table[half]; half == NoRole || info.Pawn || info.Royal {
			return Piece{}
		}
	}
	return p
}

// code is how a piece is written that is called by those letters in any order; "" if there is none.
func (v *Variant) code(letters string) string { return v.Table.Code(v.Called(letters)) }

// candidates are the squares of the pieces that an attempt may mean.
func (p *Position) candidates(a attempt) ([]Square, *Illegal) {
	v := p.variant
	if a.file != "" && a.rank != "" {
		sq := v.Shape.Parse(a.file + a.rank)
		if sq == NoSquare {
			return nil, &Illegal{Reason: OffBoard, Sentence: book.Say("refused.no-square", "square", a.file+a.rank)}
		}
		if a.mover == "" {
			return []Square{sq}, nil
		}
	}
	letters := a.mover
	if letters == "" && a.act == Step && !a.join {
		letters = "P" // what is written without a letter is a pawn
	}
	found := p.owned(letters, a.file, a.rank)
	if a.act == Split && a.mover+a.file+a.rank == "" {
		found = slices.DeleteFunc(found, func(sq Square) bool { return len(v.Table[p.setup.Board[sq].Half(p.setup.Turn)].Parts) < 2 })
	}
	if len(found) > 0 {
		return found, nil
	}
	// A small letter before the target may be a piece's after all, as the b of "bb5".
	if a.mover == "" && a.file != "" {
		if found := p.owned(a.file, "", a.rank); len(found) > 0 {
			return found, nil
		}
		if !strings.Contains(v.Shape.files(), a.file) {
			letters, a.file = strings.ToUpper(a.file), ""
		}
	}
	if a.act == Split && a.mover+a.file+a.rank == "" {
		return nil, &Illegal{Reason: NoSuchPiece, Sentence: book.Say("refused.no-splitter")}
	}
	return nil, p.refuseMissing(letters, a.file, a.rank)
}

// refuseMissing says that the mover has no such piece there.
func (p *Position) refuseMissing(letters, file, rank string) *Illegal {
	noun := book.Say("piece")
	called := p.variant.Called(letters)
	switch {
	case called != Piece{}:
		noun = p.variant.Noun(called)
	case letters != "":
		return &Illegal{Reason: NoSuchPiece, Sentence: book.Say("refused.not-a-piece", "letters", letters)}
	}
	sentence := book.Say("refused.none", "piece", noun)
	switch {
	case file != "" && rank != "":
		sentence = book.Say("refused.none-on-square", "piece", noun, "square", file+rank)
	case file != "":
		sentence = book.Say("refused.none-on-file", "piece", noun, "file", file)
	case rank != "":
		sentence = book.Say("refused.none-on-rank", "piece", noun, "rank", rank)
	default:
		if sq := p.within(called.White); sq != NoSquare {
			hybrid := p.variant.Table[p.setup.Board[sq].Half(p.setup.Turn)].Noun
			sentence = book.Say("refused.none-but-within", "piece", noun, "hybrid", hybrid, "square", p.variant.Shape.Name(sq))
		}
	}
	return &Illegal{Reason: NoSuchPiece, Sentence: sentence}
}

// within is the square of a piece of the mover's that a role is a part of, or NoSquare.
func (p *Position) within(role Role) Square {
	for sq := range p.variant.Shape.Squares.Squares() {
		if parts := p.variant.Table[p.setup.Board[sq].Half(p.setup.Turn)].Parts; role != NoRole && slices.Contains(parts, role) {
			return sq
		}
	}
	return NoSquare
}

// owned are the squares of the mover's pieces of that name on that file and rank, each if given.
func (p *Position) owned(letters, file, rank string) []Square {
	v, turn := p.variant, p.setup.Turn
	var found []Square
	for sq := range v.Shape.Squares.Squares() {
		piece := p.setup.Board[sq]
		half := piece.Half(turn)
		if half == NoRole || file != "" && file != v.Shape.FileName(sq) || rank != "" && rank != v.Shape.RankName(sq) {
			continue
		}
		if letters == "" || strings.EqualFold(letters, v.Table.Code(piece)) || strings.EqualFold(letters, v.Table[half].Code) {
			found = append(found, sq)
		}
	}
	return found
}

// worst is, of the refusals that the candidates get, the one that comes nearest
// to a legal move.
func (p *Position) worst(a attempt, pieces []Square, to Square) *Illegal {
	seconds := []Square{NoSquare}
	if a.act == Rally {
		var no *Illegal
		if seconds, no = p.seconds(a.second); no != nil {
			return no
		}
	}
	var best *Illegal
	closest := 0
	for _, from := range pieces {
		if a.stays {
			to = from
		}
		for _, with := range seconds {
			if with == from && len(seconds) > 1 {
				continue // a piece joins another than itself
			}
			no := p.refuseTry(p.try(a, from, with, to), a)
			if near := p.closeness(a, from, to, no.Reason); best == nil || near > closest {
				best, closest = no, near
			}
		}
	}
	if best.Reason == CannotReach && len(pieces) > 1 {
		noun := book.Say("piece")
		if a.mover != "" || !a.join {
			noun = p.variant.Table[p.setup.Board[pieces[0]].Half(p.setup.Turn)].Noun
		}
		best.Sentence = p.noneReaches(noun, a, to)
	}
	return best
}

// noneReaches says that no piece of a kind can go to a square.
func (p *Position) noneReaches(noun phrase.Phrase, a attempt, to Square) phrase.Phrase {
	switch {
	case a.file != "":
		return book.Say("refused.none-reaches-from-file", "piece", noun, "file", a.file, "to", p.variant.Shape.Name(to))
	case a.rank != "":
		return book.Say("refused.none-reaches-from-rank", "piece", noun, "rank", a.rank, "to", p.variant.Shape.Name(to))
	}
	return book.Say("refused.none-reaches", "piece", noun, "to", p.variant.Shape.Name(to))
}

// refuseTry says why a move is none as it was written; its outcome may be legal.
func (p *Position) refuseTry(m Move, a attempt) *Illegal {
	if a.kills != "" {
		set, ok := p.killSet(a.kills[1:])
		if !ok {
			return p.refuseKills(a.kills[1:])
		}
		m.Kills = set
	}
	if i := slices.Index(p.moves, m); i >= 0 {
		return p.rewrite(i, a)
	}
	no := p.refuse(m)
	step := Move{From: m.From, To: m.To}
	if i := slices.Index(p.moves, step); i >= 0 && m.Act == Merge {
		no.Reason, no.Written = Miswritten, p.script().texts[i]
		no.Sentence = book.Say("miswritten.step", "sentence", no.Sentence, "move", no.Written)
	}
	return no
}

// refuseKills is for a list of captures in which something is no square.
func (p *Position) refuseKills(list string) *Illegal {
	for name := range strings.SplitSeq(list, "*") {
		if p.variant.Shape.Parse(strings.ToLower(name)) == NoSquare && squareForm.FindString(name) == name {
			return &Illegal{Reason: OffBoard, Sentence: book.Say("refused.no-square", "square", name)}
		}
	}
	return &Illegal{Reason: OffBoard, Sentence: book.Say("refused.star-squares")}
}

// rewrite says how to write a legal move, and what was wrong.
func (p *Position) rewrite(move int, a attempt) *Illegal {
	v, m, text := p.variant, p.moves[move], p.script().texts[move]
	no := &Illegal{Reason: Miswritten, Written: text}
	piece := p.setup.Board[m.To]
	said := v.code(a.target)
	switch {
	case a.target != "" && piece == Piece{}:
		no.Sentence = book.Say("miswritten.empty", "square", v.Shape.Name(m.To), "move", text)
	case said != "" && said != v.Table.Code(piece) && said != v.Table[piece.Half(p.setup.Turn.Other())].Code:
		no.Sentence = book.Say("miswritten.other-piece", "square", v.Shape.Name(m.To), "piece", v.Noun(piece), "move", text)
	default:
		no.Sentence = book.Say("miswritten.form", "move", text)
	}
	return no
}

// try is the move that an attempt by the piece on from could be.
func (p *Position) try(a attempt, from, with, to Square) Move {
	role := p.variant.Table.Find(a.role)
	switch {
	case a.act == Split:
		return Move{Act: Split, Role: role, From: from, To: to}
	case a.act == Rally:
		if both := p.variant.Shape.ByFile(from.Set() | with.Set()); len(both) == 2 {
			from, with = both[0], both[1]
		}
		return Move{Act: Rally, From: from, With: with, To: to}
	case a.join && p.setup.Board[to].Half(p.setup.Turn) != NoRole:
		return Move{Act: Merge, From: from, To: to}
	}
	return Move{From: from, To: to, Role: role}
}

// seconds are the squares of the pieces that a rally may mean after its sign.
func (p *Position) seconds(text string) ([]Square, *Illegal) {
	f := secondForm.FindStringSubmatch(text)
	if f == nil {
		return nil, p.refuseMissing(text, "", "")
	}
	letters := f[1]
	if code := p.variant.code(letters); code != "" {
		letters = code
	}
	return p.candidates(attempt{act: Rally, mover: letters, file: f[2], rank: f[3]})
}

// closest says how near to a legal move one comes that is refused for a reason; for others it is 4.
var closest = map[Reason]int{ //nolint:gochecknoglobals // never written
	NoSuchPiece: 0, NotYours: 0, OffBoard: 0, CannotReach: 1, NothingToTake: 2, OwnPiece: 2, BlockedWay: 3, LeavesCheck: 5,
}

// closeness is how near to a legal move an attempt of the piece on from comes. A bare square
// is none where a pawn of another file would capture.
func (p *Position) closeness(a attempt, from, to Square, r Reason) int {
	shape := p.variant.Shape
	if r == NothingToTake && a.mover+a.file+a.rank == "" && to != NoSquare && shape.File(from) != shape.File(to) {
		return 0
	}
	if near, ok := closest[r]; ok {
		return near
	}
	return 4
}

// near adds legal moves that are like the refused one: first those of the pieces that were
// meant that end or capture on its square, then those of others, else those of these pieces
// that end nearest to it; all there are if they are few.
func (p *Position) near(no *Illegal, to Square, pieces ...Square) *Illegal {
	const few = 4
	var fits []int
	for i, m := range p.moves {
		if m.To == to || m.Kills.Has(to) || len(p.moves) <= few {
			fits = append(fits, i)
		}
	}
	unlike := func(i int) int {
		if m := p.moves[i]; !slices.Contains(pieces, m.From) {
			return 2
		} else if m.To != to && m.To != m.From {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(fits, func(a, b int) int { return unlike(a) - unlike(b) })
	if len(fits) == 0 {
		for i, m := range p.moves {
			if slices.Contains(pieces, m.From) {
				fits = append(fits, i)
			}
		}
		slices.SortStableFunc(fits, func(a, b int) int { return p.distance(p.moves[a].To, to) - p.distance(p.moves[b].To, to) })
	}
	if no.Reason == Miswritten {
		return no // it has said what to write
	}
	no.Nearest = p.textsOf(fits[:min(len(fits), few)])
	return no
}

// distance is the square of the distance between two squares; 0 for NoSquare.
func (p *Position) distance(a, b Square) int {
	if a == NoSquare || b == NoSquare {
		return 0
	}
	files, ranks := p.variant.Shape.File(a)-p.variant.Shape.File(b), p.variant.Shape.Rank(a)-p.variant.Shape.Rank(b)
	return files*files + ranks*ranks
}
