package words_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// said is where the code says a sentence, or several whose keys begin alike.
type said struct {
	at     token.Position
	key    string
	prefix bool
	parts  []string
	more   bool // parts that the code puts together beforehand
}

func TestEverySentenceIsSaidWithItsParts(t *testing.T) {
	sentences := map[string][]string{}
	for key, s := range words.Book().All(phrase.English) {
		sentences[key] = s.Parts()
	}
	unsaid := maps.Clone(sentences)
	maps.DeleteFunc(unsaid, func(key string, _ []string) bool { // those of commands
		return strings.HasPrefix(key, "command") || strings.HasPrefix(key, "option")
	})
	for _, s := range allSaid(t) {
		used := map[string]bool{}
		found := false
		for key, parts := range sentences {
			if key != s.key && !strings.HasPrefix(key, s.key+".") && (!s.prefix || !strings.HasPrefix(key, s.key)) {
				continue
			}
			found = true
			delete(unsaid, key)
			for _, part := range parts {
				used[part] = true
			}
		}
		switch got := slices.Sorted(maps.Keys(used)); {
		case !found:
			t.Errorf("%v: there is no sentence %s", s.at, s.key)
		case !s.more && !slices.Equal(got, s.parts):
			t.Errorf("%v: %s has the parts %v, and is said with %v", s.at, s.key, got, s.parts)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(unsaid)) {
		t.Errorf("%s is never said", key)
	}
}

func TestEveryRefusalHasItsSentence(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../event/refusal.go", nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	whys := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		why, _, ok := literal(spec.Values[0])
		whys++
		if key := "refused." + words.Kebab(why); !ok || !words.Book().Has(key) {
			t.Errorf("there is no sentence %s", key)
		}
		return true
	})
	if whys < 50 {
		t.Errorf("there are %d reasons to refuse something", whys)
	}
}

// allSaid are all places in bot where a sentence of the book is said.
func allSaid(t *testing.T) (all []said) {
	t.Helper()
	files := token.NewFileSet()
	err := filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		own := file.Name.Name == "words"
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 || name(call.Args[0]) == "key" { // that of Say
				return true
			}
			prefix, ok := "", false
			switch name(call.Fun) {
			case "Say", "book.Say":
				ok = own
			case "words.Say":
				ok = true
			case "words.Label":
				prefix, ok = "label.", true
			}
			if !ok {
				return true
			}
			s := said{at: files.Position(call.Pos()), more: call.Ellipsis.IsValid()}
			for i := 1; i < len(call.Args); i += 2 {
				part, _, _ := literal(call.Args[i])
				s.parts = append(s.parts, part)
			}
			slices.Sort(s.parts)
			keys := call.Args[:1]
			if either, ok := keys[0].(*ast.CallExpr); ok && name(either.Fun) == "known" {
				keys, s.more = either.Args, true // one of them need not have all
			}
			for _, key := range keys {
				text, whole, ok := literal(key)
				if !ok {
					t.Errorf("%v: the key of a sentence is no literal", s.at)
				}
				s.key, s.prefix = prefix+text, !whole
				all = append(all, s)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// name is what an expression is called, "" if it is no name.
func name(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return name(e.X) + "." + e.Sel.Name
	default:
		return ""
	}
}

// literal is a text that is written in the code, and whether that is the whole of it.
func literal(e ast.Expr) (text string, whole, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, true, err == nil
	case *ast.BinaryExpr:
		text, _, ok := literal(e.X)
		return text, false, ok
	default:
		return "", false, false
	}
}

func TestWhoWasForgottenIsSomebodyInTheReadersLanguage(t *testing.T) {
	if storage.Nobody != phrase.Somebody {
		t.Fatalf("who was forgotten is called %q, and said as %q", storage.Nobody, phrase.Somebody)
	}
	said := words.Say("games.nothing-waits-for", "player", storage.Nobody).In(phrase.German)
	if got := said.Plain(); !strings.HasPrefix(got, "jemand") && !strings.Contains(got, " jemand") && !strings.HasPrefix(got, "Jemand") {
		t.Errorf("said is %q", got)
	}
	named := words.Text{{Words: storage.Nobody, Style: words.Named}}.In(phrase.French)
	if got := named.Plain(); got != "quelqu’un" {
		t.Errorf("a name alone is %q", got)
	}
}

func TestAMoveIsNoGreeting(t *testing.T) {
	for _, text := range []string{"Na4", "na4", "Nxa4", "hi 5"} {
		if said, l := words.Heard(text); said != "" {
			t.Errorf("%q is taken for a %s in %s", text, said, l)
		}
	}
	if said, _ := words.Heard("na?"); said != words.Greeting {
		t.Errorf("a greeting is taken for %q", said)
	}
}
