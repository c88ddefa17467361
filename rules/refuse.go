package rules

import (
	"slices"
	"strings"

	"chimera/rules/phrase"
)

// A Refuser refuses a move with sentences of its game, or with those common to all games.
type Refuser struct {
	Move
	// Noun is the name of the piece on a square.
	Noun func(Square) phrase.Phrase

	position *Position
}

// Fault is something that may be wrong with a move.
type Fault struct {
	is     bool
	reason Reason
	key    string
	parts  []any
}

// If is a fault that applies if a condition holds. Its key is that of the sentence for [Refuser.No].
func If(is bool, reason Reason, key string, parts ...any) Fault {
	return Fault{is, reason, key, parts}
}

// First refuses the move for the first fault that applies; nil if none does.
func (r *Refuser) First(faults ...Fault) *Illegal {
	for _, f := range faults {
		if f.is {
			return r.No(f.reason, f.key, f.parts...)
		}
	}
	return nil
}

// No refuses the move. The sentence has the given parts and also: the move's squares from and to, with the pieces on
// them; the square of the first piece; and the target, the first kill on the way.
func (r *Refuser) No(reason Reason, key string, parts ...any) *Illegal {
	said := book
	if own := r.position.variant.Words; own != nil && own.Has(key) {
		said = own
	}
	parts = append(parts, r.On(r.From)...)
	parts = append(parts, "from", r.At(r.From), "to", r.At(r.To), "other", r.Noun(r.To), "target", r.At(r.Kills.First()))
	return &Illegal{Reason: reason, Sentence: said.Say(key, parts...)}
}

// On are the parts of a sentence for a piece: itself, and its square.
func (r *Refuser) On(sq Square) []any {
	if sq >= NoSquare {
		return nil
	}
	return []any{"piece", r.Noun(sq), "square", r.At(sq)}
}

// At is the name of a square.
func (r *Refuser) At(sq Square) string { return r.position.variant.Shape.Name(sq) }

// Between is the refuser of a move with other squares.
func (r *Refuser) Between(from, to Square) *Refuser {
	other := *r
	other.From, other.To = from, to
	return &other
}

// Instead refuses another move.
func (r *Refuser) Instead(m Move) *Illegal { return r.position.refuse(m) }

// CannotDo refuses a move with a feature that no move of its piece has.
func (r *Refuser) CannotDo() *Illegal { return r.No(NotPossible, "refused.cannot-do") }

// refuse says why m is none of the legal moves.
func (p *Position) refuse(m Move) *Illegal {
	switch squares := p.variant.Shape.Squares; {
	case len(p.moves) == 0:
		return &Illegal{Reason: GameOver, Sentence: book.Say("refused.over", "status", p.status)}
	case m.From >= NoSquare || m.To >= NoSquare || !squares.Has(m.From) || !squares.Has(m.To):
		return &Illegal{Reason: OffBoard, Sentence: book.Say("refused.off-board")}
	}
	r := p.refuser(m)
	alone := m.Act == Step || m.Act == Castle // joining and parting are left to the game
	piece := p.setup.Board[m.From]
	if no := r.First(
		If(alone && piece == Piece{}, NoSuchPiece, "refused.no-piece"),
		If(alone && piece.Half(p.setup.Turn) == NoRole, NotYours, "refused.not-yours"),
	); no != nil {
		return no
	}
	return p.state.Refuse(r)
}

func (p *Position) refuser(m Move) *Refuser {
	return &Refuser{m, func(sq Square) phrase.Phrase { return p.variant.Noun(p.setup.Board[sq]) }, p}
}

// Reason says why a move was refused, for programs. Games add their own.
type Reason string

// The reasons common to all games.
const (
	Unreadable     Reason = "unreadable"        // the text is no move text
	Ambiguous      Reason = "ambiguous"         // it fits several legal moves
	GameOver       Reason = "game over"         // the position has no moves, or the game has ended
	NoSuchPiece    Reason = "no such piece"     // the mover has no such piece there
	NotYours       Reason = "not yours"         // the piece there is the opponent's
	OwnPiece       Reason = "own piece"         // a piece of the mover's own stands on the target
	CannotReach    Reason = "cannot reach"      // the piece does not move like that
	BlockedWay     Reason = "blocked"           // something stands in the way
	LeavesCheck    Reason = "leaves check"      // the mover's king would be in check
	NoPromotion    Reason = "no promotion"      // the promotion is missing, or not possible
	CannotCastle   Reason = "cannot castle"     // castling is not allowed now
	NothingToTake  Reason = "nothing to take"   // a piece that moves so only to capture finds nothing there
	OffBoard       Reason = "off board"         // the square does not exist
	CannotMerge    Reason = "cannot merge"      // these pieces may not become one
	CannotSplit    Reason = "cannot split"      // this piece may not split that way
	NotPossible    Reason = "not possible here" // it fits no legal move
	TakesTheKing   Reason = "takes the king"    // a king is never captured
	Miswritten     Reason = "miswritten"        // the move is legal, but written in another way
	MissingCapture Reason = "missing capture"   // another kill of the move was not named, or named wrongly
)

// Illegal is the refusal of a move, with what a player needs to try again.
type Illegal struct {
	Reason   Reason
	Sentence phrase.Phrase // what is wrong, as one full sentence
	Written  string        // chat text of the legal move that the sentence teaches to write; "" if none
	Meant    []string      // chat texts of legal moves that may have been meant, but were written badly; may be empty
	Nearest  []string      // chat texts of other legal moves that may have been meant; may be empty
	Lead     Lead          // the lesson that explains it
}

// Phrase is the sentence, followed by the moves that may have been meant.
func (e *Illegal) Phrase() phrase.Phrase {
	switch asked := e.Asked(); {
	case len(asked) > 0:
		return book.Say("refused.asked", "sentence", e.Sentence, "moves", phrase.Or(asked))
	case len(e.Nearest) == 0:
		return e.Sentence
	}
	return book.Say("refused.nearest", "sentence", e.Sentence, "n", len(e.Nearest), "moves", phrase.Commas(e.Nearest))
}

// Error is the Phrase in English.
func (e *Illegal) Error() string { return e.Phrase().String() }

// Close are the chat texts of the moves named in the Phrase.
func (e *Illegal) Close() []string {
	switch asked := e.Asked(); {
	case len(asked) > 0:
		return asked
	case e.Written != "":
		return []string{e.Written}
	}
	return e.Nearest
}

// Asked are the chat texts of the moves about which the refusal asks whether they were meant: those that the text fits,
// if it fits several, or would fit.
func (e *Illegal) Asked() []string {
	if e.Reason == Ambiguous {
		return e.Nearest
	}
	return e.Meant
}

// attempt is what a text without a fitting legal move seems to try.
type attempt struct {
	act    Act
	mover  string // letters; "" if left out
	file   string
	rank   string
	second string // of a rally: letters and square of the second piece
	join   bool   // has the sign ~
	target string // letters of the piece said to be on the final square
	to     string
	role   string
	stays  bool   // names no final square, only kills
	kills  string // as "*e5*f6"
}

// The forms of a move, in letters only; which pieces and squares exist is checked later.
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
		return p.near(p.refuse(castle), NoSquare, false, castle.From)
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
	return p.near(no, to, a.mover == "" && a.file != "" && a.rank != "", pieces...)
}

// shotFrom is for "Qh5xf7" if the queen may go to h5 and shoot at f7 from there.
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

// explainPath is for texts in the form of a path, or in no known form.
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
			return p.near(no, to, true, from)
		}
	}
	no := &Illegal{Reason: NotPossible, Sentence: book.Say("refused.no-path", "from", p.variant.Shape.Name(from), "to", p.variant.Shape.Name(to))}
	return p.near(no, to, true, from)
}

// castling is the king's move for "O-O" or "O-O-O", if there is a king to make it; without a square to go to, it ends
// where it began.
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

// Called is the piece with these letters in any order, also a piece of both sides if the game has such; the zero Piece
// if there is none. A piece of one side is given as White's.
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

// code is how to write the piece with these letters in any order; "" if there is none.
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
		letters = "P" // no letter means a pawn
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

// within is the square of a piece of the mover's that contains a role, or NoSquare.
func (p *Position) within(role Role) Square {
	return p.variant.Shape.Squares.Where(func(sq Square) bool {
		return role != NoRole && slices.Contains(p.variant.Table[p.setup.Board[sq].Half(p.setup.Turn)].Parts, role)
	}).First()
}

// owned are the squares of the mover's pieces of that name on that file and rank, each if given.
func (p *Position) owned(letters, file, rank string) (found []Square) {
	v, turn := p.variant, p.setup.Turn
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

// worst is, of the candidates' refusals, the one closest to a legal move.
func (p *Position) worst(a attempt, pieces []Square, to Square) (best *Illegal) {
	seconds := []Square{NoSquare}
	if a.act == Rally {
		var no *Illegal
		if seconds, no = p.seconds(a.second); no != nil {
			return no
		}
	}
	closest := 0
	for _, from := range pieces {
		if a.stays {
			to = from
		}
		for _, with := range seconds {
			if with == from && len(seconds) > 1 {
				continue // a piece does not join itself
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

// refuseTry says why a move is wrong as written; its outcome may be legal.
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
	if i := slices.Index(p.moves, Move{From: m.From, To: m.To}); i >= 0 && m.Act == Merge {
		no.Reason, no.Written = Miswritten, p.script().texts[i]
		no.Sentence = book.Say("miswritten.step", "sentence", no.Sentence, "move", no.Written)
	}
	return no
}

// refuseKills is for a list of captures with an invalid square.
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
	switch said := v.code(a.target); {
	case a.target != "" && piece == Piece{}:
		no.Sentence = book.Say("miswritten.empty", "square", v.Shape.Name(m.To), "move", text)
	case said != "" && said != v.Table.Code(piece) && said != v.Table[piece.Half(p.setup.Turn.Other())].Code:
		no.Sentence = book.Say("miswritten.other-piece", "square", v.Shape.Name(m.To), "piece", v.Noun(piece), "move", text)
	default:
		no.Sentence = book.Say("miswritten.form", "move", text)
	}
	return no
}

// try is the move that an attempt means for the piece on from.
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

// closest says how close to a legal move a refusal for a reason is; 4 for others.
var closest = map[Reason]int{ //nolint:gochecknoglobals // never written
	NoSuchPiece: 0, NotYours: 0, OffBoard: 0, CannotReach: 1, NothingToTake: 2, OwnPiece: 2, BlockedWay: 3, LeavesCheck: 5,
}

// stuck says that the mover's piece on a square has no legal move, and why; nothing if it has one, belongs to both
// sides, or is none.
func (p *Position) stuck(from Square) (said phrase.Phrase) {
	piece := p.setup.Board[from]
	moves := func(m Move) bool { return m.From == from || m.Act == Rally && m.With == from }
	if len(p.moves) == 0 || piece.Shared() || piece.Half(p.setup.Turn) == NoRole || slices.ContainsFunc(p.moves, moves) {
		return said
	}
	said = book.Say("stuck.walled")
	nearest := 1 << 8 // further than any square
	for to := range (p.variant.Shape.Squares &^ from.Set()).Squares() {
		no, away := p.refuse(Move{From: from, To: to}), p.distance(from, to)
		near, common := closest[no.Reason]
		switch {
		case no.Reason == LeavesCheck, no.Reason == NoPromotion: // whatever a pawn becomes
			return book.Say("stuck.check", "now", p.checkers != 0)
		case common && near < closest[BlockedWay], no.Reason == CannotCastle, away >= nearest:
		default:
			nearest, said = away, book.Say("stuck.other", "sentence", no.Sentence)
		}
	}
	return said
}

// closeness is how close to a legal move an attempt by the piece on from is. A bare square does not mean a pawn of
// another file, which would have to capture.
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

// near adds legal moves similar to the refused one: those of the pieces meant that end or capture on its square, or if
// there are none, those of theirs that end nearest to it, and then those of others there; all moves if there are few.
// alone leaves out the moves of others.
func (p *Position) near(no *Illegal, to Square, alone bool, pieces ...Square) *Illegal {
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
	if len(fits) == 0 || unlike(fits[0]) == 2 {
		var theirs []int
		for i, m := range p.moves {
			if slices.Contains(pieces, m.From) && !slices.Contains(fits, i) {
				theirs = append(theirs, i)
			}
		}
		slices.SortStableFunc(theirs, func(a, b int) int { return p.distance(p.moves[a].To, to) - p.distance(p.moves[b].To, to) })
		fits = append(theirs[:min(len(theirs), max(few-len(fits), few/2))], fits...)
	}
	if alone {
		fits = slices.DeleteFunc(fits, func(i int) bool { return unlike(i) == 2 })
	}
	if no.Reason == Miswritten {
		return no // it has said already what to write
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
