package rules

import (
	"slices"
	"strings"
)

// wording is the content of a move's chat text, before the file or rank that distinguishes it from others is added.
type wording struct {
	act      Act
	mover    string // letters of what acts; "" for a pawn
	own      string // of a shared piece, the letters of the mover's half
	pawn     bool
	straight bool   // a pawn that goes straight ahead
	second   string // of a rally, letters of the second piece
	signs    string // "", "x", "~" or "x~"
	target   string // letters of what stands on the final square and is taken or joined
	from     squareName
	with     squareName
	long     bool   // castles to the left
	to       string // "" if the piece ends where it began
	role     string // what a pawn becomes, or the part that leaves
	short    string // a promotion's other name
	only     bool   // the pawn can become nothing else there
	kills    string // "*e5*f6"
}

func (p *Position) wording(m Move) wording {
	v, pieces := p.variant, &p.setup.Board
	piece := pieces[m.From]
	half := piece.Half(p.setup.Turn)
	w := wording{
		act: m.Act, mover: v.Table.Code(piece), from: v.Shape.nameOf(m.From), long: m.To < m.From, to: v.Shape.Name(m.To),
		role: v.Table[m.Role].Code, short: v.Table[m.Role].Short,
	}
	if piece.Shared() {
		w.own = v.Table[half].Code
	}
	if v.Table[half].Pawn {
		w.mover, w.pawn = "", true
		w.straight = v.Shape.File(m.From) == v.Shape.File(m.To) && (m.To > m.From) == (p.setup.Turn == White)
	}
	if m.From == m.To {
		w.to = ""
	}
	w.only = m.Act == Step && m.Role != NoRole && !slices.ContainsFunc(p.moves, func(other Move) bool {
		role := other.Role
		other.Role = m.Role
		return other == m && role != m.Role && role != NoRole
	})
	switch m.Act {
	case Merge:
		w.signs, w.target = "~", v.Table.Code(pieces[m.To])
	case Rally:
		w.second, w.with = v.Table.Code(pieces[m.With]), v.Shape.nameOf(m.With)
	default:
	}
	for _, e := range p.state.Effects(m) {
		if m.Kills.Has(e.To) {
			continue
		}
		switch e.Kind {
		case Captured, Shot:
			w.signs, w.target = "x", v.Table.Code(e.Piece)
		case Absorbed, Born:
			w.signs, w.target = "~", v.Table.Code(e.Piece)
		default:
		}
	}
	if m.Act == Rally {
		w.signs += "~"
	}
	w.kills = v.Shape.Starred(m.Kills)
	return w
}

// detail is how much of a square is named to tell a piece from others.
type detail uint8

const (
	nothing detail = iota
	file
	rank
	both
)

// squareName is a square's name in its two halves.
type squareName struct{ file, rank string }

func (sh *Shape) nameOf(sq Square) squareName { return squareName{sh.FileName(sq), sh.RankName(sq)} }

func (d detail) of(square squareName) (name string) {
	if d&file != 0 {
		name = square.file
	}
	if d&rank != 0 {
		name += square.rank
	}
	return name
}

// text is the wording with the given details of the squares of its one or two pieces.
func (w *wording) text(first, second detail) string {
	switch {
	case w.act == Castle && w.long:
		return "O-O-O"
	case w.act == Castle:
		return "O-O"
	case w.act == Split:
		return w.mover + both.of(w.from) + "/" + w.role + w.to
	case w.act == Rally:
		return w.mover + first.of(w.from) + "+" + w.second + second.of(w.with) + w.signs + w.to
	case w.pawn && w.signs != "":
		first |= file // a pawn's capture always has its file
	}
	text := w.mover + first.of(w.from) + w.signs
	if w.signs == "~" {
		text += w.target
	}
	text += w.to
	if w.role != "" {
		text += "=" + w.role
	}
	return text + w.kills
}

// script is the possible texts of each legal move of a position.
type script struct {
	wordings []wording
	texts    []string // without + # @
}

func (p *Position) newScript() *script {
	s := &script{make([]wording, len(p.moves)), make([]string, len(p.moves))}
	groups := map[string][]int{}
	for i, m := range p.moves {
		s.wordings[i] = p.wording(m)
		s.texts[i] = s.wordings[i].text(nothing, nothing)
		groups[s.texts[i]] = append(groups[s.texts[i]], i)
	}
	for _, group := range groups {
		if len(group) > 1 {
			s.tellApart(group)
		}
	}
	return s
}

// tellApart adds the file, else the rank, else both, until each text of the group belongs to one move. A pawn straight
// ahead needs none, unless another behind it can leap there.
func (s *script) tellApart(group []int) {
	straight := 0
	for _, i := range group {
		if s.wordings[i].pawn && s.wordings[i].straight {
			straight++
		}
	}
	for _, i := range group {
		if straight == 1 && s.wordings[i].pawn && s.wordings[i].straight {
			continue
		}
		s.texts[i] = s.apart(i, group)
	}
}

func (s *script) apart(i int, group []int) (text string) {
	for n := range (both + 1) * (both + 1) {
		first, second := n%(both+1), n/(both+1)
		text = s.wordings[i].text(first, second)
		other := func(j int) bool { return j != i && s.wordings[j].text(first, second) == text }
		if !slices.ContainsFunc(group, other) {
			break
		}
	}
	return text
}

// script is made at first use.
func (p *Position) script() *script {
	p.scriptOnce.Do(func() { p.written = p.newScript() })
	return p.written
}

// Chat writes the legal move m for people, in its game's notation, such as
// "Nf3", "exd6", "R~Bd4+" or "RNd4/Ne5". It is "" for a move that is not legal.
func (p *Position) Chat(m Move) string {
	i := slices.Index(p.moves, m)
	if i < 0 {
		return ""
	}
	text := p.script().texts[i]
	if slices.ContainsFunc(p.state.Effects(m), func(e Effect) bool { return e.Kind == Annihilated }) {
		text += "@"
	}
	switch after := p.variant.play(p.state, m); {
	case after.status == Checkmate, after.status == KingTaken:
		return text + "#"
	case after.checkers != 0:
		return text + "+"
	}
	return text
}

// Line is the chat texts of moves played one after another from p on, up to the first illegal one.
func (p *Position) Line(moves []Move) (texts []string) {
	for _, m := range moves {
		next, err := p.Play(m)
		if err != nil {
			break
		}
		texts, p = append(texts, p.Chat(m)), next
	}
	return texts
}

// ChatTexts is the chat text of each of Moves, in their order, without the signs at the end for check, mate and the
// like.
func (p *Position) ChatTexts() []string { return slices.Clone(p.script().texts) }

// endings are final signs that do not matter to which move is meant.
const endings = "+#@!?= "

func trimEndings(text string) string { return strings.TrimRight(text, endings) }
