package rules

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"chimera/rules/phrase"
)

const maxMoveText = 200

// Parse finds the legal move that a text means: by its coordinate text, by exactly its chat text, or leniently by what
// people write. Marks of chat around the text are ignored. The error is an [*Illegal]: with the candidates if the text
// fits several moves; if it fits none, with the reason, and the moves that it may mean or else the nearest.
func (p *Position) Parse(text string) (Move, error) {
	m, err := p.parse(text)
	if no := (*Illegal)(nil); errors.As(err, &no) {
		no.Lead = p.variant.Explaining(no.Reason)
	}
	return m, err
}

func (p *Position) parse(text string) (Move, error) {
	text = strings.TrimSpace(text)
	if len(text) > maxMoveText || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return Move{}, &Illegal{Reason: Unreadable, Sentence: book.Say("refused.unreadable")}
	}
	if len(p.moves) == 0 {
		return Move{}, p.refuse(Move{})
	}
	text = p.variant.inLetters(text)
	if latin, letters, ok := fromRussian(text); ok {
		table := p.variant.Table
		return Move{}, p.wrongLetter(letters, plain(latin), cmp.Or(table.Role(russianPieces.Replace(letters)), table.Role("P")))
	}
	text = plain(text)
	if m, err := p.ParseCoordinate(text); err == nil {
		return m, nil
	}
	written := p.script()
	if i := slices.Index(written.texts, text); i >= 0 {
		return p.moves[i], nil
	}
	if s, ok := p.state.(PathReader); ok {
		if m, ok := s.ReadPath(text); ok {
			return m, p.Check(m)
		}
	}
	read := p.newReader(text)
	fits, meant := read.fits()
	switch {
	case len(fits) == 0 || !meant:
		no := p.explain(read)
		if no.Reason != Miswritten && no.Meant == nil { // it has not said yet what to write
			no.Meant = p.textsOf(fits)
		}
		return Move{}, no
	case len(fits) == 1:
		return p.moves[fits[0]], nil
	}
	return Move{}, &Illegal{Reason: Ambiguous, Sentence: book.Say("refused.ambiguous", "n", len(fits)), Nearest: p.textsOf(fits)}
}

// textsOf is the chat texts of the first few moves, without final signs.
func (p *Position) textsOf(moves []int) []string {
	return phrase.Each(moves[:min(len(moves), 8)], func(i int) string { return p.script().texts[i] })
}

// ParseCoordinate finds the legal move of a coordinate text, or returns an
// [*Illegal].
func (p *Position) ParseCoordinate(text string) (Move, error) {
	var written []byte
	for _, m := range p.moves {
		if written = p.variant.appendCoordinate(written[:0], m); string(written) == text {
			return m, nil
		}
	}
	return Move{}, &Illegal{Reason: NotPossible, Sentence: book.Say("refused.not-coordinates")}
}

// ParseLine finds the moves of coordinate texts played one after another from p on. The error is that of the first
// illegal one; the line has the moves before it.
func (p *Position) ParseLine(texts []string) (line []Move, err error) {
	for _, text := range texts {
		m, err := p.ParseCoordinate(text)
		if err != nil {
			return line, err
		}
		line, p = append(line, m), p.variant.play(p.state, m)
	}
	return line, nil
}

// reader matches one text leniently against the wordings of legal moves.
type reader struct {
	p     *Position
	body  string // the text without meaningless signs
	kills string // "*e5*f6", sorted as in wordings
	signs string // which of x and ~ stand in it
}

// needless removes the signs that do not change which move is meant.
var needless = strings.NewReplacer("X", "x", "-", "", "=", "") //nolint:gochecknoglobals // never written

func (p *Position) newReader(text string) *reader {
	r := &reader{p: p}
	body, kills, starred := strings.Cut(needless.Replace(text), "*")
	r.body = trimEndings(body)
	if set, ok := p.killSet(kills); ok {
		r.kills = p.variant.Shape.Starred(set)
	} else if starred { // a wrong list of squares fits nothing
		r.kills = "*" + kills
	}
	for _, sign := range []string{"x", "~"} {
		if strings.Contains(r.body, sign) {
			r.signs += sign
		}
	}
	return r
}

// killSet reads "f6*e5"; false if it is no list of squares.
func (p *Position) killSet(list string) (set Set, ok bool) {
	for name := range strings.SplitSeq(list, "*") {
		sq := p.variant.Shape.Parse(strings.ToLower(name))
		if sq == NoSquare {
			return 0, false
		}
		set |= sq.Set()
	}
	return set, true
}

// Penalties for reading a text in a certain way, below these if it is what was written.
const (
	notMeant = 1 << 4
	noFit    = notMeant << 1
)

// fits are the moves that fit best; meant is false if they were not written, but may have been meant.
func (r *reader) fits() (moves []int, meant bool) {
	least := noFit
	wordings := r.p.script().wordings
	for i := range wordings {
		against := r.fit(&wordings[i])
		if against < least {
			least, moves = against, nil
		}
		if against == least && against < noFit {
			moves = append(moves, i)
		}
	}
	return moves, least < notMeant
}

// fit is the penalty of the best way to read the text as a wording.
func (r *reader) fit(w *wording) int {
	if r.kills != w.kills {
		return noFit
	}
	least := noFit
	try := func(ok bool, s subject) {
		if !ok {
			return
		}
		against := 0
		pawn := w.pawn && !strings.Contains(r.signs, "~")
		signs := strings.Trim(r.signs, w.signs)                                      // written signs that the move does not have
		for i, is := range [...]bool{!pawn, signs != "", s.small, s.half, s.other} { // the most serious last
			if is {
				against |= 1 << i
			}
		}
		least = min(least, against)
	}
	left, right, split := strings.Cut(r.body, "/")
	switch one, two, rally := strings.Cut(r.body, "+"); {
	case split != (w.act == Split) || rally != (w.act == Rally):
	case w.act == Split:
		part := strings.EqualFold(right, w.to) || strings.EqualFold(right, w.role+w.to) // the part that leaves a hybrid, and its square
		r.subject(left, w, func(rest string, s subject) { try(rest == "" && part, s) })
	case w.act == Rally:
		other := wording{mover: w.second, from: w.with}
		for _, pair := range [...][2]*wording{{w, &other}, {&other, w}} {
			r.subject(one, pair[0], func(rest string, s subject) {
				r.subject(two, pair[1], func(end string, t subject) {
					t.small, t.other = t.small || s.small, s.onSquare || t.onSquare
					ok, _ := r.target(end, w)
					try(rest == "" && ok, t)
				})
			})
		}
	case w.act == Castle && castlingFiles(r.body) != 0 && (r.body == eitherCastling || castlingFiles(r.body) < 0 == w.long):
		try(true, subject{})
	default:
		r.subject(r.body, w, func(rest string, s subject) {
			ok, called := r.target(rest, w)
			s.other = w.act == Merge && !strings.Contains(r.signs, "~") || s.onSquare || !called && r.saysPawn(&s, rest, w)
			try(ok && !r.saysPiece(&s, w), s)
		})
	}
	return least
}

// subject is how a text's beginning names the acting piece of a wording.
type subject struct {
	letters  string // as written
	square   detail // how much of its square is named
	onSquare bool   // letter and rank are those of a square, as in "b4c3"
	small    bool   // a small letter of a file is read as a piece's letter
	half     bool   // a shared piece is called by the mover's half
	other    bool   // it may mean another piece: no letter usually means a pawn, a square the piece on it; or a join lacks its sign
}

// saysPawn reports whether a text means a pawn, but the wording is of another piece: neither a letter nor a square
// names it, nor does a join's sign; or a small letter is the file of a capturing pawn. rest is what follows its name.
func (r *reader) saysPawn(s *subject, rest string, w *wording) bool {
	switch {
	case w.pawn:
		return false
	case s.letters == "" && s.square != both:
		return !strings.Contains(r.signs, "~") || !strings.Contains(w.signs, "~")
	case s.small && s.square == nothing && len(s.letters) == 1 && strings.HasPrefix(rest, "x"):
		return len(r.p.owned("P", s.letters, "")) > 0
	}
	return false
}

// saysPiece reports whether what could be the file of the acting piece is probably a piece's letter in another
// language, as in "Cc6" and "Cxd5" a knight's in Spanish; or another capital that nobody writes for the file of a pawn
// that goes straight ahead.
func (r *reader) saysPiece(s *subject, w *wording) bool {
	return s.letters == "" && s.square == file && r.body[0] < 'a' &&
		(r.p.variant.spoken().letters[r.body[:1]] != NoRole || w.pawn && r.signs == "")
}

// subject reads "[letters][file][rank]" from the text in every way that fits the acting piece of the wording, and
// passes on each rest.
func (r *reader) subject(text string, w *wording, next func(rest string, s subject)) {
	mover := w.mover
	if w.pawn {
		mover = "P"
	}
	for i, letters := range [...]string{"", mover, w.own} {
		rest, ok := cutFold(text, letters)
		if !ok || letters == "" && i > 0 {
			continue
		}
		s := subject{letters: text[:len(letters)]}
		s.small, s.half = strings.ContainsAny(s.letters, r.p.variant.Shape.files()), i == 2
		r.square(rest, w.from, func(rest string, said detail) {
			s.square = said
			s.onSquare = s.small && said == rank && r.p.variant.Shape.Parse(s.letters+w.from.rank) != NoSquare
			next(rest, s)
		})
	}
}

// square reads nothing, the file, the rank or both of the named square.
func (r *reader) square(text string, name squareName, next func(rest string, said detail)) {
	next(text, nothing)
	if rest, ok := r.file(text, name.file); ok {
		next(rest, file)
		if rest, ok := strings.CutPrefix(rest, name.rank); ok {
			next(rest, both)
		}
	}
	if rest, ok := strings.CutPrefix(text, name.rank); ok {
		next(rest, rank)
	}
}

// file reads a file's letter, also a capital if that is no piece's letter.
func (r *reader) file(text, name string) (rest string, ok bool) {
	if rest, ok = strings.CutPrefix(text, name); ok || r.p.variant.Table.Role(strings.ToUpper(name)) != NoRole {
		return rest, ok
	}
	return cutFold(text, name)
}

// target reads "[signs][letters]square[promotion]" to the end; called reports whether those letters are there.
func (r *reader) target(text string, w *wording) (ok, called bool) {
	rest := strings.TrimLeft(text, "x~")
	if rest != text && w.target != "" {
		if after, ok := cutFold(rest, w.target); ok && r.goal(after, w) {
			return true, true
		}
	}
	return r.goal(rest, w), false
}

func (r *reader) goal(text string, w *wording) bool {
	text, ok := cutFold(text, w.to)
	return ok && (strings.EqualFold(text, w.role) || strings.EqualFold(text, w.short) && w.short != "" || text == "" && w.only)
}

// cutFold is strings.CutPrefix without regard to case.
func cutFold(text, prefix string) (rest string, ok bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return text[len(prefix):], true
}

// Plain is a text in the signs of move text, without the marks that chats, keyboards and score sheets put around a
// move: "1. **ｎｆ３‼**" is "nf3", and "Knight to f3" is "Nf3".
func (v *Variant) Plain(text string) string { return plain(v.inLetters(text)) }

// plain is a text without the marks around it; it must not name pieces by words.
func plain(text string) string {
	return strings.Join(strings.Fields(unmarked(strings.Map(plainSign, text))), "")
}

// signs maps letters and signs to the usual ones that look or mean the same.
var signs = map[rune]rune{ //nolint:gochecknoglobals // never written
	'~': '~', '˜': '~', '∼': '~', '〜': '~', '×': 'x', '✕': 'x', '✖': 'x', '−': '-', '…': '.', '。': '.', '+': '+', '=': '=',
	'‼': '!', '⁉': '!', '⁇': '?', '⁈': '?', '†': '+', '‡': '+', '"': -1, '\'': -1, '\\': -1,
	'♔': 'K', '♚': 'K', '♕': 'Q', '♛': 'Q', '♖': 'R', '♜': 'R', '♗': 'B', '♝': 'B', '♘': 'N', '♞': 'N', '♙': 'P', '♟': 'P',
	// Letters of Cyrillic keyboards in the place of the Latin ones that they look like. The capitals К and С
	// are not among them as pieces: in Russian those are others than K and C.
	'а': 'a', 'в': 'b', 'с': 'c', 'е': 'e', 'А': 'A', 'В': 'B', 'Е': 'E', 'С': 'c', 'о': 'o', 'О': 'O', 'х': 'x', 'Х': 'x',
}

// plainSign is the usual form of a letter or sign, negative if it has no meaning in move text.
func plainSign(c rune) rune {
	const wide, last, narrow = '！', '～', '!'
	if c >= wide && c <= last {
		c = c - wide + narrow
	}
	if sign, ok := signs[c]; ok {
		return sign
	}
	switch {
	case unicode.IsSpace(c):
		return ' '
	case unicode.Is(unicode.Pd, c):
		return '-'
	case unicode.In(c, unicode.Pc, unicode.Pi, unicode.Pf, unicode.Ps, unicode.Pe, // brackets, quotes and underscores
		unicode.So, unicode.Sk, unicode.Sm, // emoji
		unicode.Cf, unicode.Me, unicode.Variation_Selector): // invisible characters
		return -1
	}
	return c
}

// unmarked is a text without its move number, comments on the move's quality and kind after it, and stars on both
// sides.
func unmarked(text string) string {
	for {
		rest := strings.TrimRight(strings.Trim(text, " .,;:"), endings+".,;:")
		if number := strings.TrimLeft(rest, "0123456789"); strings.HasPrefix(strings.TrimLeft(number, " "), ".") {
			rest = number
		}
		if len(rest) > 1 && rest[0] == '*' && rest[len(rest)-1] == '*' {
			rest = rest[1 : len(rest)-1]
		}
		rest = withoutEnPassant(rest)
		if rest == text {
			return text
		}
		text = rest
	}
}

// withoutEnPassant is a text without the "e.p." after its square.
func withoutEnPassant(text string) string {
	for _, said := range [...]string{"e.p", "ep", "en passant"} {
		at := len(text) - len(said)
		if at > 0 && strings.EqualFold(text[at:], said) && strings.IndexByte(" 0123456789", text[at-1]) >= 0 {
			return text[:at]
		}
	}
	return text
}

// MoveLike reports whether a text is written as a move of the game, legal or not, in any position: apart from marks of
// chat, it has only letters of pieces, squares and signs in the order of move text. Talk that mentions a square is not.
func (v *Variant) MoveLike(text string) bool {
	if len(text) > maxMoveText {
		return false
	}
	latin, _, _ := fromRussian(v.inLetters(text))
	body, kills, kill := strings.Cut(needless.Replace(plain(latin)), "*")
	body = trimEndings(body)
	if kill {
		body = strings.TrimRight(body, "x") // of a shot, like the sign before it
	}
	like := v.like()
	switch {
	case kill && !like.kills.MatchString(kills):
		return false
	case castlingFiles(body) != 0:
		return true
	}
	return like.move.MatchString(body) || kill && like.subject.MatchString(body)
}

// likeness are the forms of move text in a game.
type likeness struct{ move, subject, kills *regexp.Regexp }

// likenesses makes them once. Squares may be just beyond the board's edge, or holes. A single capital that is no
// piece's letter may be one in another game or language.
func (v *Variant) likenesses() func() likeness {
	return sync.OnceValue(func() likeness {
		ranks := make([]string, v.Shape.Ranks+1)
		for i := range ranks {
			ranks[i] = strconv.Itoa(i + 1)
		}
		files := fileLetters[:min(v.Shape.Files+1, len(fileLetters))]
		names := strings.NewReplacer(
			"SUBJECT", "(?:LETTERSFILE?RANK?|[A-Z]RANK?)[x~]*",
			"SQUARE", "FILERANK",
		)
		parts := strings.NewReplacer(
			"LETTERS", "["+v.letters()+strings.ToLower(v.letters())+"]*",
			"FILE", "["+files+strings.ToUpper(files)+"]",
			"RANK", "(?:"+strings.Join(ranks, "|")+")",
		)
		like := func(pattern string) *regexp.Regexp {
			return regexp.MustCompile("^(?:" + parts.Replace(names.Replace(pattern)) + ")$")
		}
		const goal = "SUBJECT(?:[x~]+LETTERS)?SQUARELETTERS(?:x*SQUARELETTERS)*"
		return likeness{like("(?:SUBJECT[/+])?" + goal), like("SUBJECT"), like(`SQUARE(?:\*SQUARE)*`)}
	})
}

// letters are those of the game's pieces and promotions.
func (v *Variant) letters() (letters string) {
	for _, info := range v.Table {
		letters += info.Code + info.Short
	}
	return letters
}

// eitherCastling is what "castle" alone means.
const eitherCastling = "O?O"

// castlingFiles is how many files to the right the king of "OO" or "OOO" goes; 0 for another text.
func castlingFiles(body string) int {
	switch strings.ToUpper(strings.ReplaceAll(body, "0", "O")) {
	case "OO", eitherCastling:
		return 2
	case "OOO":
		return -2
	}
	return 0
}
