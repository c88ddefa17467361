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

	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// said is a place in the code that says one of some sentences.
type said struct {
	at    token.Position
	keys  []key
	parts []string
	more  bool // parts that the code puts together beforehand
}

// key is the key of a sentence, or a prefix of several keys.
type key struct {
	text   string
	prefix bool
}

func (k key) calls(sentence string) bool {
	return sentence == k.text || strings.HasPrefix(sentence, k.text+".") || k.prefix && strings.HasPrefix(sentence, k.text)
}

func TestEverySentenceIsSaidWithItsParts(t *testing.T) {
	sentences := map[string][]string{}
	for key, s := range words.Book().All(phrase.English) {
		sentences[key] = slices.Sorted(maps.Keys(s.Parts()))
	}
	unsaid := maps.Clone(sentences)
	for _, s := range allSaid(t) {
		used := map[string]bool{}
		for _, k := range s.keys {
			found := false
			for sentence, parts := range sentences {
				if !k.calls(sentence) {
					continue
				}
				found = true
				delete(unsaid, sentence)
				for _, part := range parts {
					used[part] = true
				}
			}
			if !found {
				t.Errorf("%v: there is no sentence %s", s.at, k.text)
			}
		}
		if got := slices.Sorted(maps.Keys(used)); !s.more && !slices.Equal(got, s.parts) {
			t.Errorf("%v: %v has the parts %v, and is said with %v", s.at, s.keys, got, s.parts)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(unsaid)) {
		t.Errorf("%s is never said", key)
	}
}

func TestEveryRefusalHasItsSentence(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../event/refusal.go", nil, parser.SkipObjectResolution)
	kvtest.Must(t, err)
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

// allSaid finds all places in bot where a sentence of the book is said.
func allSaid(t *testing.T) (all []said) {
	t.Helper()
	files := token.NewFileSet()
	kvtest.Must(t, filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && (f.Name.Name == "Say" || f.Name.Name == "listed" || f.Name.Name == "Label") {
				continue // they pass on a key
			}
			all = append(all, saidIn(files, decl, file.Name.Name == "words")...)
		}
		return nil
	}))
	for _, s := range all {
		if len(s.keys) == 0 {
			t.Errorf("%v: the key of a sentence is no literal", s.at)
		}
	}
	return all
}

// saidIn finds those in a declaration, of package words itself or of another.
func saidIn(files *token.FileSet, decl ast.Decl, own bool) (all []said) {
	values := map[string][]ast.Expr{} // that variables are given
	ast.Inspect(decl, func(n ast.Node) bool {
		if set, ok := n.(*ast.AssignStmt); ok && len(set.Lhs) == len(set.Rhs) {
			for i, variable := range set.Lhs {
				values[name(variable)] = append(values[name(variable)], set.Rhs[i])
			}
		}
		return true
	})
	ast.Inspect(decl, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		prefix, parts := "", call.Args[1:]
		switch called := name(call.Fun); {
		case called == "words.Say", called == "words.Book().Say", own && (called == "Say" || called == "book.Say"):
		case called == "words.Label":
			prefix = "label."
		case own && called == "listed":
			parts = parts[:1]
		default:
			return true
		}
		s := said{at: files.Position(call.Pos()), keys: keysOf(call.Args[0], values), more: call.Ellipsis.IsValid()}
		for i := range s.keys {
			s.keys[i].text = prefix + s.keys[i].text
		}
		for i := 0; i < len(parts); i += 2 {
			part, _, _ := literal(parts[i])
			s.parts = append(s.parts, part)
		}
		slices.Sort(s.parts)
		all = append(all, s)
		return true
	})
	return all
}

// keysOf returns the keys that an expression can be.
func keysOf(e ast.Expr, values map[string][]ast.Expr) (keys []key) {
	if text, whole, ok := literal(e); ok {
		return []key{{text, !whole}}
	}
	var either []ast.Expr
	switch e := e.(type) {
	case *ast.Ident:
		either, values = values[e.Name], nil
	case *ast.CallExpr:
		switch name(e.Fun) {
		case "Either", "words.Either":
			either = e.Args[1:]
		case "known":
			either = e.Args
		}
	}
	for _, e := range either {
		keys = append(keys, keysOf(e, values)...)
	}
	return keys
}

// name is what an expression is called, "" if it is no name.
func name(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return name(e.X) + "." + e.Sel.Name
	case *ast.CallExpr:
		return name(e.Fun) + "()"
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

func TestWhoLosesAKingIsToldThatItIsTheirs(t *testing.T) {
	view := &match.GameView{Game: storage.Game{Players: [2]storage.PersonID{1, 2}, Result: "0-1", Ending: string(rules.ByKingTaken)}, Names: [2]string{"Ada", "Bob"}}
	for alone, want := range []string{"Bob wins by capturing Ada's king", "Bob wins by capturing your king", "You win by capturing Ada's king"} {
		if got := words.Ended(view, storage.PersonID(alone)).In(phrase.English).Plain(); got != want+", 0-1." {
			t.Errorf("to %d is said %q, want %q", alone, got, want)
		}
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

func TestWhatIsHeardMeansOneThing(t *testing.T) {
	for _, saying := range strings.Fields("greeting begin move rules turn thanks bye good-game resign takeback moves hint review profile forgetme settings-reminders-off settings-theme-night") {
		for _, l := range phrase.Languages() {
			for text := range strings.SplitSeq(words.Book().Say("heard."+saying).Text(l), ",") {
				if said, _ := words.Heard(text); string(said) != saying {
					t.Errorf("%q stands for %s in %s, and is taken for a %s", text, saying, l, said)
				}
			}
		}
	}
}
