package event_test

import (
	"maps"
	"reflect"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/storage"
)

// stored posts an event, and returns what is stored of its payload.
func stored(payload any) map[string]string {
	return event.Event{Payload: payload}.Entry(1, time.Time{}).Facts
}

// holds proves that a payload is stored in a form, and read from it.
func holds[P any](t *testing.T, payload P, form map[string]string) {
	t.Helper()
	if got := stored(payload); !maps.Equal(got, form) {
		t.Errorf("%+v is stored as %q", payload, got)
	}
	if got := event.PayloadOf[P](&storage.Entry{Facts: form}); !reflect.DeepEqual(got, payload) {
		t.Errorf("%q is read as %+v", form, got)
	}
}

func TestPayloadsAreStoredAsEarlierVersionsHaveDone(t *testing.T) {
	holds(t, event.Position{Move: "Nf3", Planned: true, Earlier: event.Earlier{{Ply: 1, Move: "e4"}, {Ply: 2, Move: "c5 a:b"}}},
		map[string]string{"move": "Nf3", "plan": "yes", "before": "1 e4\n2 c5 a:b\n"})
	holds(t, event.Position{Plies: 2, Draw: true, Agreed: true, Usual: true}, map[string]string{"plies": "2", "draw": "yes", "agree": "yes", "usual": "yes"})
	holds(t, event.Position{}, map[string]string{})
	holds(t, event.Vacation{Until: time.Date(2026, 11, 24, 5, 6, 7, 0, time.UTC), Auto: true, Games: event.Games{1, 22}},
		map[string]string{"until": "2026-11-24T05:06:07Z", "auto": "yes", "games": "1 22"})
	holds(t, event.Unreachable{Games: event.Games{3}}, map[string]string{"games": "3"})
	holds(t, event.Reminder{Turns: "12:5 13:0 "}, map[string]string{"turns": "12:5 13:0 "})
	holds(t, event.Time{Days: 3}, map[string]string{"days": "3"})
	holds(t, event.Outage{Gap: event.Span(90 * time.Minute)}, map[string]string{"gap": "1h30m0s"})
	holds(t, event.Season{Month: "2026-10"}, map[string]string{"month": "2026-10"})
	holds(t, event.Link{Code: "k7x"}, map[string]string{"code": "k7x"})
	holds(t, event.Challenge{After: 7}, map[string]string{"after": "7"})
	holds(t, event.Puzzle{Puzzle: event.PuzzleName{Game: "chess", Number: 4, Code: "abc"}}, map[string]string{"puzzle": "chess 4 abc"})
	holds(t, event.Puzzle{
		Puzzle: event.PuzzleName{Game: "chess", Number: 4, Code: "abc"},
		Before: event.Solved{Game: "combine", Number: 3, Found: 12, Finders: []event.Finder{{Person: 5, Streak: 2}, {Person: 6, Streak: 1}}},
	}, map[string]string{"puzzle": "chess 4 abc", "before": "combine 3 12 5:2 6:1"})
	if got := stored(nil); got != nil {
		t.Errorf("no payload is stored as %q", got)
	}
}

func TestAPayloadIsAddedToTheOther(t *testing.T) {
	e := event.Event{Payload: event.Position{Move: "e4"}}.Entry(1, time.Time{})
	was := e
	event.AddPayload(&e, event.AtHome{Home: true})
	if !event.PayloadOf[event.AtHome](&e).Home || event.PayloadOf[event.Position](&e).Move != "e4" || event.PayloadOf[event.AtHome](&was).Home {
		t.Errorf("%q came of %q", e.Facts, was.Facts)
	}
}

func TestDamagedFieldsAreLeftOut(t *testing.T) {
	e := storage.Entry{Facts: map[string]string{"move": "e4", "plies": "many", "draw": "yes", "before": "first e4"}}
	if got := event.PayloadOf[event.Position](&e); got.Move != "e4" || got.Plies != 0 || len(got.Earlier) != 0 {
		t.Errorf("it is read as %+v", got)
	}
}
