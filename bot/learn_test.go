package bot_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/bot/message"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/rules/variants"
	"chimera/storage"
)

// pupil is somebody who learns.
type pupil struct {
	*office
	who  string
	said message.Message // to them, last
}

func (p *pupil) does(m message.Incoming) {
	p.t.Helper()
	m.Place, m.Private = storage.Address{Platform: "test", ID: p.who}, true
	m.From = message.Account{Address: m.Place, Name: p.who}
	notes, err := p.bot.Handle(p.t.Context(), m)
	if err != nil || len(notes) != 1 {
		p.t.Fatalf("%q%q is answered by %d notes: %v", m.Text, m.Press, len(notes), err)
	}
	p.said = notes[0]
}

func (p *pupil) writes(text string)   { p.t.Helper(); p.does(message.Incoming{Text: text}) }
func (p *pupil) presses(press string) { p.t.Helper(); p.does(message.Incoming{Press: press}) }

// can is the press of a button below what was said last that begins so.
func (p *pupil) can(press string) (string, bool) {
	i := slices.IndexFunc(p.said.Buttons, func(b message.Button) bool { return strings.HasPrefix(b.Do, press) })
	if i < 0 {
		return "", false
	}
	return p.said.Buttons[i].Do, true
}

func (p *pupil) hears(want phrase.Phrase, l phrase.Language) {
	p.t.Helper()
	if got := p.said.Text.Plain(); !strings.Contains(got, want.Text(l)) {
		p.t.Errorf("in %s was said:\n%s\nwant in it:\n%s", l, got, want.Text(l))
	}
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
			_, err := p.bot.Handle(t.Context(), message.Incoming{
				Place: storage.Address{Platform: "test", ID: p.who}, Private: true, From: message.Account{Address: storage.Address{Platform: "test", ID: p.who}, Name: p.who}, Press: play,
			})
			if err != nil || len(o.playing()) != min(games+1, 3) { // of which there are three at once at most
				t.Errorf("%d games are played after the course of %s, and %d before: %v", len(o.playing()), v.Key, games, err)
			}
		}
	}
}

// playing are the games in progress.
func (o *office) playing() (all []storage.GameID) {
	o.t.Helper()
	o.view(func(r storage.Reader) (err error) {
		all, err = r.Playing(2) // the computer is the first
		return err
	})
	return all
}

// learns answers a lesson wrongly in all ways, looks at all that helps, and answers it.
func (p *pupil) learns(v *rules.Variant, n int, l phrase.Language) {
	p.t.Helper()
	lesson := &v.Course[n]
	pos, err := v.Position(lesson.FEN)
	if err != nil {
		p.t.Fatal(err)
	}
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
	if err != nil {
		p.t.Fatal(err)
	}
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

func TestAMoveIsForTheLessonOrTheGameThatWasShownLast(t *testing.T) {
	o := newOffice(t)
	p := &pupil{office: o, who: "alice"}
	o.says("room", "alice", "challenge @bob chess white")
	o.says("room", "bob", "accept")
	o.says("alice", "alice", "play chess 1 white")
	p.writes("learn combine")
	settle := func() {
		o.now = o.now.Add(time.Minute)
		o.service.Thinker.Settle(t.Context(), slog.New(slog.DiscardHandler))
	}
	played := func(id storage.GameID, want int) {
		t.Helper()
		o.view(func(r storage.Reader) error {
			g, err := r.Games().Get(id)
			if len(g.Moves) != want {
				t.Errorf("%d moves were played in game %d, want %d; it was said: %s", len(g.Moves), id, want, p.said.Text.Plain())
			}
			return err
		})
	}
	settle()
	p.writes("Nf3") // is legal in both games
	played(1, 0)
	played(2, 0)
	p.writes("hint")
	p.hears(variants.All()[0].Course[0].Hint(), phrase.English)
	p.does(message.Incoming{Text: "#2 Nf3"})
	settle() // the computer's move is the newest thing
	lesson := variants.All()[0].Course[0]
	pos, err := variants.All()[0].Position(lesson.FEN)
	if err != nil {
		t.Fatal(err)
	}
	m, err := pos.ParseCoordinate(lesson.Right[0])
	if err != nil {
		t.Fatal(err)
	}
	p.writes("Nc3")
	played(1, 0)
	played(2, 3)
	settle()
	p.now = p.now.Add(time.Second)
	p.presses("lesson 0 - combine 0")
	p.writes(pos.Chat(m))
	p.hears(lesson.Well(), phrase.English)
	p.writes("Nd5") // after the right answer, before the next step
	played(1, 0)
	p.writes("moves")
	if _, ok := p.can("lesson-pick 0 - combine 0 "); !ok {
		t.Errorf("in a lesson the moves are %s", p.said.Text.Plain())
	}
	p.writes(pos.Chat(m))
	p.writes("next")
	p.hears(variants.All()[0].Course[1].Task(), phrase.English)
}
