package phrase_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"chimera/rules/phrase"
)

// book has sentences of each kind; French has not all of them.
var book = phrase.NewBook(fstest.MapFS{
	"words/en.toml": {Data: []byte(`
left = "{n:0=no days left|one=# day left|other=# days left}"
takes = "{piece.The} takes {prey.the} on {square}."
help = "Write ` + "`accept {code}` or ``claim auto``, **{name}**" + `."
braces = 'The sign \{x\} or \**'
turn = "{who:white=White to move|black=Black to move}"
only = "English only: {piece.a}."
eats = "It eats {piece.the}."
all = "There are {items}."
[rook]
name = "rook"
the = "the rook"
a = "a rook"
[foreign]
name = "lion"
the = "the lion"
[placed]
name = "{piece} on {square}"
the = "{piece.the} on {square}"
`)},
	"words/fr.toml": {Data: []byte(`
left = "{n:0=plus de jours|one=encore # jour|other=encore # jours}"
takes = "{piece.The} est {piece:f=prise|other=pris} en {square}."
all = "Il y a {items}."
eats = "Il mange {piece.acc}."
[rook]
name = "tour"
the = "la tour"
gender = "f"
[placed]
name = "{piece} en {square}"
the = "{piece.the} en {square}"
gender = "{piece.gender}"
`)},
	"words/es.toml": {Data: []byte(`all = "Hay {items}."`)},
	"words/ru.toml": {Data: []byte(`left = "осталось {n:one=# день|few=# дня|other=# дней}"`)},
})

func TestAPhraseIsSaidInALanguage(t *testing.T) {
	rook := book.Say("rook")
	for _, want := range []struct {
		phrase   phrase.Phrase
		language phrase.Language
		text     string
	}{
		{book.Say("left", "n", 0), phrase.English, "no days left"},
		{book.Say("left", "n", 1), phrase.English, "1 day left"},
		{book.Say("left", "n", uint8(2)), phrase.English, "2 days left"},
		{book.Say("left", "n", 1), phrase.French, "encore 1 jour"},
		{book.Say("left", "n", 21), phrase.Russian, "осталось 21 день"},
		{book.Say("left", "n", 22), phrase.Russian, "осталось 22 дня"},
		{book.Say("left", "n", 11), phrase.Russian, "осталось 11 дней"},
		{book.Say("takes", "piece", rook, "prey", rook, "square", "c4"), phrase.English, "The rook takes the rook on c4."},
		{book.Say("takes", "piece", rook, "prey", rook, "square", "c4"), phrase.French, "La tour est prise en c4."},
		{book.Say("takes", "piece", phrase.As("RNB"), "prey", rook, "square", "c4"), phrase.French, "RNB est pris en c4."},
		{book.Say("takes", "piece", book.Say("placed", "piece", rook, "square", "a4"), "prey", rook, "square", "c4"), phrase.English, "The rook on a4 takes the rook on c4."},
		{book.Say("takes", "piece", book.Say("placed").With("piece", rook, "square", "a4"), "square", "c4"), phrase.French, "La tour en a4 est prise en c4."},
		{book.Say("turn", "who", "black"), phrase.English, "Black to move"},
		{book.Say("only", "piece", rook), phrase.French, "English only: a rook."},
		{book.Say("all", "items", phrase.And([]string{"a", "b", "c"})), phrase.English, "There are a, b and c."},
		{book.Say("all", "items", phrase.Or([]phrase.Phrase{rook, rook})), phrase.French, "Il y a tour ou tour."},
		{book.Say("all", "items", phrase.Semicolons([]phrase.List{phrase.And([]string{"Ana", "«Íñigo»"}), phrase.And([]string{"Bo", "hiel", "hielo"}), phrase.Or([]any{7, "ocho"})})), phrase.Spanish, "Hay Ana e «Íñigo»; Bo, hiel y hielo; 7 u ocho."},
		{book.Say("all", "items", phrase.Commas([]int{1, 2})), phrase.German, "There are 1, 2."},
		{book.Say("braces"), phrase.English, "The sign {x} or **"},
		{book.Say("all"), phrase.English, "There are {items}."},
		{book.Say("nothing"), phrase.English, "nothing"},
		{phrase.Phrase{}, phrase.English, ""},
	} {
		if got := want.phrase.Text(want.language); got != want.text {
			t.Errorf("%s in %s is %q, want %q", want.phrase.Key(), want.language, got, want.text)
		}
	}
}

func TestMarksAndOtherPartsAreSpans(t *testing.T) {
	type person struct{ id int }
	var said []string
	for _, s := range book.Say("help", "code", "ABC", "name", person{3}).In(phrase.English) {
		said = append(said, fmt.Sprintf("%d %s%v", s.Mark, s.Text, s.Value))
	}
	const want = "0 Write <nil>; 2 accept ABC<nil>; 0  or <nil>; 3 claim auto<nil>; 0 , <nil>; 1 {3}; 0 .<nil>"
	if got := strings.Join(said, "; "); got != want {
		t.Errorf("it is said as\n%s, want\n%s", got, want)
	}
}

func TestASentenceNamesItsPartsAndTheirOptions(t *testing.T) {
	for key, s := range book.All(phrase.English) {
		if got := fmt.Sprint(s.Parts()); key == "takes" && got != "map[piece:[] prey:[] square:[]]" {
			t.Errorf("%q has parts and options %s", s, got)
		}
	}
}

func TestWhatIsMissingIsAFault(t *testing.T) {
	rook := book.Say("rook")
	for _, want := range []struct {
		phrase   phrase.Phrase
		language phrase.Language
		faults   string
	}{
		{book.Say("takes", "piece", rook, "prey", rook, "square", "c4"), phrase.English, "[]"},
		{book.Say("takes", "piece", rook, "prey", rook, "square", "c4"), phrase.German, "[]"},
		{book.Say("takes", "piece", rook, "square", "c4"), phrase.English, "[no part prey]"},
		{book.Say("all", "items", phrase.And([]phrase.Phrase{book.Say("only", "piece", phrase.As("RN"))})), phrase.French, "[]"},
		{book.Say("only", "piece", book.Say("turn", "who", "white")), phrase.English, "[no turn.a in en]"},
		{book.Say("only", "piece", book.Say("turn", "who", "white")), phrase.French, "[]"},
		{book.Say("eats", "piece", rook), phrase.French, "[no rook.acc in fr]"},
		{book.Say("eats", "piece", book.Say("placed", "piece", rook, "square", "c4")), phrase.French, "[no placed.acc in fr]"},
		{book.Say("eats", "piece", book.Say("foreign")), phrase.French, "[]"},
		{book.Say("eats", "piece", book.Say("foreign")), phrase.English, "[]"},
		{book.Say("turn", "who", "nobody"), phrase.English, "[no option nobody of who]"},
		{book.Say("nothing"), phrase.English, "[no sentence nothing]"},
	} {
		if got := fmt.Sprint(want.phrase.Faults(want.language)); got != want.faults {
			t.Errorf("%s in %s has the faults %s, want %s", want.phrase.Key(), want.language, got, want.faults)
		}
	}
}

func TestALocaleIsMatched(t *testing.T) {
	for locale, want := range map[string]phrase.Language{
		"de": phrase.German, "de-AT": phrase.German, "pt-BR": phrase.Portuguese, "es-419": phrase.Spanish, "en-GB": phrase.English, "ru_RU": phrase.Russian,
	} {
		if got, ok := phrase.Match(locale); got != want || !ok {
			t.Errorf("%s is matched by %s, %t", locale, got, ok)
		}
	}
	for _, locale := range []string{"", "ja", "not a locale"} {
		if got, ok := phrase.Match(locale); got != phrase.English || ok {
			t.Errorf("%q is matched by %s, %t", locale, got, ok)
		}
	}
}

func TestASentenceThatCannotBeReadPanics(t *testing.T) {
	for _, source := range []string{"`open", "{part", "{n:one}", "{n:one=x"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q was read", source)
				}
			}()
			broken := phrase.NewBook(fstest.MapFS{"words/en.toml": {Data: fmt.Appendf(nil, "key = %q", source)}})
			broken.Has("key")
		}()
	}
}

func BenchmarkSentence(b *testing.B) {
	p := book.Say("takes", "piece", book.Say("rook"), "prey", book.Say("rook"), "square", "c4")
	b.ReportAllocs()
	for b.Loop() {
		p.In(phrase.English)
	}
}

func TestANumberWithAFractionHasTheSignOfTheLanguage(t *testing.T) {
	for _, c := range []struct {
		n        float64
		language phrase.Language
		want     string
	}{
		{1.5, phrase.English, "1.50 days left"},
		{2, phrase.English, "2 days left"},
		{1.5, phrase.French, "encore 1,50 jour"},
		{2.25, phrase.French, "encore 2,25 jours"},
	} {
		if got := book.Say("left", "n", phrase.Decimal(c.n, 2)).Text(c.language); got != c.want {
			t.Errorf("%v in %s is %q, want %q", c.n, c.language, got, c.want)
		}
	}
}

func TestWhoeverHasNoNameIsSomebodyInEachLanguage(t *testing.T) {
	said := book.Say("all", "items", phrase.And([]string{phrase.Somebody, "ann"}))
	for language, want := range map[phrase.Language]string{phrase.English: "There are somebody and ann.", phrase.French: "Il y a quelqu’un et ann."} {
		if got := said.Text(language); got != want {
			t.Errorf("in %s: %q, want %q", language, got, want)
		}
	}
}
