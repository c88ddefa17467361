package bot_test

import (
	"strings"
	"testing"
	"time"

	"chimera/bot/message"
	"chimera/rules/puzzle"
	"chimera/storage"
)

// newerGame is somebody who has left something unanswered when a game of theirs calls them.
func newerGame(t *testing.T, left string) *pupil {
	p := &pupil{office: newOffice(t), who: "alice"}
	p.says("bob", "bob", "settings language en")
	p.says("alice", "alice", "challenge @bob chess black unrated")
	p.says("bob", "bob", "accept")
	p.now = p.now.Add(time.Minute)
	p.writes(left)
	p.now = p.now.Add(time.Minute)
	p.says("bob", "bob", "e4")
	p.now = p.now.Add(time.Minute)
	return p
}

func (p *pupil) played(want ...string) {
	p.t.Helper()
	p.view(func(r storage.Reader) error {
		g, err := r.Games().Get(1)
		if got := strings.Join(g.Moves, " "); got != strings.Join(want, " ") {
			p.t.Errorf("played is %q, want %q", got, strings.Join(want, " "))
		}
		return err
	})
}

func TestAMoveIsForTheGameThatCallsAfterThePuzzleOrLessonWasShown(t *testing.T) {
	for _, left := range []string{"puzzle stealth", "puzzle brigade", "learn chess", "learn stealth"} {
		p := newerGame(t, left)
		p.writes("e5")
		p.played("e2e4", "e7e5")
		if p.counted() != 0 {
			t.Errorf("after %q, a move in a game counts as an answer", left)
		}
	}
}

func TestAMoveThatOnlyThePuzzleAllowsIsRefusedInTheNewerGameWithTheWayBack(t *testing.T) {
	p := newerGame(t, "puzzle stealth")
	v, all := puzzlesOf(t, "stealth")
	steps, err := all[p.training().Number].Steps(v)
	if err != nil {
		t.Fatal(err)
	}
	p.writes(steps[0].Before.Chat(steps[0].Move))
	p.played("e2e4")
	if got := p.said.Text.Plain(); p.counted() != 0 || !strings.Contains(got, "Write puzzle to go back") {
		t.Errorf("it is answered: %s", got)
	}
	p.writes("puzzle")
	p.solves(func(_ string, s puzzle.Step) { p.writes(s.Before.Chat(s.Move)) })
	p.played("e2e4")
}

func TestAMoveThatOthersSeeIsNeverForAPuzzleWhileAGameWaitsThere(t *testing.T) {
	p := &pupil{office: newOffice(t), who: "alice"}
	p.says("room", "alice", "challenge @bob chess white unrated")
	p.says("room", "bob", "accept")
	in := func(m message.Incoming) {
		m.Place, m.Alone = storage.Address{Platform: "test", ID: "room"}, true
		m.From = message.Account{Address: storage.Address{Platform: "test", ID: "alice"}, Name: "alice"}
		if _, err := p.bot.Handle(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	p.now = p.now.Add(time.Minute)
	in(message.Incoming{Text: "puzzle chess"})
	p.now = p.now.Add(time.Minute)
	in(message.Incoming{Text: "move e4"})
	p.played("e2e4")
	if p.counted() != 0 {
		t.Error("the move has counted as an answer")
	}
}

// inRoom is a pupil who has the move in a game in a room, and writes there.
func inRoom(t *testing.T) (p *pupil, writes func(message.Incoming)) {
	p = &pupil{office: newOffice(t), who: "alice"}
	p.says("room", "alice", "challenge @bob chess white unrated")
	p.says("room", "bob", "accept")
	return p, func(m message.Incoming) {
		t.Helper()
		p.now = p.now.Add(time.Minute)
		m.Place, m.From = storage.Address{Platform: "test", ID: "room"}, message.Account{Address: storage.Address{Platform: "test", ID: "alice"}, Name: "alice"}
		notes, err := p.bot.Handle(t.Context(), m)
		if err != nil || len(notes) != 1 {
			t.Fatalf("%q is answered by %d notes: %v", m.Text, len(notes), err)
		}
		p.said = notes[0]
	}
}

func TestAMoveIsForThePuzzleThatWasShownLastWhateverOfTheGameChangesInSecret(t *testing.T) {
	for _, press := range []string{"draw 1 0", "resign 1 0"} {
		p := &pupil{office: newOffice(t), who: "alice"}
		p.says("bob", "bob", "settings language en")
		p.says("alice", "alice", "challenge @bob chess white unrated")
		p.says("bob", "bob", "accept")
		p.now = p.now.Add(time.Minute)
		p.writes("puzzle chess")
		p.now = p.now.Add(time.Minute)
		bob := &pupil{office: p.office, who: "bob"}
		bob.presses(press)
		p.now = p.now.Add(time.Minute)
		p.writes("c4")
		p.played()
	}
}

func TestAMoveInARoomIsForThePuzzleThatWasShownThereLast(t *testing.T) {
	p, writes := inRoom(t)
	writes(message.Incoming{Text: "puzzle stealth"})
	v, all := puzzlesOf(t, "stealth")
	steps, err := all[p.training().Number].Steps(v)
	if err != nil {
		t.Fatal(err)
	}
	p.now = p.now.Add(time.Minute)
	writes(message.Incoming{Text: "move " + wrong(steps[0])})
	p.played()
	if p.counted() != 1 {
		t.Errorf("no answer has counted: %s", p.said.Text.Plain())
	}
}

func TestWhereTheGameHasTheMoveWheneverThePuzzleWasShownNoWayBackIsNamed(t *testing.T) {
	p, writes := inRoom(t)
	writes(message.Incoming{Text: "puzzle stealth", Alone: true})
	v, all := puzzlesOf(t, "stealth")
	steps, err := all[p.training().Number].Steps(v)
	if err != nil {
		t.Fatal(err)
	}
	answer := "move " + steps[0].Before.Chat(steps[0].Move)
	writes(message.Incoming{Text: answer, Alone: true})
	p.played()
	if got := p.said.Text.Plain(); strings.Contains(got, "Write puzzle") || p.counted() != 0 {
		t.Errorf("the move is answered: %s", got)
	}
}
