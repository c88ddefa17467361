package gateway

import "testing"

func TestAMarkIsNeverAheadOfWhatWasHandled(t *testing.T) {
	s := &Session{}
	ready := s.event(1, Ready, nil)
	s.at.ID, s.at.URL = "s", "wss://example.org"
	said, talk, asked := s.event(2, "MESSAGE_CREATE", nil), s.event(3, "MESSAGE_CREATE", nil), s.event(5, "INTERACTION_CREATE", nil)
	for i, c := range []struct {
		done func()
		want int64 // 0: nobody can go on with it
	}{
		{talk.Done, 0}, {ready.Done, 1}, {asked.Done, 1}, {asked.Done, 1}, {said.Done, 5},
	} {
		c.done()
		if got, ok := s.Mark(); ok != (c.want > 0) || ok && got != (Mark{ID: "s", URL: "wss://example.org", Seq: c.want}) {
			t.Errorf("step %d: %+v, %v, want %d", i, got, ok, c.want)
		}
	}
	s.over = true
	if got, ok := s.Mark(); ok {
		t.Errorf("the session is over: %+v", got)
	}
}

func TestWhatIsToldAsASessionGoesOn(t *testing.T) {
	s := &Session{}
	s.Take(Mark{ID: "s", Seq: 7})
	hears := func(what string, seq int64, kind string, late, again bool) {
		t.Helper()
		if e := s.event(seq, kind, nil); e.Late != late || e.Again != again {
			t.Errorf("%s: late %v, again %v", what, e.Late, e.Again)
		}
	}
	if id, seq := s.goOn(); id != "s" || seq != 7 {
		t.Errorf("it goes on with %q after %d", id, seq)
	}
	hears("another process may have handled it", 8, "MESSAGE_CREATE", true, true)
	hears("it goes on", 9, Resumed, true, true)
	hears("it is told at once", 10, "MESSAGE_CREATE", false, false)
	if id, seq := s.goOn(); id != "s" || seq != 10 {
		t.Errorf("it goes on again with %q after %d", id, seq)
	}
	hears("nobody has heard of it", 11, "MESSAGE_CREATE", true, false)
	hears("it goes on again", 12, Resumed, true, false)
}
