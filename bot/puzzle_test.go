package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/rules/puzzle"
	"chimera/rules/variants"
	"chimera/storage"
)

// puzzlesOf are a game's.
func puzzlesOf(t testing.TB, key string) (*rules.Variant, []puzzle.Puzzle) {
	t.Helper()
	v := rules.Find(variants.All(), key)
	all, err := puzzle.Read(v)
	if err != nil || len(all) == 0 {
		t.Fatalf("%s has %d puzzles, %v", key, len(all), err)
	}
	return v, all
}

// training is what the pupil has made of puzzles.
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

// solves answers the puzzle before the pupil by its solution, in the way that do sends a move.
func (p *pupil) solves(do func(at string, s puzzle.Step)) {
	p.t.Helper()
	now := p.training()
	v, all := puzzlesOf(p.t, now.Game)
	steps, err := all[now.Number].Steps(v)
	if err != nil {
		p.t.Fatal(err)
	}
	for turn := 0; turn < all[now.Number].Turns(); turn++ {
		do(fmt.Sprintf(" 0 - %s %d %d ", v.Key, now.Number, turn), steps[2*turn])
		p.fitsAPhone()
	}
	if !p.training().Solved {
		p.t.Errorf("puzzle %d of %s is not solved by %v", now.Number+1, v.Key, all[now.Number].Moves)
	}
}

// fitsAPhone checks that what was said is a board and five lines.
func (p *pupil) fitsAPhone() {
	p.t.Helper()
	if lines := strings.Count(p.said.Text.Plain(), "\n") + 1; lines > 5 || p.said.Board == nil {
		p.t.Errorf("%d lines, a board: %v:\n%s", lines, p.said.Board != nil, p.said.Text.Plain())
	}
}

func TestPuzzlesAreSolvedInEveryLanguageByTextButtonsAndPicker(t *testing.T) {
	ways := map[string]func(p *pupil) func(at string, s puzzle.Step){
		"text": func(p *pupil) func(string, puzzle.Step) {
			return func(_ string, s puzzle.Step) { p.writes(s.Before.Chat(s.Move)) }
		},
		"command": func(p *pupil) func(string, puzzle.Step) {
			return func(_ string, s puzzle.Step) { p.writes("move " + s.Before.Chat(s.Move)) }
		},
		"hints": func(p *pupil) func(string, puzzle.Step) {
			return func(at string, s puzzle.Step) {
				p.presses("puzzle-hint" + strings.TrimRight(at, " "))
				p.presses("puzzle-piece" + strings.TrimRight(at, " "))
				p.presses("puzzle-move" + strings.TrimRight(at, " "))
				press, _ := p.can("puzzle-try" + at)
				p.presses(press)
			}
		},
		"picker": func(p *pupil) func(string, puzzle.Step) {
			return func(at string, s puzzle.Step) {
				v := s.Before.Variant()
				p.presses("puzzle-pick" + at + "- - 0")
				p.presses("puzzle-pick" + at + v.Shape.Name(s.Move.From) + " - 0")
				press, ok := p.can("puzzle-try" + at + v.Coordinate(s.Move))
				if !ok {
					p.presses("puzzle-pick" + at + v.Shape.Name(s.Move.From) + " " + v.Shape.Name(s.Move.To) + " 0")
					press, _ = p.can("puzzle-try" + at + v.Coordinate(s.Move))
				}
				p.presses(press)
			}
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
				if strings.Contains(p.said.Text.Plain(), "{") {
					t.Errorf("in %s: %s", l, p.said.Text.Plain())
				}
				p.solves(do(p))
				if after := p.counted(); after != before+1 {
					t.Errorf("by %s in %s, %d puzzles have counted and then %d", way, l, before, after)
				}
			}
		}
	}
}

// wrong is a legal move that is not the one.
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
	p.solves(func(_ string, s puzzle.Step) { p.writes(s.Before.Chat(s.Move)) })
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
	p.solves(func(_ string, s puzzle.Step) { p.writes(s.Before.Chat(s.Move)) })
	if again := p.training().Standing; again != second {
		t.Errorf("a puzzle that is solved again gives %+v after %+v", again, second)
	}
	p.writes("puzzle stealth")
	p.writes("hint")
	if warned := p.training().Standing; warned != second || !strings.Contains(p.said.Text.Plain(), "counts as a wrong answer") {
		t.Errorf("a hint that was not asked for twice gives %+v after %+v, and is\n%s", warned, second, p.said.Text.Plain())
	}
	p.writes("hint")
	third := p.training().Standing
	if third.Losses != 2 || third.Value >= second.Value {
		t.Errorf("a hint gives %+v after %+v", third, second)
	}
	p.writes("profile")
	if got := p.said.Text.Plain(); !strings.Contains(got, fmt.Sprintf("rating %.0f, 1 of 3 solved at the first try", third.Value)) {
		t.Errorf("the profile says\n%s", got)
	}
}

func TestNoHintCostsAnythingBeforeThatWasSaid(t *testing.T) {
	for _, l := range phrase.Languages() {
		p := &pupil{office: newOffice(t), who: "solver"}
		p.writes("settings language " + string(l))
		p.writes("puzzle stealth")
		p.hears(words.Book().Say("puzzle.counts"), l)
		for range 2 { // whoever presses twice is told twice
			p.presses(fmt.Sprintf("puzzle-hint 0 - stealth %d 0", p.training().Number))
			p.hears(words.Book().Say("puzzle.hint-counts"), l)
			if p.counted() != 0 {
				t.Fatalf("in %s, the first hint counts", l)
			}
		}
		next, _ := p.can("puzzle-piece ")
		p.presses(next)
		if p.counted() != 1 {
			t.Errorf("in %s, the second hint does not count", l)
		}
		p.writes("puzzle")
		if p.writes("hint"); p.counted() != 1 || strings.Contains(p.said.Text.Plain(), words.Book().Say("puzzle.hint-counts").Text(l)) {
			t.Errorf("in %s, a hint that counts no more is answered by\n%s", l, p.said.Text.Plain())
		}
	}
}

func TestAHintThatIsTypedAgainTellsMore(t *testing.T) {
	p := &pupil{office: newOffice(t), who: "solver"}
	p.writes("puzzle stealth")
	for _, want := range []string{"counts as a wrong answer", "What can", "Play it to see", "Play it to see"} {
		p.writes("hint")
		if got := p.said.Text.Plain(); !strings.Contains(got, want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
	p.now = p.now.Add(time.Second)
	p.writes("learn chess")
	lesson := rules.Find(variants.All(), "chess").Course[0]
	p.writes("hint")
	p.hears(lesson.Hint(), phrase.English)
	p.writes("hint")
	if got := p.said.Text.Plain(); !strings.Contains(got, "Play it to see") {
		t.Errorf("the second hint in a lesson is\n%s", got)
	}
	p.writes("learn chess")
	p.writes("hint")
	p.hears(lesson.Hint(), phrase.English)
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
	p.writes("puzzle combine shot")
	if got := p.said.Text.Plain(); !strings.HasPrefix(got, "Combine Chess has no puzzles about “shot”. Its themes are mate, gain") {
		t.Errorf("a theme that the game lacks is answered by %q", got)
	}
	p.writes("puzzle combine checkers")
	if got := p.said.Text.Plain(); !strings.HasPrefix(got, "“checkers” is neither a game nor a theme.") {
		t.Errorf("an odd word is answered by %q", got)
	}
}

func TestAPuzzleThatIsNotSolvedWaits(t *testing.T) {
	p := &pupil{office: newOffice(t), who: "solver"}
	p.writes("puzzle")
	if len(p.said.Buttons) < 2 {
		t.Fatalf("no game can be chosen: %+v", p.said)
	}
	p.presses(p.said.Buttons[0].Do)
	first := p.training()
	p.writes("puzzle")
	p.writes("next")
	if now := p.training(); now.Number != first.Number || now.Game != first.Game {
		t.Errorf("after puzzle %d of %s comes %d of %s", first.Number, first.Game, now.Number, now.Game)
	}
	p.solves(func(_ string, s puzzle.Step) { p.writes(s.Before.Chat(s.Move)) })
	p.writes("next")
	if now := p.training(); now.Number == first.Number || now.Game != first.Game {
		t.Errorf("after puzzle %d, which was solved, comes %d of %s", first.Number, now.Number, now.Game)
	}
}

func TestAMoveIsForThePuzzleOrLessonThatWasShownLast(t *testing.T) {
	p := &pupil{office: newOffice(t), who: "solver"}
	p.writes("learn stealth")
	p.writes("puzzle stealth")
	p.solves(func(_ string, s puzzle.Step) { p.writes(s.Before.Chat(s.Move)) })
	p.now = p.now.Add(time.Second)
	p.writes("learn stealth")
	p.writes("Rxd5")
	if got := p.said.Text.Plain(); !strings.Contains(got, "step 1 of") {
		t.Errorf("the lesson that was shown last is answered by\n%s", got)
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

func TestAPuzzleThatIsShownAnewWarnsAnewOfWhatAHintCosts(t *testing.T) {
	p := &pupil{office: newOffice(t), who: "solver"}
	p.writes("puzzle chess")
	for range 2 {
		p.writes("hint")
		p.hears(words.Book().Say("puzzle.hint-counts"), phrase.English)
		p.writes("puzzle")
	}
	if p.counted() != 0 {
		t.Error("a hint has counted that was not warned of")
	}
}
