package variants_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/internal/rulestest"
	"chimera/rules/variants"
)

// TestWhatIsPlayedIsWhatWasWritten writes legal moves badly, and moves that may not be
// legal well, in random positions: what is then played is what was written, or nothing.
func TestWhatIsPlayedIsWhatWasWritten(t *testing.T) {
	for _, v := range variants.All() {
		t.Run(v.Key, func(t *testing.T) {
			t.Parallel()
			seed := rand.Uint64()
			random := rand.New(rand.NewPCG(seed, 2))
			played := 0
			for range 10 {
				pos := rulestest.RandomPosition(t, v, random.Uint64())
				for range 300 {
					edits := make([]byte, random.IntN(7))
					for i := range edits {
						edits[i] = byte(random.Uint32())
					}
					if playsWhatIsWritten(t, pos, uint16(random.Uint32()), uint8(random.Uint32()), edits) {
						played++
					}
				}
			}
			if played < 200 || t.Failed() {
				t.Errorf("seed %d: %d texts were read", seed, played)
			}
		})
	}
}

// FuzzWhatIsPlayedIsWhatWasWritten does the same with texts that are looked for.
func FuzzWhatIsPlayedIsWhatWasWritten(f *testing.F) {
	for i := range variants.All() {
		f.Add(uint8(i), uint64(i), uint16(7), uint8(i), []byte{})
		f.Add(uint8(i), uint64(i), uint16(100*i), uint8(0), []byte{1, 2, 3, 4})
	}
	f.Fuzz(func(t *testing.T, n uint8, seed uint64, which uint16, marks uint8, edits []byte) {
		playsWhatIsWritten(t, rulestest.RandomPosition(t, game(n), seed), which, marks, edits)
	})
}

// playsWhatIsWritten edits one of the texts of a position, puts marks of chat round it,
// and has what it plays judged; false if it plays nothing.
func playsWhatIsWritten(t *testing.T, pos *rules.Position, which uint16, marks uint8, edits []byte) bool {
	t.Helper()
	core := edited(textOf(pos, int(which)), edits)
	text := marked(pos.Variant(), core, int(marks))
	m, err := pos.Parse(text)
	if err != nil {
		return false
	}
	if !pos.Variant().MoveLike(text) {
		t.Errorf("%s %s: %q plays %s, but is not taken for a move", pos.Variant().Key, pos.FEN(), text, pos.Chat(m))
	}
	if why := newJudge(pos, core).objects(m); why != "" {
		t.Errorf("%s %s: %q plays %s (%s), but %s", pos.Variant().Key, pos.FEN(), text, pos.Chat(m), pos.Variant().Coordinate(m), why)
	}
	return true
}

// textOf is the coordinate or chat text of a legal move, or a text of a square with a
// letter before it or none.
func textOf(pos *rules.Position, n int) string {
	moves, shape := pos.Moves(), pos.Variant().Shape
	kind, n := n%4, n/4
	squares := shape.ByFile(shape.Squares)
	square := shape.Name(squares[n%len(squares)])
	switch {
	case kind == 0 && len(moves) > 0:
		return pos.Variant().Coordinate(moves[n%len(moves)])
	case kind == 1 && len(moves) > 0:
		return pos.Chat(moves[n%len(moves)])
	case kind == 2:
		return []string{"", "ax", "bx", "cx", "dx", "ex", "fx", "gx", "hx", "b", "x"}[n/len(squares)%11] + square
	}
	return []string{"N", "B", "R", "Q", "K", "n", "~", "A", "Rx", "Bx", "R~"}[n/len(squares)%11] + square
}

// edited is a text with a letter of it taken out, put in, replaced, moved or made
// small or capital for each two bytes.
func edited(text string, edits []byte) string {
	const letters = "abcdefghKQRBNPAIWFGC123456789xx~~=+*/-# kqrbnpx~"
	b := []byte(text)
	for ; len(edits) >= 2 && len(b) > 0; edits = edits[2:] {
		at, c := int(edits[0]>>3)%len(b), letters[int(edits[1])%len(letters)]
		switch edits[0] & 7 {
		case 0, 1:
			b = slices.Delete(b, at, at+1)
		case 2, 3:
			b = slices.Insert(b, at, c)
		case 4:
			b[at] = c
		case 5:
			b[at], b[len(b)-1-at] = b[len(b)-1-at], b[at]
		case 6:
			if b[at] >= 'A' && b[at] != 'O' && b[at]|' ' != '~' {
				b[at] ^= ' '
			}
		case 7:
			b = append(b, c)
		}
	}
	return string(b)
}

// marked is a text as people send it.
func marked(v *rules.Variant, text string, n int) string {
	switch n % 16 {
	case 0:
		return "**" + text + "**"
	case 1:
		return "12. " + text
	case 2:
		return "1..." + text + "!?"
	case 3:
		return "`" + text + "`"
	case 4:
		return "“" + text + "” 👍"
	case 5:
		return strings.Map(func(c rune) rune {
			if c > ' ' && c <= '~' {
				return c - '!' + '！'
			}
			return c
		}, text)
	case 6:
		return strings.Join(strings.Split(text, ""), "\u200b")
	case 7:
		for _, info := range v.Table {
			if rest, ok := strings.CutPrefix(text, info.Code); ok && len(info.Code) == 1 && strings.Trim(rest, "abcdefgh123456789x~") == "" {
				return info.Name + " " + rest
			}
		}
	}
	return text
}

// judge decides whether a text says a move, slowly: it tries every way to cut the text
// up. It knows the board, and nothing of how texts are read.
type judge struct {
	pos  *rules.Position
	text string // as written
	body string // without what never matters
}

func newJudge(pos *rules.Position, text string) judge {
	j := judge{pos, text, ""}
	body := text
	if name := text[:min(len(text), len("rei"))]; slices.Contains([]string{"rei", "rey", "roi"}, strings.ToLower(name)) { // the king in Portuguese, Spanish and French
		body = "K" + text[len(name):]
	}
	for before := ""; body != before; {
		before = body
		body = strings.TrimRight(strings.Trim(body, " "), "+#@!?= ")
		if len(body) > 1 && strings.HasPrefix(body, "*") && strings.HasSuffix(body, "*") {
			body = body[1 : len(body)-1]
		}
		if n := len(body) - len("ep"); n > 0 && strings.EqualFold(body[n:], "ep") && strings.Contains("123456789 ", body[n-1:n]) {
			body = body[:n]
		}
	}
	for _, c := range body {
		if !strings.ContainsRune("-= #", c) {
			j.body += string(c)
		}
	}
	return j
}

// objects is why a move is not what the text says, "" if it is.
func (j judge) objects(m rules.Move) string {
	texts := j.pos.ChatTexts()
	i := slices.Index(j.pos.Moves(), m)
	if exact := strings.TrimRight(strings.ReplaceAll(j.text, " ", ""), "+#@!?="); exact == j.pos.Variant().Coordinate(m) || exact == texts[i] {
		return ""
	}
	mine, ok := j.grade(m)
	if !ok {
		return "the text says something else"
	}
	if mine.path {
		return ""
	}
	for i, other := range j.pos.Moves() {
		if theirs, ok := j.grade(other); ok && other != m && !mine.better(theirs) {
			return "the text says " + texts[i] + " as well"
		}
	}
	return ""
}

// grade is how well a text says a move.
type grade struct {
	whole bool // a piece of both sides is not called by its half
	large bool // no small a-h is a piece's letter
	signs bool // the move has every sign that was written
	pawn  bool // it is a pawn's, and nothing joins
	path  bool // the text says where the piece goes on its way
}

func (g grade) better(than grade) bool {
	for _, by := range [...][2]bool{{g.whole, than.whole}, {g.large, than.large}, {g.signs, than.signs}, {g.pawn, than.pawn}} {
		if by[0] != by[1] {
			return by[0]
		}
	}
	return false
}

func (j judge) grade(m rules.Move) (best grade, ok bool) {
	head, kills, starred := strings.Cut(j.body, "*")
	head = strings.TrimRight(head, "+#@!?= ")
	switch set, read := j.kills(kills, starred); {
	case j.path(m):
		return grade{path: true}, true
	case !read || set != m.Kills:
		return grade{}, false
	}
	accept := func(g grade) {
		if !ok || g.better(best) {
			best, ok = g, true
		}
	}
	signs := j.signs(m)
	all := !strings.Contains(head, "x") && !strings.Contains(head, "X") || strings.Contains(signs, "x")
	all = all && (!strings.Contains(head, "~") || strings.Contains(signs, "~"))
	take := func(s said) {
		accept(grade{whole: s.whole, large: s.large, signs: all, pawn: j.pawn(m.From) && !strings.Contains(head, "~")})
	}
	left, right, parted := strings.Cut(head, "/")
	one, two, paired := strings.Cut(head, "+")
	switch {
	case parted != (m.Act == rules.Split), paired != (m.Act == rules.Rally):
	case parted:
		part := j.pos.Variant().Table[m.Role].Code
		to := j.name(m.To)
		for _, s := range j.subjects(left, m.From) {
			if strings.EqualFold(right, to) || strings.EqualFold(right, part+to) {
				take(s)
			}
		}
	case paired:
		for _, order := range [...][2]rules.Square{{m.From, m.With}, {m.With, m.From}} {
			for _, s := range j.subjects(one, order[0]) {
				for cut := range len(two) + 1 {
					square := strings.TrimLeft(two[cut:], "xX~")
					named := len(square) < len(two)-cut && strings.EqualFold(square, j.target(m)+j.name(m.To))
					for _, t := range j.subjects(two[:cut], order[1]) {
						if named || strings.EqualFold(square, j.name(m.To)) {
							take(said{whole: s.whole && t.whole, large: s.large && t.large})
						}
					}
				}
			}
		}
	default:
		j.step(m, head, take)
	}
	return best, ok
}

// step looks for each way in which a text says a move of one piece to a square.
func (j judge) step(m rules.Move, head string, take func(said)) {
	castling := map[bool]string{true: "OO", false: "OOO"}[m.To > m.From]
	if m.Act == rules.Castle && strings.ToUpper(strings.ReplaceAll(head, "0", "O")) == castling {
		take(said{whole: true, large: true})
	}
	to := ""
	if m.To != m.From {
		to = j.name(m.To)
	}
	for end := range len(head) + 1 {
		if !strings.HasSuffix(strings.ToLower(head[:end]), to) || !j.promotes(m, head[end:]) {
			continue
		}
		before := head[:end-len(to)]
		for cut := range len(before) + 1 {
			sign := before[cut : len(before)-len(strings.TrimLeft(before[cut:], "xX~"))]
			target := before[cut+len(sign):]
			if target != "" && (sign == "" || !strings.EqualFold(target, j.target(m))) {
				continue
			}
			for _, s := range j.subjects(before[:cut], m.From) {
				if j.allows(m, s, sign, target) {
					take(s)
				}
			}
		}
	}
}

// allows reports whether the rules let this be said of a move so: who moves is named, or
// is a pawn; pieces of one side are joined by their sign.
func (j judge) allows(m rules.Move, s said, sign, target string) bool {
	joins := strings.Contains(j.signs(m), "~") && strings.Contains(sign, "~")
	switch {
	case m.Act == rules.Merge && !strings.Contains(sign, "~"):
		return false
	case j.pawn(m.From), target != "":
		return true
	case s.letters == "":
		return s.square == 2 || joins
	case !s.large && len(s.letters) == 1 && s.square == 0 && strings.ContainsAny(sign[:min(len(sign), 1)], "xX"):
		for sq := range j.pos.Variant().Shape.Squares.Squares() {
			if j.pawn(sq) && j.name(sq)[:1] == s.letters {
				return false
			}
		}
	}
	return true
}

// said is a way to name a piece.
type said struct {
	letters      string
	square       int // of its file and rank, how many
	whole, large bool
}

// subjects are the ways in which a text names the piece on a square.
func (j judge) subjects(text string, sq rules.Square) (all []said) {
	v, piece := j.pos.Variant(), j.pos.Board()[sq]
	half := v.Table[piece.Half(j.pos.Turn())]
	for cut := range len(text) + 1 {
		s := said{letters: text[:cut], whole: true}
		s.large = !strings.ContainsAny(s.letters, "abcdefgh")
		switch {
		case s.letters == "":
		case strings.EqualFold(s.letters, v.Table.Code(piece)):
		case piece.Shared() && strings.EqualFold(s.letters, half.Code):
			s.whole = false
		default:
			continue
		}
		name, rest := j.name(sq), text[cut:]
		if rest != "" && (rest[0] == name[0] || strings.ToLower(rest[:1]) == name[:1] && v.Table.Role(rest[:1]) == rules.NoRole) {
			s.square, rest = s.square+1, rest[1:]
		}
		if rest == name[1:] {
			s.square, rest = s.square+1, ""
		}
		if rest == "" {
			all = append(all, s)
		}
	}
	return all
}

// promotes reports whether a text names what a move's pawn becomes, or need not.
func (j judge) promotes(m rules.Move, text string) bool {
	role := j.pos.Variant().Table[m.Role]
	if text != "" {
		return m.Role != rules.NoRole && (strings.EqualFold(text, role.Code) || strings.EqualFold(text, role.Short))
	}
	return !slices.ContainsFunc(j.pos.Moves(), func(other rules.Move) bool {
		return m.Role != rules.NoRole && other.Role != m.Role && other.From == m.From && other.To == m.To
	})
}

// signs are those of a move: x if it removes something from the square where it ends,
// ~ if something is joined there.
func (j judge) signs(m rules.Move) (signs string) {
	for _, e := range j.pos.Effects(m) {
		if m.Kills.Has(e.To) {
			continue
		}
		switch e.Kind {
		case rules.Captured, rules.Shot:
			signs = "x"
		case rules.Absorbed, rules.Born:
			signs = "~"
		default:
		}
	}
	if m.Act == rules.Merge {
		return "~"
	}
	if m.Act == rules.Rally {
		return signs + "~"
	}
	return signs
}

// target is the letters of what a move takes or joins on its last square.
func (j judge) target(m rules.Move) (letters string) {
	table := j.pos.Variant().Table
	if m.Act == rules.Merge {
		return table.Code(j.pos.Board()[m.To])
	}
	for _, e := range j.pos.Effects(m) {
		if !m.Kills.Has(e.To) && slices.Contains([]rules.EffectKind{rules.Captured, rules.Shot, rules.Absorbed, rules.Born}, e.Kind) {
			letters = table.Code(e.Piece)
		}
	}
	return letters
}

// path reports whether a text writes a way of a move square by square, three at least.
func (j judge) path(m rules.Move) bool {
	text := strings.ToLower(strings.NewReplacer("x", "", "X", "").Replace(j.body))
	if rest, ok := strings.CutPrefix(text, strings.ToLower(j.pos.Variant().Table.Code(j.pos.Board()[m.From]))); ok && len(rest)%2 == strings.Count(rest, "*")%2 {
		text = rest
	}
	var way, shot rules.Set
	last, n := m.From, 0
	for ; text != ""; n++ {
		rest, star := strings.CutPrefix(text, "*")
		sq := j.pos.Variant().Shape.Parse(rest[:min(len(rest), 2)])
		switch {
		case sq == rules.NoSquare, n == 0 && (star || sq != m.From):
			return false
		case star:
			shot |= sq.Set()
		default:
			way, last = way|sq.Set(), sq
		}
		text = rest[2:]
	}
	return n > 2 && last == m.To && m.Act == rules.Step && m.Kills&^(way|shot) == 0 && shot&^(m.Kills|m.To.Set()) == 0
}

// kills are the squares of "e5*f6".
func (j judge) kills(list string, starred bool) (set rules.Set, ok bool) {
	if !starred {
		return 0, true
	}
	for name := range strings.SplitSeq(strings.ToLower(list), "*") {
		sq := j.pos.Variant().Shape.Parse(name)
		if sq == rules.NoSquare {
			return 0, false
		}
		set |= sq.Set()
	}
	return set, true
}

func (j judge) name(sq rules.Square) string { return j.pos.Variant().Shape.Name(sq) }

func (j judge) pawn(sq rules.Square) bool {
	return j.pos.Variant().Table[j.pos.Board()[sq].Half(j.pos.Turn())].Pawn
}

// TestCastlingIsSaidInWordsInEveryGame looks for it in games that are played at random.
func TestCastlingIsSaidInWordsInEveryGame(t *testing.T) {
	for _, v := range variants.All() {
		if v.Key == "combination" {
			continue // there is none
		}
		said := map[string]bool{}
		for seed := uint64(0); len(said) < 2; seed++ {
			if seed > 3000 {
				t.Fatalf("%s: only %v was found", v.Key, said)
			}
			random := rand.New(rand.NewPCG(seed, 9))
			pos := rulestest.Position(t, v, "")
			for ply := 0; ply < 60 && len(pos.Moves()) > 0; ply++ {
				for i, text := range pos.ChatTexts() {
					words := map[string]string{"O-O": "petit roque", "O-O-O": "lange Rochade"}[strings.TrimRight(text, "+#")]
					if words == "" {
						continue
					}
					said[words] = true
					if m, err := pos.Parse(words); err != nil || m != pos.Moves()[i] {
						t.Fatalf("%s: %q is %v, %v, and not %s", v.Key, words, m, err, text)
					}
				}
				pos = rulestest.Played(t, pos, pos.Moves()[random.IntN(len(pos.Moves()))])
			}
		}
	}
}
