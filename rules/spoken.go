package rules

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"chimera/rules/phrase"
)

// spoken is the names of a game's pieces and moves in all languages.
type spoken struct {
	names   map[string]string // the letters of pieces, by what they are called in one word
	letters map[string]Role   // pieces by their letter in other languages; NoRole for an ambiguous letter
}

// speech collects at first use how a game's pieces are called.
func (v *Variant) speech() func() *spoken {
	return sync.OnceValue(func() *spoken {
		said := &spoken{map[string]string{}, map[string]Role{}}

		for role, info := range v.Table {
			if Role(role) == NoRole {
				continue
			}
			said.call(info.Name, info.Code)
			for _, l := range phrase.Languages() {
				for _, form := range append(info.Noun.Forms(l), info.Alias.Forms(l)...) {
					said.call(form, info.Code)
				}
				lettered := info.Noun
				if !info.Alias.IsZero() {
					lettered = info.Alias
				}
				first, _ := utf8.DecodeRuneInString(lettered.Text(l))
				letter := string(unicode.ToUpper(first))
				switch other, known := said.letters[letter]; {
				case len(info.Code) > 1, info.Pawn, l == phrase.English, strings.Contains(v.letters(), letter), first >= utf8.RuneSelf:
				case known && other != Role(role):
					said.letters[letter] = NoRole
				default:
					said.letters[letter] = Role(role)
				}
			}
		}
		return said
	})
}

// call notes a piece's name, if that is one word. A name already taken stays with its piece.
func (s *spoken) call(name, code string) {
	word := phrase.Fold(name)
	if wordLength(word) < len(word) || utf8.RuneCountInString(word) < 3 || strings.EqualFold(name, code) {
		return
	}
	if _, taken := s.names[word]; !taken {
		s.names[word] = code
	}
}

// piece reads the letters of a piece from a word that begins with its name; the file of a square may follow, as in
// "knightf3", whose rank begins next.
func (s *spoken) piece(word, next string) (letters string, ok bool) {
	word = phrase.Fold(word)
	if code, ok := s.names[word]; ok {
		return code, true
	}
	for n := 1; n <= 2 && n < len(word) && next != "" && next[0] >= '1' && next[0] <= '9'; n++ {
		name, file := word[:len(word)-n], word[len(word)-n:]
		if code, ok := s.names[name]; ok && (n == 1 || file[0] == 'x') {
			return code + file, true
		}
	}
	return "", false
}

//nolint:gochecknoglobals // read once, never written
var (
	between = wordsOf("read.between")
	takes   = wordsOf("read.takes")
	short   = wordsOf("read.castles-short")
	long    = wordsOf("read.castles-long")
	castles = wordsOf("read.castles")
)

// wordsOf are the words of a list in all languages.
func wordsOf(key string) func() []string {
	return sync.OnceValue(func() (all []string) {
		for _, l := range phrase.Languages() {
			all = append(all, strings.Fields(phrase.Fold(book.Say(key).Text(l)))...)
		}
		return all
	})
}

// inLetters is a text in which names of pieces in any language are replaced by their letters, and words between parts
// of a move by signs: "Springer schlägt auf e5" becomes "N x  e5". Files before a rank may be Russian.
func (v *Variant) inLetters(text string) string {
	switch said := strings.Join(strings.FieldsFunc(phrase.Fold(text), func(c rune) bool { return !unicode.IsLetter(c) }), "-"); {
	case slices.Contains(short(), said):
		return "O-O"
	case slices.Contains(long(), said):
		return "O-O-O"
	case slices.Contains(castles(), said):
		return eitherCastling
	}
	text = filesByEar.ReplaceAllStringFunc(text, heardFiles.Replace)
	var b strings.Builder
	begun, named := false, false // whether anything has been said yet, and a piece by its name
	for text != "" {
		n := wordLength(text)
		if n == 0 {
			_, n = utf8.DecodeRuneInString(text)
			begun = begun || text[0] >= '0' && text[0] <= '9'
			b.WriteString(text[:n])
			text = text[n:]
			continue
		}
		if code, length := v.named(text); length > 0 {
			b.WriteString(code)
			text, begun, named = text[length:], true, true
			continue
		}
		word, rest := text[:n], text[n:]
		code, called := v.spoken().piece(word, rest)
		switch folded := phrase.Fold(word); {
		case called:
			b.WriteString(code)
			named = true
		case (begun || v.names(rest)) && v.leads(folded, rest, named):
		case begun && slices.Contains(takes(), folded):
			b.WriteByte('x')
		default:
			b.WriteString(word)
		}
		text, begun = rest, true
	}
	return b.String()
}

// names reports whether a text begins with the name of a piece.
func (v *Variant) names(text string) bool {
	text = strings.TrimLeft(text, " ")
	_, ok := v.spoken().names[phrase.Fold(text[:wordLength(text)])]
	return ok
}

// leads reports whether a word such as "to", which stands alone, joins what was said to the rest. A single letter may
// be a file instead, unless a piece's name is before it.
func (v *Variant) leads(word, rest string, named bool) bool {
	leads := slices.Contains(between(), word) && strings.HasPrefix(rest, " ")
	passing := word == "en" && strings.HasPrefix(phrase.Fold(rest), " passant")
	return leads && !passing && (named || utf8.RuneCountInString(word) > 1 || word == "o" && v.names(rest) || word == "a" && feminine.MatchString(phrase.Fold(rest))) // which is no file
}

// named finds an English name of several words, or with a number in it, at the beginning of a text. It returns the
// piece's letters and the name's length; 0 if there is none, or the text goes on as no move does.
func (v *Variant) named(text string) (code string, length int) {
	for _, info := range v.Table {
		n := len(info.Name)
		if n <= length || n > len(text) || wordLength(info.Name) == n || !strings.EqualFold(text[:n], info.Name) {
			continue
		}
		if after := strings.TrimPrefix(text[n:], "x"); wordLength(after) < 2 {
			code, length = info.Code, n
		}
	}
	return code, length
}

// Named is the piece that a word calls by its name in any language; NoRole if there is none.
func (v *Variant) Named(word string) Role { return v.Table.Role(v.spoken().names[phrase.Fold(word)]) }

// wordLength is the length of the letters at the beginning of a text.
func wordLength(text string) int {
	return len(text) - len(strings.TrimLeftFunc(text, unicode.IsLetter))
}

// otherLetter is for a piece called by its letter in another language, as in "Sf3": it says which letter to use, and
// asks for the move, or says why there is none. A capital that is a file may still mean a pawn. It is nil for other
// attempts.
func (p *Position) otherLetter(r *reader, a attempt) *Illegal {
	role, files := p.variant.spoken().letters[strings.ToUpper(a.mover)], p.variant.Shape.files()
	if role == NoRole || strings.Contains(files, a.mover) {
		return nil
	}
	rest := r.body[len(a.mover):] + r.kills
	no := p.wrongLetter(a.mover, p.variant.Table[role].Code+rest, role)
	if !strings.Contains(files, strings.ToLower(a.mover)) {
		return no
	}
	if pawn, meant := p.newReader(strings.ToLower(a.mover) + rest).fits(); meant {
		no.Meant = append(no.Meant, p.textsOf(pawn)...)
	}
	return no
}

// wrongLetter says how to write a piece that was called by other letters, and asks whether a move is meant, or says why
// there is none.
func (p *Position) wrongLetter(letters, meant string, role Role) *Illegal {
	info := p.variant.Table[role]
	sentence := book.Say("refused.letter", "piece", info.Noun, "letters", letters, "code", info.Code)
	read := p.newReader(meant)
	if fits, ok := read.fits(); ok {
		return &Illegal{Reason: Miswritten, Sentence: sentence, Meant: p.textsOf(fits)}
	}
	no := p.explain(read)
	no.Sentence = book.Say("all", "sentences", phrase.Spaced([]phrase.Phrase{sentence, no.Sentence}))
	return no
}

// feminine is a piece after the Portuguese article "a".
var feminine = regexp.MustCompile(`^ (torre|dama|rainha) `)

// filesByEar are Cyrillic letters that sound like files, before a rank. х is not among them: х3 means something else.
//
//nolint:gochecknoglobals // never written
var (
	filesByEar = regexp.MustCompile(`[бцдэфгж][1-9]`)
	heardFiles = strings.NewReplacer("б", "b", "ц", "c", "д", "d", "э", "e", "ф", "f", "г", "g", "ж", "g")
)

// russianPieces translates the Russian letters of pieces to those of move text.
var russianPieces = strings.NewReplacer( //nolint:gochecknoglobals // never written
	"Кр", "K", "К", "N", "Ф", "Q", "Л", "R", "С", "B", "П", "P",
)

// fromRussian is a text with Russian letters of pieces translated to move text's, and the first of those; false if it
// has none. С before a rank is the file that it looks like.
func fromRussian(text string) (latin, letters string, ok bool) {
	for rank := range strings.SplitSeq("123456789", "") {
		text = strings.ReplaceAll(text, "С"+rank, "c"+rank)
	}
	at := strings.IndexAny(text, "КФЛСП")
	if at < 0 {
		return text, "", false
	}
	_, size := utf8.DecodeRuneInString(text[at:])
	letters = text[at : at+size]
	if strings.HasPrefix(text[at:], "Кр") {
		letters = "Кр"
	}
	return russianPieces.Replace(text), letters, true
}
