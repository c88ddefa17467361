// Package combine is Combine Chess: orthodox chess in which a side may merge two
// of its own pieces into a hybrid, and split a hybrid into its parts.
//
// It is two games with one rulebook. The strict one, [Strict], lets nobody merge
// or split while in check, and a hybrid stands where one of its parts stood. The
// free one, [Free], honours two more sentences of the author's text:
// splits, and merges on a third square, may answer a check; and two pieces that
// can both move to one square may merge there, capturing what stands on it.
//
// The author asks that two pieces be "within each other's range". No two of these pieces ever reach each other
// mutually, so it is enough that one reaches the other.
package combine

import (
	"embed"

	"chimera/rules"
	"chimera/rules/fide"
	"chimera/rules/phrase"
)

//go:embed words numbers.txt puzzles.txt course.json free
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// The hybrids, in the order of the piece table.
const (
	RookBishop rules.Role = fide.King + 1 + iota
	RookKnight
	BishopKnight
	QueenKnight
)

var table = pieces() //nolint:gochecknoglobals // never written

func pieces() rules.Table {
	table := fide.Pieces()
	partners := map[rules.Role][]phrase.Phrase{}
	for _, parts := range [...][]rules.Role{
		{fide.Rook, fide.Bishop}, {fide.Rook, fide.Knight}, {fide.Bishop, fide.Knight}, {fide.Queen, fide.Knight},
	} {
		one, other := table[parts[0]], table[parts[1]]
		partners[parts[0]] = append(partners[parts[0]], other.Noun)
		partners[parts[1]] = append(partners[parts[1]], one.Noun)
		name := one.Name + "-" + other.Name
		table = append(table, rules.RoleInfo{
			Code: one.Code + other.Code, Name: name, Parts: parts,
			Noun: book.Say("hybrid." + name), Does: book.Say("does.hybrid", "one", one.Noun, "other", other.Noun),
		})
	}
	for role, with := range partners {
		table[role].Also = book.Say("also.merges", "partners", phrase.Or(with))
	}
	return table
}

// Strict is Combine Chess.
func Strict() *rules.Variant {
	return variant("strict", rules.Variant{Key: "combine", Name: "Combine Chess", Files: files.ReadFile})
}

// Free is Free Combine Chess.
func Free() *rules.Variant {
	own := func(name string) ([]byte, error) { return files.ReadFile("free/" + name) }
	return variant("free", rules.Variant{Key: "combine-free", Name: "Free Combine Chess", Files: own})
}

// variant completes one of the two games; kind is the key of its own texts.
func variant(kind string, v rules.Variant) *rules.Variant {
	v.Words, v.Notation, v.About, v.Rules = book, book.Say("notation"), book.Say("about."+kind), book.Say("rules."+kind, "common", book.Say("rules.common"))
	v.Start, v.Shape, v.Table = fide.Start, fide.Shape(), table
	return rules.NewVariant(v, func(s *State, setup rules.Setup) error {
		s.free = kind == "free"
		return s.Load(setup, s.put)
	})
}

// State is a position: the pieces by their powers, and which of those with a queen's powers are a rook and a bishop
// combined.
type State struct {
	fide.State
	fused rules.Set // the rook-bishops
	free  bool
}

func (s *State) put(sq rules.Square, c rules.Color, r rules.Role) {
	parts := table[r].Parts
	s.Put(sq, c, fide.PowersOf(parts[0])|fide.PowersOf(parts[1]))
	if r == RookBishop {
		s.fused |= sq.Set()
	}
}

// Role is what the piece on sq is, rules.NoRole on an empty square.
func (s *State) Role(sq rules.Square) rules.Role {
	switch {
	case s.fused.Has(sq):
		return RookBishop
	case !s.hybrids().Has(sq):
		return s.State.Role(sq)
	case !s.Diagonals.Has(sq):
		return RookKnight
	case !s.Orthogonals.Has(sq):
		return BishopKnight
	}
	return QueenKnight
}

func (s *State) hybrids() rules.Set {
	return s.fused | s.Knights&(s.Diagonals|s.Orthogonals)
}

// Setup is the position as a FEN says it.
func (s *State) Setup() rules.Setup { return s.Unload(s.Role) }

// Play makes *next the position after m.
func (s *State) Play(m rules.Move, next *State) {
	next.fused, next.free = s.fused, s.free
	switch m.Act {
	case rules.Merge:
		next.join(s, m.From, m.To, m.To)
	case rules.Rally:
		next.join(s, m.From, m.With, m.To)
	case rules.Split:
		next.part(s, m)
	default:
		s.State.Play(m, &next.State)
		if both := m.From.Set() | m.To.Set(); s.fused&both != 0 {
			next.fused &^= both
			if s.fused.Has(m.From) {
				next.fused |= m.To.Set()
			}
		}
	}
}

// join merges the pieces on a and b on to, and captures what else is there.
func (s *State) join(before *State, a, b, to rules.Square) {
	s.State = before.State
	s.Pass()
	if s.Sides[s.Turn].Has(to) {
		s.HalfMoves = 0
	}
	all := a.Set() | b.Set() | to.Set()
	s.Remove(all)
	s.fused &^= all
	s.Put(to, before.Turn, fide.PowersOf(before.Role(a))|fide.PowersOf(before.Role(b)))
	if !s.Knights.Has(to) {
		s.fused |= to.Set()
	}
}

func (s *State) part(before *State, m rules.Move) {
	s.State = before.State
	s.Pass()
	hybrid := before.Role(m.From)
	s.Remove(m.From.Set())
	s.fused &^= m.From.Set()
	s.Put(m.To, before.Turn, fide.PowersOf(m.Role))
	s.Put(m.From, before.Turn, fide.PowersOf(otherPart(hybrid, m.Role)))
}

// otherPart is the rest of a hybrid when a part has left.
func otherPart(hybrid, part rules.Role) rules.Role {
	both := table[hybrid].Parts
	if both[0] == part {
		return both[1]
	}
	return both[0]
}

// Effects is what m makes happen.
func (s *State) Effects(m rules.Move) []rules.Effect {
	setup := s.Setup()
	var next State
	switch m.Act {
	case rules.Merge, rules.Rally:
		s.Play(m, &next)
		return joinEffects(&setup.Board, m, rules.PieceOf(s.Turn, next.Role(m.To)))
	case rules.Split:
		return []rules.Effect{{
			Kind: rules.Parted, From: m.From, To: m.To, Piece: rules.PieceOf(s.Turn, m.Role),
			Into: rules.PieceOf(s.Turn, otherPart(s.Role(m.From), m.Role)),
		}}
	default:
		return fide.StepEffects(setup, m)
	}
}

func joinEffects(pieces *rules.Board, m rules.Move, into rules.Piece) (effects []rules.Effect) {
	second := m.With
	if m.Act == rules.Merge {
		second = m.To
	}
	if m.Act == rules.Rally && pieces[m.To] != (rules.Piece{}) {
		effects = append(effects, rules.Effect{Kind: rules.Captured, From: m.From, To: m.To, Piece: pieces[m.To]})
	}
	for _, sq := range [...]rules.Square{m.From, second} {
		effects = append(effects, rules.Effect{Kind: rules.Merged, From: sq, To: m.To, Piece: pieces[sq], Into: into})
	}
	return effects
}

// Renew makes *setup, which is before's, that of s, and returns the squares that changed.
func (s *State) Renew(before *State, setup *rules.Setup) rules.Set {
	return s.RenewAs(s.Role, s.Changed(&before.Placement)|(s.fused^before.fused), setup)
}

// Moves appends the legal moves.
func (s *State) Moves(buf []rules.Move) []rules.Move {
	d := s.Danger()
	buf = s.MovesIn(&d, s.Attacked, buf)
	if d.Checkers == 0 {
		buf = s.merges(&d, buf)
	}
	if s.free {
		buf = s.rallies(&d, buf)
	}
	if d.Checkers == 0 || s.free && d.Checkers.Rest() == 0 {
		buf = s.splits(&d, buf)
	}
	return buf
}

// partners are the mover's single pieces that may merge with the single piece on
// sq: rook, bishop and knight with each other, the queen with the knight.
func (s *State) partners(sq rules.Square) rules.Set {
	singles := s.Sides[s.Turn&1] &^ s.Kings &^ s.Pawns &^ s.hybrids()
	queens := singles & s.Orthogonals & s.Diagonals
	minor := singles &^ queens
	switch {
	case !singles.Has(sq):
		return 0
	case queens.Has(sq):
		return minor & s.Knights
	case s.Knights.Has(sq):
		return singles &^ s.Knights
	case s.Orthogonals.Has(sq):
		return minor &^ s.Orthogonals
	}
	return minor &^ s.Diagonals
}

// merges appends the merges on one of the two squares, for a mover not in check. Only one square is vacated, so a merge
// is illegal only if the piece that leaves its square is pinned.
func (s *State) merges(d *fide.Danger, buf []rules.Move) []rules.Move {
	occupied := s.Occupied()
	for pieces := s.Sides[s.Turn&1] &^ s.Kings &^ s.Pawns &^ s.hybrids(); pieces != 0; pieces = pieces.Rest() {
		a := pieces.First()
		for near := s.Slides(a, a, occupied) & s.partners(a); near != 0; near = near.Rest() {
			b := near.First()
			if !d.Pinned.Has(a) {
				buf = add(buf, rules.Merge, a, b, 0)
			}
			if !d.Pinned.Has(b) {
				buf = add(buf, rules.Merge, b, a, 0)
			}
		}
	}
	return buf
}

// rallies appends the merges on a third square, each if the king is safe once both squares are left at the same time.
func (s *State) rallies(d *fide.Danger, buf []rules.Move) []rules.Move {
	us, occupied := s.Turn&1, s.Occupied()
	targets := ^s.Sides[us] &^ s.Kings
	for pieces := s.Sides[us] &^ s.Kings &^ s.Pawns &^ s.hybrids(); pieces != 0; pieces = pieces.Rest() {
		a := pieces.First()
		for near := s.Slides(a, a, occupied) & s.partners(a); near != 0; near = near.Rest() {
			b := near.First()
			first, second := a, b // by file
			if b&7 < a&7 || b&7 == a&7 && b < a {
				first, second = b, a
			}
			for to := s.Slides(a, a, occupied) & s.Slides(b, b, occupied) & targets; to != 0; to = to.Rest() {
				met := to.First().Set()
				if after := occupied&^(a.Set()|b.Set()) | met; !s.Attacked(d.King, s.Turn, ^met, after) {
					buf = add(buf, rules.Rally, first, to.First(), second)
				}
			}
		}
	}
	return buf
}

// add appends one move of an act other than Step.
func add(buf []rules.Move, act rules.Act, from, to, with rules.Square) []rules.Move {
	buf = rules.AppendSteps(buf, from, to.Set(), 0)
	m := &buf[len(buf)-1]
	m.Act, m.With = act, with
	return buf
}

// splits appends the splits, for a mover with at most one checker. No square is vacated, so no line opens, and the part
// may block a check.
func (s *State) splits(d *fide.Danger, buf []rules.Move) []rules.Move {
	free := ^s.Occupied()
	if d.Checkers != 0 {
		free &= fide.Between(d.King, d.Checkers.First())
	}
	for pieces := s.hybrids() & s.Sides[s.Turn&1]; pieces != 0; pieces = pieces.Rest() {
		from := pieces.First()
		both := table[s.Role(from)].Parts
		for to := fide.KingSteps(from) & free; to != 0; to = to.Rest() {
			buf = append(buf,
				rules.Move{Act: rules.Split, Role: both[0], From: from, To: to.First()},
				rules.Move{Act: rules.Split, Role: both[1], From: from, To: to.First()})
		}
	}
	return buf
}
