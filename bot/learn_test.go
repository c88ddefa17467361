package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/rules/puzzle"
	"chimera/rules/variants"
	"chimera/storage"
)

// pupil is somebody who learns.
type pupil struct {
	*office
	who  string
	said message.Message // the last message to them
}

// does has the pupil do something in private.
func (p *pupil) does(m message.Incoming) {
	p.t.Helper()
	notes := p.hear(p.who, p.who, m)
	if len(notes) != 1 {
		p.t.Fatalf("%q%q is answered by %d notes", m.Text, m.Press, len(notes))
	}
	p.said = notes[0]
}

// shows checks that the last message has some words in it.
func (p *pupil) shows(parts ...string) {
	p.t.Helper()
	contains(p.t, p.said.Text.Plain(), parts...)
}

func (p *pupil) writes(text string)   { p.t.Helper(); p.does(message.Incoming{Text: text}) }
func (p *pupil) presses(press string) { p.t.Helper(); p.does(message.Incoming{Press: press}) }

// can finds the button below the last message whose press begins with press.
func (p *pupil) can(press string) (string, bool) {
	i := slices.IndexFunc(p.said.Buttons, func(b message.Button) bool { return strings.HasPrefix(b.Do, press) })
	if i < 0 {
		return "", false
	}
	return p.said.Buttons[i].Do, true
}

func (p *pupil) hears(want phrase.Phrase, l phrase.Language) {
	p.t.Helper()
	contains(p.t, p.said.Text.Plain(), want.Text(l))
}

func TestEachCourseLeadsFromItsFirstStepToAGameInEveryLanguage(t *testing.T) {
	for _, l := range phrase.Languages() {
		o := newOffice(t)
		p := &pupil{office: o, who: "pupil"}
		p.writes("settings language " + string(l))
		for _, v := range variants.All() {
			if len(v.Course) == 0 {
				t.Errorf("%s has no course", v.Key)
				continue
			}
			p.writes("learn " + v.Key)
			for n := range v.Course {
				p.learns(v, n, l)
			}
			play, ok := p.can("level 0 - " + v.Key + " 1 ")
			if !ok {
				t.Errorf("the course of %s ends without a game", v.Key)
				continue
			}
			games := len(o.playing())
			p.hear(p.who, p.who, message.Incoming{Press: play})
			if len(o.playing()) != games+1 {
				t.Errorf("%d games are played after the course of %s, and %d before", len(o.playing()), v.Key, games)
			}
		}
	}
}

// playing are the games in progress.
func (o *office) playing() (all []storage.GameID) {
	o.t.Helper()
	o.view(func(r storage.Reader) (err error) {
		all, err = r.Playing(2) // person 1 is the computer
		return err
	})
	return all
}

// game is the game with an id.
func (o *office) game(id storage.GameID) storage.Game {
	o.t.Helper()
	g, err := storage.Read(o.t.Context(), o.store, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(id) })
	must(o.t, err)
	return g
}

// learns gives a lesson all wrong answers, asks for all its help, and answers it.
func (p *pupil) learns(v *rules.Variant, n int, l phrase.Language) {
	p.t.Helper()
	lesson := &v.Course[n]
	pos, err := v.Position(lesson.FEN)
	must(p.t, err)
	p.hears(lesson.Task(), l)
	at := fmt.Sprintf(" 0 - %s %d", v.Key, n)
	if lines := strings.Count(p.said.Text.Plain(), "\n") + 1; lines > 2 {
		p.t.Errorf("%d lines, of which one may be long: %s", lines, p.said.Text.Plain())
	}
	p.presses("lesson-hint" + at)
	p.hears(lesson.Hint(), l)
	p.presses("lesson-move" + at)
	if _, ok := p.can("lesson-try" + at); !ok {
		p.t.Errorf("%s, %s: the move that is told cannot be played", v.Key, lesson.Topic)
	}
	p.presses("lesson" + at)
	var wrong string
	for _, m := range pos.Moves() {
		if text := v.Coordinate(m); !slices.Contains(lesson.Right, text) && !slices.Contains(lesson.Near, text) {
			wrong = text
		}
	}
	p.writes("Qh8")
	p.presses("lesson" + at)
	for tries, text := range append(slices.Clone(lesson.Near), wrong, wrong) {
		if text == "" {
			continue
		}
		p.writes(text)
		if slices.Contains(lesson.Near, text) {
			p.hears(lesson.Nearly(), l)
		}
		if tries > 0 {
			p.hears(lesson.Hint(), l)
		}
	}
	m, err := pos.ParseCoordinate(lesson.Right[0])
	must(p.t, err)
	p.writes(pos.Chat(m))
	p.hears(lesson.Well(), l)
	if n+1 < len(v.Course) {
		next, ok := p.can(fmt.Sprintf("lesson 0 - %s %d", v.Key, n+1))
		if !ok {
			p.t.Fatalf("%s, %s: there is no way on", v.Key, lesson.Topic)
		}
		p.presses(next)
	}
}

// puzzlesOf returns the game of a key and its puzzles.
func puzzlesOf(t testing.TB, key string) (*rules.Variant, []puzzle.Puzzle) {
	t.Helper()
	v := rules.Find(variants.All(), key)
	all, err := puzzle.Read(v)
	if err != nil || len(all) == 0 {
		t.Fatalf("%s has %d puzzles, %v", key, len(all), err)
	}
	return v, all
}

// training is the pupil's progress in puzzles.
func (p *pupil) training() (found storage.Training) {
	p.t.Helper()
	p.view(func(r storage.Reader) error {
		who, err := r.PersonAt(storage.Address{Platform: "test", ID: p.who})
		found = who.Training
		return err
	})
	return found
}

// counted is how many puzzles have counted for the pupil's rating.
func (p *pupil) counted() int {
	now := p.training()
	return now.Standing.Games()
}

// solves answers the pupil's current puzzle by its solution; do sends each move.
func (p *pupil) solves(do func(at string, s puzzle.Step)) {
	p.t.Helper()
	now := p.training()
	v, all := puzzlesOf(p.t, now.Game)
	steps, err := all[now.Number].Steps(v)
	must(p.t, err)
	for turn := 0; turn < all[now.Number].Turns(); turn++ {
		do(fmt.Sprintf(" 0 - %s %d %d ", v.Key, now.Number, turn), steps[2*turn])
		p.fitsAPhone()
	}
	if !p.training().Solved {
		p.t.Errorf("puzzle %d of %s is not solved by %v", now.Number+1, v.Key, all[now.Number].Moves)
	}
}

// knows writes the move of a step.
func (p *pupil) knows(_ string, s puzzle.Step) { p.t.Helper(); p.writes(s.Before.Chat(s.Move)) }

// first is the first step of the pupil's current puzzle.
func (p *pupil) first() puzzle.Step {
	p.t.Helper()
	now := p.training()
	v, all := puzzlesOf(p.t, now.Game)
	steps, err := all[now.Number].Steps(v)
	must(p.t, err)
	return steps[0]
}

// fitsAPhone checks that what was said is a board and five lines.
func (p *pupil) fitsAPhone() {
	p.t.Helper()
	if lines := strings.Count(p.said.Text.Plain(), "\n") + 1; lines > 5 || p.said.Board == nil {
		p.t.Errorf("%d lines, a board: %v:\n%s", lines, p.said.Board != nil, p.said.Text.Plain())
	}
}

func TestPuzzlesAreSolvedInEveryLanguageByTextButtonsAndPicker(t *testing.T) {
	ways := map[string]func(p *pupil, at string, s puzzle.Step){
		"text":    func(p *pupil, _ string, s puzzle.Step) { p.writes(s.Before.Chat(s.Move)) },
		"command": func(p *pupil, _ string, s puzzle.Step) { p.writes("move " + s.Before.Chat(s.Move)) },
		"hints": func(p *pupil, at string, _ puzzle.Step) {
			for _, verb := range []string{"puzzle-hint", "puzzle-piece", "puzzle-tell"} {
				p.presses(verb + strings.TrimRight(at, " "))
			}
			press, _ := p.can("puzzle-try" + at)
			p.presses(press)
		},
		"picker": func(p *pupil, at string, s puzzle.Step) {
			v := s.Before.Variant()
			p.presses("puzzle-pick" + at + "- - 0")
			p.presses("puzzle-pick" + at + v.Shape.Name(s.Move.From) + " - 0")
			press, ok := p.can("puzzle-try" + at + v.Coordinate(s.Move))
			if !ok {
				p.presses("puzzle-pick" + at + v.Shape.Name(s.Move.From) + " " + v.Shape.Name(s.Move.To) + " 0")
				press, _ = p.can("puzzle-try" + at + v.Coordinate(s.Move))
			}
			p.presses(press)
		},
	}
	for _, l := range phrase.Languages() {
		p := &pupil{office: newOffice(t), who: "solver"}
		p.writes("settings language " + string(l))
		for way, do := range ways {
			for _, v := range variants.All() {
				if v.Puzzles == "" {
					continue
				}
				before := p.counted()
				next, again := p.can("puzzle 0 - ")
				if !again {
					next = "puzzle 0 - " + v.Key + " -"
				}
				p.presses(strings.Join(append(strings.Fields(next)[:3], v.Key, "-"), " "))
				p.fitsAPhone()
				contains(t, p.said.Text.Plain(), "!{")
				p.solves(func(at string, s puzzle.Step) { do(p, at, s) })
				if after := p.counted(); after != before+1 {
					t.Errorf("by %s in %s, %d puzzles have counted and then %d", way, l, before, after)
				}
			}
		}
	}
}

// wrong is a legal move that does not solve a step.
func wrong(s puzzle.Step) string {
	for _, m := range s.Before.Moves() {
		if next, err := s.Before.Play(m); err == nil && m.From != s.Move.From && !puzzle.Mates(next) {
			return s.Before.Chat(m)
		}
	}
	return ""
}

func TestOnlyTheFirstAnswerToAPuzzleCountsForTheRating(t *testing.T) {
	p := &pupil{office: newOffice(t), who: "solver"}
	p.writes("puzzle stealth")
	p.solves(p.knows)
	first := p.training().Standing
	if first.Wins != 1 || first.Value <= 1500 || !strings.Contains(p.said.Text.Plain(), "Your puzzle rating: ") {
		t.Errorf("a puzzle that was solved at once gives %+v and\n%s", first, p.said.Text.Plain())
	}
	p.writes("puzzle stealth")
	p.solves(func(_ string, s puzzle.Step) {
		p.writes(wrong(s))
		p.writes(s.Before.Chat(s.Move))
	})
	second := p.training().Standing
	if second.Wins != 1 || second.Losses != 1 || second.Value >= first.Value || strings.Contains(p.said.Text.Plain(), "rating") {
		t.Errorf("a wrong answer first gives %+v after %+v, and in the end\n%s", second, first, p.said.Text.Plain())
	}
	p.presses(fmt.Sprintf("puzzle-at 0 - stealth %d 0", p.training().Number))
	p.solves(p.knows)
	if again := p.training().Standing; again != second {
		t.Errorf("a puzzle that is solved again gives %+v after %+v", again, second)
	}
	p.writes("puzzle stealth")
	for range 2 {
		p.writes("hint")
		if helped := p.training().Standing; helped != second {
			t.Errorf("a hint gives %+v after %+v, and is\n%s", helped, second, p.said.Text.Plain())
		}
	}
	p.writes("hint")
	third := p.training().Standing
	if third.Losses != 2 || third.Value >= second.Value {
		t.Errorf("the move that is told gives %+v after %+v", third, second)
	}
	p.writes("profile")
	p.shows(fmt.Sprintf("rating %.0f, 1 of 3 solved at the first try", third.Value))
}

func TestNoPuzzleChangesARatingMuchAndAHintHalvesTheGain(t *testing.T) {
	changes := func(do func(p *pupil), won, drawn int) float64 {
		p := &pupil{office: newOffice(t), who: "solver"}
		p.writes("puzzle stealth")
		do(p)
		if p.counted() != 1 {
			t.Fatalf("%d puzzles have counted", p.counted())
		}
		s := p.training().Standing
		if s.Wins != won || s.Draws != drawn {
			t.Errorf("%d are solved at the first try and %d with a hint, want %d and %d", s.Wins, s.Draws, won, drawn)
		}
		return s.Value - 1500
	}
	alone := changes(func(p *pupil) { p.solves(p.knows) }, 1, 0)
	helped := changes(func(p *pupil) {
		p.writes("hint")
		p.solves(p.knows)
	}, 0, 1)
	missed := changes(func(p *pupil) { p.writes(wrong(p.first())) }, 0, 0)
	if alone != 40 || helped != 20 || missed != -40 {
		t.Errorf("a rating changes by %v alone, %v with a hint, and %v by a wrong answer", alone, helped, missed)
	}
}

func TestTheMoveIsToldOnlyAfterItWasSaidWhatThatCosts(t *testing.T) {
	for _, l := range phrase.Languages() {
		p := &pupil{office: newOffice(t), who: "solver"}
		p.writes("settings language " + string(l))
		p.writes("puzzle stealth")
		p.hears(words.Book().Say("puzzle.counts"), l)
		var piece string
		for _, verb := range []string{"puzzle-hint ", "puzzle-piece "} {
			piece, _ = p.can(verb)
			if p.presses(piece); p.counted() != 0 {
				t.Fatalf("in %s, %s counts", l, verb)
			}
		}
		p.hears(words.Book().Say("puzzle.hint-counts", "counts", true), l)
		press, _ := p.can("puzzle-tell ")
		if p.presses(press); p.counted() != 1 {
			t.Errorf("in %s, the move that is told does not count", l)
		}
		if p.presses(piece); p.counted() != 1 || !strings.Contains(p.said.Text.Plain(), words.Book().Say("puzzle.hint-counts", "counts", false).Text(l)) {
			t.Errorf("in %s, a hint that counts no more is answered by\n%s", l, p.said.Text.Plain())
		}
	}
}

// TestARefusalTellsNothingOfTheAnswer tries illegal moves with the piece of the solution, and with others.
func TestARefusalTellsNothingOfTheAnswer(t *testing.T) {
	p := &pupil{office: newOffice(t), who: "solver"}
	p.writes("puzzle stealth")
	s := p.first()
	shape, answer := s.Before.Variant().Shape, s.Before.Chat(s.Move)
	for _, from := range []rules.Square{s.Move.From, s.Move.To} {
		for to := range shape.Squares.Squares() {
			text := shape.Name(from) + shape.Name(to)
			if _, err := s.Before.Parse(text); err == nil {
				continue
			}
			p.writes(text)
			if _, told := p.can("puzzle-try "); told || strings.Contains(p.said.Text.Plain(), answer) {
				t.Fatalf("%s is answered by\n%s", text, p.said.Text.Plain())
			}
		}
	}
}

func TestNoPuzzleComesTwiceBeforeAllWereSeen(t *testing.T) {
	p := &pupil{office: newOffice(t), who: "solver"}
	_, all := puzzlesOf(t, "stealth")
	for round := range 2 {
		seen := map[int]bool{}
		for _, given := range all {
			if given.Withdrawn {
				continue
			}
			p.presses("puzzle 0 - stealth -")
			if n := p.training().Number; seen[n] {
				t.Fatalf("round %d: puzzle %d comes twice among the first %d", round+1, n+1, len(seen)+1)
			}
			seen[p.training().Number] = true
		}
	}
	if kept := len(p.training().Seen["stealth"]); kept > len(all)/8+1 {
		t.Errorf("%d bytes are kept of %d puzzles", kept, len(all))
	}
}

func TestAPuzzleOfAThemeIsAboutIt(t *testing.T) {
	p := &pupil{office: newOffice(t), who: "solver"}
	_, all := puzzlesOf(t, "combine")
	for range 3 {
		p.writes("puzzle combine split")
		if about := all[p.training().Number].Themes; !strings.Contains(fmt.Sprint(about), "split") {
			t.Errorf("it is about %v", about)
		}
	}
}

func TestWhoIsForgottenHasNoPuzzles(t *testing.T) {
	p := &pupil{office: newOffice(t), who: "solver"}
	p.writes("puzzle stealth")
	p.writes("hint")
	p.writes("forgetme")
	p.writes("forgetme")
	p.view(func(r storage.Reader) error {
		people, err := r.PersonIDs()
		for _, id := range people {
			who, err := r.People().Get(id)
			if err != nil {
				return err
			}
			if who.Training.Game != "" || len(who.Training.Seen) > 0 || who.Training.Standing.Games() > 0 {
				t.Errorf("%+v is kept", who.Training)
			}
		}
		return err
	})
}
