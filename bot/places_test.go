package bot_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/words"
	"chimera/storage"
)

// TestTranscriptsOfPlaces plays the stories of testdata/places. Each begins at a line "= …" with nothing stored. Below
// each line stands, indented, what came of it:
//
//	alice: challenge         is written in the room; "[Accept]" presses a button, and "/join 1 -" what does that
//	alice in den of club: …  is written in another place, which may belong to a server
//	alice at home: …         is written in private
//	carol/other, alone: …    is written on another platform, and answered where nobody else sees it
//	bob, aside to #1: …      is written to nobody ("said": in answer to the bot), in the thread of a game: is it heard?
//	again bob: accept        is what was written so, or was written last, coming once more
//	@ +1h, @ away 1h         is time in which the program works, or does not run
//	@ next                   is time until the outbox has something to do
//	! room: fails            is how sending to a place goes, or sending of a kind of entry
//	! room every 1h          is how often something may be sent to a place, or to all of them
//	?                        asks what waits to be said
//
// "→ alice" is an answer, which settles a question if there is "✓"; "room" is told something, with a board if there is
// "▦"; "room ✗" is where that fails.
func TestTranscriptsOfPlaces(t *testing.T) {
	eachFile(t, "testdata/places/*.txt", func(t *testing.T, file string) {
		want, err := os.ReadFile(file)
		must(t, err)
		var s *story
		var got strings.Builder
		for line := range strings.Lines(string(want)) {
			if strings.HasPrefix(line, "  ") {
				continue
			}
			got.WriteString(line)
			if strings.HasPrefix(line, "=") {
				s = newStory(t)
			} else if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "%") {
				got.WriteString(s.plays(line))
			}
		}
		if update {
			must(t, os.WriteFile(file, []byte(got.String()), 0o644))
		} else if got.String() != string(want) {
			t.Error(difference(got.String(), string(want)))
		}
	})
}

// story is what people do at several places.
type story struct {
	*office
	out     strings.Builder
	trouble map[string]error // of places, or of kinds of entries
	shown   []shown
	codes   []string
	heard   map[string]message.Incoming // by line; the last one by ""
	written int
}

// shown is a button at a place, for everyone there if it is to nobody.
type shown struct {
	place storage.Address
	to    string
	message.Button
}

func newStory(t *testing.T) *story {
	s := &story{office: newOffice(t), trouble: map[string]error{}, heard: map[string]message.Incoming{}}
	s.chat.send = func(d bot.Delivery) error {
		place := d.Place.Address
		for _, about := range []string{place.ID, d.Entry.Kind} {
			if err := s.trouble[about]; err != nil {
				if line := fmt.Sprintf("  %s ✗ %v\n", called(place), err); !strings.HasSuffix(s.out.String(), line) { // however often it is tried
					s.out.WriteString(line)
				}
				return err
			}
		}
		s.shows(called(place), place, "", &d.Note)
		return nil
	}
	must(t, s.service.Match.Beat(t.Context()))
	t.Cleanup(func() {
		ctx := context.Background()
		_, err := s.service.Maintenance.Verify(ctx, func(id storage.GameID, fault error) { t.Errorf("game %d: %v", id, fault) }, func(int, int) {})
		_, err2 := s.service.Ratings.VerifyRatings(ctx, func(fault error) { t.Error(fault) }, func(int, int) {})
		must(t, errors.Join(err, err2))
	})
	return s
}

// called is an address as lines have it.
func called(a storage.Address) string {
	return a.ID + words.Either(a.Platform == "test", "", "/"+a.Platform)
}

// plays does what a line says, and returns what came of it.
func (s *story) plays(line string) string {
	s.t.Helper()
	s.out.Reset()
	for i, code := range s.codes {
		line = strings.ReplaceAll(line, fmt.Sprint("CODE", i+1), code)
	}
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "@":
		s.passes(rest)
	case "!":
		if where, every, limited := strings.Cut(rest, " every "); limited {
			s.chat.limits = append(s.chat.limits, outbox.Limit{Name: where, Every: s.span(every), Burst: 1, Everywhere: where == "all"})
			break
		}
		about, how, _ := strings.Cut(rest, ": ")
		s.trouble[about] = s.troubles(how)
	case "?":
		n, oldest := s.Waiting()
		fmt.Fprintf(&s.out, "  %d wait, the oldest for %v\n", n, oldest)
		for i, entries := range [][]storage.Entry{s.waiting(false), s.waiting(true)} {
			for _, e := range entries {
				fmt.Fprintf(&s.out, "  %s: #%d %s, tried %d times: %q\n", []string{"waits", "set aside"}[i], e.Game, e.Kind, e.Tries, e.Fault)
			}
		}
	case "again":
		m, ok := s.heard[rest]
		if !ok {
			s.t.Fatalf("%q was not written before", rest)
		}
		s.hears(m)
	default:
		m, to := s.incoming(line)
		if to != message.TheBot {
			fmt.Fprintf(&s.out, "  heard: %v\n", s.bot.IsMeant(s.t.Context(), &m, to))
			break
		}
		s.heard[line], s.heard[""] = m, m
		s.hears(m)
	}
	said := s.out.String()
	for _, code := range codes(said) {
		if !slices.Contains(s.codes, code) {
			s.codes = append(s.codes, code)
		}
	}
	for i, code := range s.codes {
		said = strings.ReplaceAll(said, code, fmt.Sprint("CODE", i+1))
	}
	return said
}

// troubles are those of a platform.
func (s *story) troubles(how string) error {
	word, rest, _ := strings.Cut(how, " ")
	switch word {
	case "works":
		return nil
	case "fails":
		return errors.New("the line is cut")
	case "away":
		return fmt.Errorf("%w: nobody is there", outbox.ErrAway)
	case "refuses":
		return &outbox.Never{Err: errors.New("bad request")}
	case "is":
		return &outbox.Never{Gone: true, Err: errors.New(rest)}
	}
	return &outbox.Later{After: s.span(rest), Err: errors.New("too many requests")}
}

func (s *story) span(text string) time.Duration {
	span, err := time.ParseDuration(text)
	must(s.t, err)
	return span
}

// passes lets time go by.
func (s *story) passes(how string) {
	const step = 10 * time.Minute
	away, down := strings.CutPrefix(how, "away ")
	end := s.drain()
	if how == "next" {
		fmt.Fprintf(&s.out, "  after %v\n", end.Sub(s.now))
	} else {
		end = s.now.Add(s.span(away))
	}
	for s.now.Before(end) {
		s.now = s.now.Add(min(end.Sub(s.now), step))
		if !down || s.now.Equal(end) {
			must(s.t, errors.Join(s.service.Match.Beat(s.t.Context()), s.service.Maintenance.Tick(s.t.Context())))
			s.drain()
		}
	}
}

// spoken is a line that somebody writes: who, on which platform, where, in which server, how, in which game, and what.
var spoken = regexp.MustCompile(`^(\w+)(?:/(\w+))?(?: in (\w+)(?: of (\w+))?| (at home))?(?:, (\w+)(?: to #(\d+))?)?: (.*)$`)

// incoming is what somebody writes or presses, and to whom.
func (s *story) incoming(line string) (message.Incoming, message.Addressee) {
	s.t.Helper()
	found := spoken.FindStringSubmatch(line)
	if found == nil {
		s.t.Fatalf("nobody says %q", line)
	}
	who, platform, how, text := found[1], cmp.Or(found[2], "test"), found[6], found[8]
	account := func(name string) message.Account {
		return message.Account{Address: storage.Address{Platform: platform, ID: name}, Name: name}
	}
	s.written++
	m := message.Incoming{
		ID: fmt.Sprint(s.written), From: account(who), Text: text, Manager: true, Alone: how == "alone",
		Place: storage.Address{Platform: platform, ID: cmp.Or(found[3], "room")}, People: map[string]message.Account{},
	}
	if found[5] != "" {
		m.Place, m.Private = m.From.Address, true
	}
	_, _ = fmt.Sscan(found[7], &m.ReplyTo) // or there is none
	if found[4] != "" {
		m.Server = storage.Address{Platform: platform, ID: found[4]}
	}
	for word := range strings.FieldsSeq(text) {
		if name, ok := strings.CutPrefix(word, "@"); ok {
			m.People[word] = account(name)
		}
	}
	press, presses := strings.CutPrefix(text, "/")
	for _, b := range s.shown {
		if text == "["+b.Label+"]" && b.place == m.Place && (b.to == "" || b.to == who) {
			press, presses = b.Do, true
		}
	}
	switch {
	case presses:
		m.Text, m.Press = "", press
	case strings.HasPrefix(text, "["):
		s.t.Fatalf("there is no button to press: %s", line)
	}
	return m, map[string]message.Addressee{"aside": message.Nobody, "said": message.WhatWasSaid, "alone": message.TheBot, "": message.TheBot}[how]
}

// hears has the bot answer a message, and say what it says of it elsewhere.
func (s *story) hears(m message.Incoming) {
	s.t.Helper()
	notes, err := s.bot.Handle(s.t.Context(), m)
	must(s.t, err)
	for i := range notes {
		if !notes[i].Ack || notes[i].Settles {
			s.shows("→ "+called(m.From.Address), m.Place, m.From.Name, &notes[i])
		}
	}
	s.service.Thinker.Settle(s.t.Context(), slog.New(slog.DiscardHandler))
	s.drain()
}

// shows writes a message down, and remembers its buttons.
func (s *story) shows(head string, place storage.Address, to string, n *message.Message) {
	said := []string{head + words.Either(n.Board != nil, " ▦", "") + words.Either(n.Settles, " ✓: ", ": ") + n.Text.Plain()}
	if n.Chart != nil {
		said = append(said, n.Chart.Words())
	}
	if n.File != nil {
		said = append(said, strings.TrimSpace(n.File.Content))
	}
	var labels []string
	for _, b := range n.Buttons {
		labels = append(labels, "["+b.Label+"]")
		s.shown = append(s.shown, shown{place, to, b})
	}
	said = append(said, words.If(len(labels) > 0, strings.Join(labels, " "))...)
	fmt.Fprintf(&s.out, "  %s\n", strings.ReplaceAll(strings.Join(said, "\n"), "\n", "\n    "))
}
