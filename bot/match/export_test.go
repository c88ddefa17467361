package match_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/storage"
)

// exported is a game as export writes it; its lines are counted below.
const exported = `[Event "Unrated game"]
[Site "Chimera #12"]
[Date "2026.12.01"]
[White "ann"]
[Black "ben"]
[Result "0-1"]
[Variant "chess"]
[TimeControl "1/86400+864000"]
[UTCDate "2026.12.01"]
[UTCTime "12:00:00"]
[EndDate "2026.12.02"]
[EndTime "13:00:00"]
[Termination "checkmate"]

1. f3 {a weak
move} e5
2. g4 Qh4# 0-1
`

func reader() services {
	return serve(nil, time.Now, func() bool { return true })
}

func TestWhatIsWrongWithAnExportIsSaidWithItsLine(t *testing.T) {
	_, err := reader().ReadExport(exported)
	must(t, err)
	for _, c := range []struct{ old, text, want string }{
		{exported[strings.Index(exported, `"checkmate"`):], "\"aliens\"]\n\n1. f3 0-1", `line 13: no game ends by "aliens"`},
		{"2. g4 Qh4# 0-1", "0-1", "line 13: its moves do not end it by checkmate"},
		{`"checkmate"`, `"stalemate"`, "line 13: its moves end it 0-1 by checkmate"},
		{`[Date "2026.12.01"]`, `[Date "2026.99.99"]`, "line 3: the tag Date is no date"},
		{`[UTCDate "2026.12.01"]`, `[UTCDate "2026.02.30"]`, "line 9: the tag UTCDate is no date"},
		{`"13:00:00"`, `"25:00:00"`, "line 12: the tag EndTime is no time of day"},
		{`"1/86400+864000"`, `"banana"`, "line 8: the tag TimeControl is none"},
		{`"1/86400+864000"`, `"1/0"`, "line 8: the tag TimeControl is none"},
		{`"1/86400+864000"`, `"0"`, "line 8: the tag TimeControl is none"},
		{`[Black "ben"]`, `[Black "Ann"]`, "line 5: White and Black have the same name"},
		{`[White "ann"]`, "[White \"an\x1b[2Jn\"]", "line 4: there are characters in it that no text has"},
		{`[White "ann"]`, "[White \"an\xffn\"]", "line 4: there are characters in it that no text has"},
		{`[White "ann"]`, `[White "` + strings.Repeat("a", 200_000) + `"]`, "line 4: the name of White has 200000 characters, and can have 200"},
		{`[White "ann"]`, `[White ""]`, "a tag White with a player's name is missing"},
		{`[White "ann"]`, `[White "ann]`, "line 4: that is no tag"},
		{`[Result "0-1"]`, `[Result "won"]`, "line 6: the tag Result is none of"},
		{`[Result "0-1"]`, `[Result "1-0"]`, "line 17: the moves do not end with the result"},
		{`[Result "0-1"]`, ``, "the tag Result is missing"},
		{`[Variant "chess"]`, `[Variant "checkers"]`, "line 7: the tag Variant names no game that I know"},
		{`[Variant "chess"]`, ``, "the tag Variant is missing"},
		{`[Variant "chess"]`, `[FEN "8/8"][Variant "chess"]`, "line 7: that is no tag"},
		{`[Site "Chimera #12"]`, `[FEN "8/8"]`, "line 2: the tag FEN: "},
		{`[Site "Chimera #12"]`, `[Event "Rated game"]`, "line 2: the tag Event stands in line 1 already"},
		{"2. g4", "2. Ke5", "line 17: ply 3, Ke5: "},
		{"move}", "move", "line 15: the comment that begins here has no end"},
		{"Qh4# 0-1\n", "Qh4# 0-1\n\n" + exported, "line 19: a second game begins here"},
		{exported, "", "there is no game in it"},
		{exported, "\n \n", "there is no game in it"},
		{exported, "\ufeff", "there is no game in it"},
		{exported, "e4 e5\n" + exported, "line 1: a game begins with its tags"},
		{exported, "\x00\xff\xfe", "line 1: there are characters in it that no text has"},
		{exported, "PK\x03\x04", "line 1: there are characters in it that no text has"},
	} {
		text := strings.Replace(exported, c.old, c.text, 1)
		if _, err := reader().ReadExport(text); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.40q: %v; want %s", c.text, err, c.want)
		}
	}
}

func TestAnExportMayBeginWithAByteOrderMark(t *testing.T) {
	windows := "\ufeff" + strings.ReplaceAll(exported, "\n", "\r\n")
	if e, err := reader().ReadExport(windows); err != nil || e.White != "ann" || len(e.Moves) != 4 {
		t.Errorf("%+v, %v", e, err)
	}
}

// TestAnExportIsReadBackWhateverThePlayersAreCalled has names that could be taken for
// parts of the text.
func TestAnExportIsReadBackWhateverThePlayersAreCalled(t *testing.T) {
	for i, names := range [][2]string{
		{"a{x", "b}y"},
		{"b}y", "a{x"},
		{`quo"te`, `back\slash`},
		{`\"`, `"\`},
		{"[White]", "{"},
		{"1.", "0-1"},
		{"an\x1bn\nx", "be\tn"},
		{"بن", "안나 🙂"},
		{strings.Repeat("ö", 129), ";%$1"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			c := newClub(t)
			for side, who := range []*event.By{&c.alice, &c.bob} {
				*who = c.meet(fmt.Sprint("player", side))
				c.update(func(w storage.Writer) error {
					return w.People().Change(who.Person, func(p *storage.Person) { p.Name = names[side] })
				})
			}
			id := c.game()
			c.moves(id, "e4", "e5", "Nf3")
			c.update(func(w storage.Writer) error { return w.Seasons().Put(storage.LeagueSeason{ID: 1, Number: 3}) })
			c.change(id, func(g *storage.Game) { g.Rated, g.Season = true, 1 })
			text, err := c.Export(t.Context(), id)
			c.ok(err)
			e, err := c.ReadExport(text)
			if err != nil {
				t.Fatalf("%v in\n%s", err, text)
			}
			if e.White != storage.SafeName(names[0]) || e.Black != storage.SafeName(names[1]) || len(e.Moves) != 3 || !e.Rated {
				t.Errorf("%q against %q, %v", e.White, e.Black, e.Moves)
			}
		})
	}
}

func TestAGameIsImportedOnce(t *testing.T) {
	c := newClub(t)
	id, err := c.Import(t.Context(), exported)
	c.ok(err)
	if _, err := c.Import(t.Context(), strings.Replace(exported, "ann", "ANN", 1)); err == nil || !strings.Contains(err.Error(), fmt.Sprint("stored already, as game ", id)) {
		t.Errorf("the second time: %v", err)
	}
	if _, err := c.Import(t.Context(), strings.Replace(exported, `"12:00:00"`, `"12:00:01"`, 1)); err != nil {
		t.Errorf("another game with the same moves: %v", err)
	}
	if n := c.stored()["game/"]; n != 2 {
		t.Errorf("%d games are stored", n)
	}
}

// FuzzReadExport reads what strangers may send in for a game: it is refused in one line, or
// is a game that holds and is written as it was read.
func FuzzReadExport(f *testing.F) {
	f.Add(exported)
	f.Add("\ufeff" + exported)
	f.Add(strings.ReplaceAll(exported, "\n", "\r"))
	f.Add(strings.Replace(exported, "chess", "combine", 1))
	f.Add("[Variant \"brigade\"]\n[White \"a{\"]\n[Black \"b}\"]\n[Result \"*\"]\n{}{ } *")
	f.Add("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[Variant \"stealth\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n*")
	s := reader()
	f.Fuzz(func(t *testing.T, text string) {
		e, err := s.ReadExport(text)
		if err != nil {
			if line := err.Error(); line == "" {
				t.Error("it is refused without a word")
			}
			return
		}
		start, err := s.Variant(e.Variant).Position(e.Start)
		must(t, err)
		if len([]rune(e.White)) > 200 || e.White == e.Black || e.Pace.Move < 0 || e.Pace.Bank < 0 {
			t.Errorf("%+v", e)
		}
		for i, text := range e.Moves {
			m, err := start.ParseCoordinate(text)
			if err != nil {
				t.Fatalf("ply %d, %s: %v", i+1, text, err)
			}
			if start, err = start.Play(m); err != nil {
				t.Fatalf("ply %d, %s: %v", i+1, text, err)
			}
		}
	})
}
