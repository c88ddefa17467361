package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// attempt is what a text that fits no legal move seems to try.
type attempt struct {
	act    Act
	men    string // letters; "" if left out
	file   string
	rank   string
	second string // of a rally: letters and square of the second man
	join   bool   // has the sign ~
	to     string
	role   string
	stays  bool // names no square to end on, only kills
}

// The forms of a move, in letters only; which men and squares there are comes later.
var (
	stepForm  = regexp.MustCompile(`^([A-WYZa-wyz]*?)([a-w]?)([1-9]?)(?:([x~]+)[A-Za-z]*?)?([A-Za-z][1-9])([A-Za-z]*)$`)
	splitForm = regexp.MustCompile(`^([A-Za-z]*?)([a-z]?)([1-9]?)/([A-Za-z]*)([A-Za-z][1-9])$`)
	rallyForm = regexp.MustCompile(`^([A-Za-z]*?)([a-z]?)([1-9]?)\+([A-Za-z]*?[a-z]?[1-9]?)[x~]*([A-Za-z][1-9])$`)
)

func (r *reader) attempt() (attempt, bool) {
	if f := splitForm.FindStringSubmatch(r.body); f != nil {
		return attempt{act: Split, men: f[1], file: f[2], rank: f[3], role: f[4], to: f[5]}, true
	}
	if f := rallyForm.FindStringSubmatch(r.body); f != nil {
		return attempt{act: Rally, men: f[1], file: f[2], rank: f[3], second: f[4], to: f[5]}, true
	}
	if f := stepForm.FindStringSubmatch(r.body); f != nil {
		return attempt{men: f[1], file: f[2], rank: f[3], join: strings.Contains(f[4], "~"), to: f[5], role: f[6]}, true
	}
	if f := secondForm.FindStringSubmatch(r.body); f != nil && r.kills != "" {
		return attempt{men: f[1], file: f[2], rank: f[3], stays: true}, true
	}
	return attempt{}, false
}

// pathForm is a way spelled square by square.
var pathForm = regexp.MustCompile(`^[A-Za-z]?([A-Za-z][1-9])(?:x?[A-Za-z][1-9])+?x?([A-Za-z][1-9])$`)

// explain says why a text fits no legal move.
func (p *Position) explain(r *reader) *Illegal {
	if castle, ok := p.castling(r); ok {
		if castle.To == NoSquare {
			sentence := fmt.Sprintf("Your king cannot castle from %s.", p.variant.Shape.Name(castle.From))
			return p.near(&Illegal{Reason: CannotCastle, Squares: []Square{castle.From}, Sentence: sentence}, NoSquare, castle.From)
		}
		return p.near(p.refuse(castle), NoSquare, castle.From)
	}
	a, ok := r.attempt()
	if path := pathForm.FindStringSubmatch(r.body); !ok && path != nil {
		no := &Illegal{Reason: NotPossible, Sentence: fmt.Sprintf("No piece of yours can go that way from %s to %s.", path[1], path[2])}
		return p.near(no, p.variant.Shape.Parse(strings.ToLower(path[2])), p.variant.Shape.Parse(strings.ToLower(path[1])))
	}
	if !ok {
		return &Illegal{Reason: Unreadable, Sentence: "I cannot read that as a move: write one such as e4, Nf3 or e2e4."}
	}
	to := p.variant.Shape.Parse(strings.ToLower(a.to))
	if to == NoSquare && !a.stays {
		return &Illegal{Reason: OffBoard, Sentence: fmt.Sprintf("There is no square %s on this board.", a.to)}
	}
	men, no := p.candidates(a)
	if no != nil {
		return p.near(no, to)
	}
	return p.near(p.worst(a, men, to, r.kills), to, men...)
}

// castling is the king's move that "O-O" or "O-O-O" would be, where there is a
// king to make it.
func (p *Position) castling(r *reader) (Move, bool) {
	files := castlingFiles(r.body)
	if files == 0 {
		return Move{}, false
	}
	for sq := range p.variant.Shape.Squares.Squares() {
		if p.variant.Table[p.setup.Board[sq].Half(p.setup.Turn)].Royal {
			return Move{Act: Castle, From: sq, To: p.variant.Shape.Offset(sq, files, 0)}, true
		}
	}
	return Move{}, false
}

// candidates are the squares of the men that an attempt may mean.
func (p *Position) candidates(a attempt) ([]Square, *Illegal) {
	v := p.variant
	if a.file != "" && a.rank != "" && a.men == "" {
		sq := v.Shape.Parse(a.file + a.rank)
		if sq == NoSquare {
			return nil, &Illegal{Reason: OffBoard, Sentence: fmt.Sprintf("There is no square %s on this board.", a.file+a.rank)}
		}
		return []Square{sq}, nil
	}
	if found := p.men(a.men, a.file, a.rank); len(found) > 0 {
		return found, nil
	}
	// A letter before the target may be a man's after all, as the b of "bb5".
	if a.men == "" && a.file != "" {
		if found := p.men(a.file, "", a.rank); len(found) > 0 {
			return found, nil
		}
	}
	if a.act == Split && a.men == "" && a.file == "" && a.rank == "" {
		return nil, &Illegal{Reason: NoSuchPiece, Sentence: "You have no piece that could split so."}
	}
	name := "such piece"
	if role := v.Table.Role(strings.ToUpper(a.men)); role != NoRole {
		name = v.Table[role].Name
	} else if a.men == "" {
		name = "piece"
	}
	where := ""
	if a.file+a.rank != "" {
		where = " on " + a.file + a.rank
	}
	return nil, &Illegal{Reason: NoSuchPiece, Sentence: fmt.Sprintf("You have no %s%s that could.", name, where)}
}

// men are the mover's men of that name on that file and rank, each if given.
// Without a name they are the pawns, or all men of a file.
func (p *Position) men(letters, file, rank string) []Square {
	v, turn := p.variant, p.setup.Turn
	var found []Square
	for sq := range v.Shape.Squares.Squares() {
		man := p.setup.Board[sq]
		half := man.Half(turn)
		name := v.Shape.Name(sq)
		if half == NoRole || !strings.Contains(name[:1], file) || !strings.Contains(name[1:], rank) {
			continue
		}
		named := strings.EqualFold(letters, v.Table.Code(man)) || strings.EqualFold(letters, v.Table[half].Code)
		if named || letters == "" && (file != "" || v.Table[half].Pawn) {
			found = append(found, sq)
		}
	}
	return found
}

// worst is, of the refusals that the candidates get, the one that comes nearest
// to a legal move.
func (p *Position) worst(a attempt, men []Square, to Square, kills string) *Illegal {
	var best *Illegal
	for _, from := range men {
		if a.stays {
			to = from
		}
		for _, m := range p.tries(a, from, to) {
			no := p.refuseTry(m, kills)
			if best == nil || closeness(no.Reason) > closeness(best.Reason) {
				best = no
			}
		}
	}
	if best == nil {
		return &Illegal{Reason: NotPossible, Sentence: "That fits no legal move."}
	}
	if best.Reason == CannotReach && len(men) > 1 {
		best.Sentence = fmt.Sprintf("None of your %ss can reach %s.", p.variant.Table[p.setup.Board[men[0]].Half(p.setup.Turn)].Name, p.variant.Shape.Name(to))
	}
	return best
}

// refuseTry says why a move is none with the kills, and the letters of its target,
// that were written; without them it may be legal.
func (p *Position) refuseTry(m Move, kills string) *Illegal {
	at := []Square{m.From, m.To}
	if kills == "" {
		return p.refuseOther(m)
	}
	set, ok := p.killSet(kills[1:])
	if !ok {
		return &Illegal{Reason: OffBoard, Squares: at, Sentence: "After each * stands a square on which something is killed."}
	}
	plain := slices.Contains(p.moves, m)
	m.Kills = set
	if no := p.refuseOther(m); !plain || no.Reason != NotPossible || slices.Contains(p.moves, m) {
		return no
	}
	return &Illegal{Reason: MissingCapture, Squares: at, Sentence: "That move does not also kill on " + strings.ReplaceAll(kills[1:], "*", ", ") + "."}
}

// refuseOther refuses m, which may be legal and was written as something else.
func (p *Position) refuseOther(m Move) *Illegal {
	if slices.Contains(p.moves, m) {
		return &Illegal{Reason: NotPossible, Squares: []Square{m.From, m.To}, Sentence: "That says something else of the move than what it does."}
	}
	return p.refuse(m)
}

// tries are the moves that an attempt by the man on from could be.
func (p *Position) tries(a attempt, from, to Square) []Move {
	v := p.variant
	role := v.Table.Role(strings.ToUpper(a.role))
	switch {
	case a.act == Split:
		return []Move{{Act: Split, Role: role, From: from, To: to}}
	case a.act == Rally:
		var moves []Move
		for _, with := range p.secondMen(a.second) {
			moves = append(moves, Move{Act: Rally, From: from, With: with, To: to})
		}
		return moves
	case a.join && p.setup.Board[to].Half(p.setup.Turn) != NoRole:
		return []Move{{Act: Merge, From: from, To: to}}
	}
	return []Move{{From: from, To: to, Role: role}}
}

var secondForm = regexp.MustCompile(`^([A-Za-z]*?)([a-z]?)([1-9]?)$`)

func (p *Position) secondMen(text string) []Square {
	f := secondForm.FindStringSubmatch(text)
	if f == nil {
		return nil
	}
	found, _ := p.candidates(attempt{men: f[1], file: f[2], rank: f[3]})
	return found
}

func closeness(r Reason) int {
	switch r {
	case NoSuchPiece, NotYours, OffBoard:
		return 0
	case CannotReach:
		return 1
	case NothingToTake, OwnPiece:
		return 2
	case BlockedWay:
		return 3
	case LeavesCheck:
		return 5
	default:
		return 4
	}
}

// near adds the legal moves that end where the refused one would have, or else
// those of the men that were meant that end nearest to it; all there are if they are
// few.
func (p *Position) near(no *Illegal, to Square, men ...Square) *Illegal {
	const few = 4
	texts := p.script().texts
	var fits []int
	for i, m := range p.moves {
		if m.To == to || len(p.moves) <= few {
			fits = append(fits, i)
		}
	}
	if len(fits) == 0 {
		for i, m := range p.moves {
			if slices.Contains(men, m.From) {
				fits = append(fits, i)
			}
		}
		slices.SortStableFunc(fits, func(a, b int) int { return p.distance(p.moves[a].To, to) - p.distance(p.moves[b].To, to) })
	}
	for _, i := range fits[:min(len(fits), few)] {
		no.Nearest = append(no.Nearest, texts[i])
	}
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
