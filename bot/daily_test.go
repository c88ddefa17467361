package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/event"
	"chimera/bot/message"
	"chimera/rules"
	"chimera/rules/puzzle"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

// fewPuzzles are the puzzles of chess in these tests; other games have none.
const fewPuzzles = `
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1 ; d1d8 ; mate ; 1
2r3k1/5ppp/8/8/8/8/4QPPP/4R1K1 w - - 0 1 ; e2e8 c8e8 e1e8 ; mate ; 3
3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1 ; d8d1 ; mate ; 1
r5k1/5ppp/8/8/8/8/3Q1PPP/3R2K1 w - - 0 1 ; d2d8 a8d8 d1d8 ; mate ; 3
6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1 ; e1e8 ; mate ; 1
`

func withFewPuzzles() []*rules.Variant {
	all := variants.All()
	for _, v := range all {
		v.Puzzles = ""
		if v.Key == "chess" {
			v.Puzzles = fewPuzzles
		}
	}
	return all
}

// village is some servers in which people answer puzzles of the day.
type village struct {
	mortal
	messages int
	said     map[uint64]bool // entries that have arrived
	posts    []posting
}

// posting is something that was told at a place.
type posting struct {
	place, text string
	at          time.Time
	note        message.Message
}

func newVillage(t *testing.T) *village {
	v := &village{said: map[uint64]bool{}}
	v.t, v.rnd, v.clock, v.games = t, kvtest.Random(t), time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC), withFewPuzzles()
	v.coin, v.chat = func() bool { return false }, &chat{send: v.arrive}
	v.begin()
	return v
}

// arrive takes in what is told somewhere.
func (v *village) arrive(d bot.Delivery) error {
	if v.said[d.Entry.ID] { // the platform knows what it was sent before
		return nil
	}
	v.said[d.Entry.ID] = true
	v.posts = append(v.posts, posting{d.Place.Address.ID, d.Note.Text.Plain(), v.clock, d.Note})
	return nil
}

// pass moves the clock on, and has the bot tell what becomes due.
func (v *village) pass(d time.Duration) {
	const step = 30 * time.Minute
	for ; d > 0; d -= step {
		v.clock = v.clock.Add(step)
		v.tick()
	}
}

// handle handles a message from somebody in a server, or in private if that is "".
func (v *village) handle(who, server, text, press string) []message.Message {
	v.t.Helper()
	v.messages++
	m := message.Incoming{
		ID: fmt.Sprint(v.messages), From: someone(who),
		Text: text, Press: press, Place: storage.Address{Platform: "test", ID: who + " alone"}, Private: server == "", Manager: true,
	}
	if server != "" {
		m.Place, m.Server, m.Alone = storage.Address{Platform: "test", ID: server}, storage.Address{Platform: "test", ID: server + " server"}, true
	}
	return v.hear(m)
}

// says is the bot's answer to a text.
func (v *village) says(who, server, text string) string {
	v.t.Helper()
	var all []string
	for _, n := range v.handle(who, server, text, "") {
		all = append(all, n.Text.Plain())
	}
	return strings.Join(all, "\n")
}

// at returns what was told at a place.
func (v *village) at(place string) (all []posting) {
	for _, p := range v.posts {
		if p.place == place {
			all = append(all, p)
		}
	}
	return all
}

// today is a server's newest puzzle, and its solution.
func (v *village) today(server string) (storage.Daily, *puzzle.Puzzle) {
	v.t.Helper()
	d, err := storage.Read(v.t.Context(), v.service.Store, func(r storage.Reader) (storage.Daily, error) {
		s, err := r.ServerAt(storage.Address{Platform: "test", ID: server + " server"})
		if err != nil {
			return storage.Daily{}, err
		}
		return r.Dailies().Find(s.ID)
	})
	must(v.t, err)
	chess := rules.Find(v.games, d.Game)
	all, err := puzzle.Read(chess)
	must(v.t, err)
	return d, &all[d.Puzzle]
}

// answer answers the newest puzzle of a server, by buttons and texts, and reports whether it was found.
func (v *village) answer(who, server string, right bool) bool {
	v.t.Helper()
	told := v.at(server)
	button := told[len(told)-1].note.Buttons[0].Do
	notes := v.handle(who, server, "", button)
	_, p := v.today(server)
	switch {
	case len(notes[0].Buttons) == 0: // they have found it before
		return false
	case !right:
		steps, err := p.Steps(rules.Find(v.games, "chess"))
		must(v.t, err)
		pos := steps[0].Before
		wrong := pos.Moves()[0]
		if wrong == steps[0].Move {
			wrong = pos.Moves()[1]
		}
		said := v.handle(who, server, "", notes[0].Buttons[0].Do)
		if said[0].Board == nil {
			v.t.Errorf("where a move is picked, %q is said", said[0].Text.Plain())
		}
		named := strings.Fields(button)[3:]
		notes = v.handle(who, server, "", "daily-try 0 - "+named[0]+" "+named[1]+" 0 "+rules.Find(v.games, "chess").Coordinate(wrong))
		return strings.Contains(notes[0].Text.Plain(), "that's it")
	}
	for turn := 0; turn < len(p.Moves); turn += 2 {
		where := ""
		if v.rnd.IntN(2) == 0 {
			where = server // as a command of which others see nothing
		}
		notes = v.handle(who, where, "move "+p.Moves[turn], "")
	}
	said := notes[0].Text.Plain()
	return strings.Contains(said, "that's it") || strings.Contains(said, "Already solved") // the program ended before it could answer
}

// TestAFortnightOfPuzzles has people answer in two servers of different time zones, across a change to summer time,
// while the program is killed again and again.
func TestAFortnightOfPuzzles(t *testing.T) {
	v := newVillage(t)
	zones := map[string]string{"club": "Europe/Berlin", "guild": "America/New_York"}
	times := map[string]string{"club": "18:00", "guild": "09:30"}
	for server, zone := range zones {
		v.says("boss", server, "settings here timezone "+zone)
		v.says("boss", server, "settings here puzzle "+times[server])
		v.says("boss", server, "settings here game chess")
		contains(t, v.says("boss", server, "settings here"), times[server], zone)
	}
	people := map[string][]string{"club": {"alice", "bob"}, "guild": {"bob", "carol"}}
	finders := map[string]map[int][]string{"club": {}, "guild": {}}
	for half := range 14 * 48 {
		if v.rnd.IntN(40) == 0 {
			v.kill()
		}
		if half == 6*48 {
			v.restart()
		}
		v.pass(30 * time.Minute)
		for server, all := range people {
			if len(v.at(server)) == 0 || v.rnd.IntN(20) > 0 {
				continue
			}
			v.clock = v.clock.Add(time.Millisecond) // an answer is for the puzzle that was begun last
			who := all[v.rnd.IntN(len(all))]
			d, _ := v.today(server)
			found := v.answer(who, server, v.rnd.IntN(3) > 0)
			if found == slices.Contains(finders[server][d.Number], who) && found {
				t.Errorf("%s has found puzzle %d of %s twice", who, d.Number, server)
			}
			if found {
				finders[server][d.Number] = append(finders[server][d.Number], who)
			}
		}
	}
	v.db.Chance = func() bool { return false }
	for server := range zones {
		v.checkPosts(server, zones[server], times[server], finders[server])
		v.checkTop(server, people[server], finders[server])
	}
	must(t, v.service.Store.Check(t.Context(), func(fault string) { t.Error(fault) }))
}

// checkPosts compares what was told in a server with what was due there, and with who has solved what.
func (v *village) checkPosts(server, zone, clock string, finders map[int][]string) {
	v.t.Helper()
	where, err := time.LoadLocation(zone)
	must(v.t, err)
	posts := v.at(server)
	if len(posts) != 14 {
		v.t.Errorf("%s: %d puzzles were told in 14 days", server, len(posts))
	}
	for i, p := range posts {
		if at := p.at.In(where).Format("15:04"); at != clock {
			v.t.Errorf("%s: puzzle %d was told at %s", server, i+1, at)
		}
		if i > 0 && p.at.In(where).YearDay() != posts[i-1].at.In(where).YearDay()+1 {
			v.t.Errorf("%s: puzzle %d was told on %v, the one before on %v", server, i+1, p.at, posts[i-1].at)
		}
		if p.note.Board == nil || !strings.Contains(p.text, "Puzzle of the day") {
			v.t.Errorf("%s: puzzle %d is %q", server, i+1, p.text)
		}
		lines := strings.Count(p.text, "\n") + 1
		if first := i == 0; lines > 5 || first == strings.Contains(p.text, "Solution") {
			v.t.Errorf("%s: puzzle %d is %q", server, i+1, p.text)
		}
		for _, who := range []string{"alice", "bob", "carol"} {
			if found := slices.Contains(finders[i], who); i > 0 && found != strings.Contains(p.text, who) {
				v.t.Errorf("%s: puzzle %d was found by %v, and then was told: %s", server, i, finders[i], p.text)
			}
		}
	}
}

// checkTop compares the leaderboard of a server with who has solved what.
func (v *village) checkTop(server string, people []string, finders map[int][]string) {
	v.t.Helper()
	top := v.says("boss", server, "top puzzles")
	newest, _ := v.today(server)
	for _, who := range people {
		all, row := 0, 0
		for n := 1; n <= newest.Number; n++ {
			switch {
			case slices.Contains(finders[n], who):
				all++
				row++
			case n < newest.Number:
				row = 0
			}
		}
		want := fmt.Sprintf("%s: %d puzzles", who, all)
		if row > 1 {
			want += fmt.Sprintf(", %d in a row", row)
		}
		if all > 1 && !strings.Contains(top+"\n", want+"\n") {
			v.t.Errorf("%s: the leaderboard lacks %q:\n%s", server, want, top)
		}
	}
}

func TestAnswersToThePuzzleOfTheDayAreForTheirAuthorAlone(t *testing.T) {
	v := newVillage(t)
	v.says("boss", "club", "settings here puzzle 18:00")
	v.pass(19 * time.Hour)
	if !v.answer("alice", "club", true) || v.answer("bob", "club", false) {
		t.Error("answers are not taken for what they are")
	}
	_, p := v.today("club")
	if v.pass(time.Hour); len(v.posts) != 1 {
		t.Errorf("told were %d things", len(v.posts))
	}
	m := message.Incoming{
		ID: "open", From: someone("bob"), Text: p.Moves[0], Public: true,
		Place: storage.Address{Platform: "test", ID: "club"}, Server: storage.Address{Platform: "test", ID: "club server"},
	}
	notes, err := v.bot.Handle(t.Context(), m)
	if err != nil || strings.Contains(notes[0].Text.Plain(), "right") || strings.Contains(notes[0].Text.Plain(), "that's it") {
		t.Errorf("what all can read is answered by %q: %v", notes[0].Text.Plain(), err)
	}
	old := v.posts[0].note.Buttons[0].Do
	v.pass(24 * time.Hour)
	contains(t, v.handle("carol", "club", "", old)[0].Text.Plain(), "is over")
	contains(t, v.posts[1].text, "Found by alice", "!bob")
}

func TestWhoWantsToBeForgottenHasFoundNoPuzzle(t *testing.T) {
	v := newVillage(t)
	v.says("boss", "club", "settings here puzzle 18:00")
	v.pass(19 * time.Hour)
	v.answer("alice", "club", true)
	v.answer("bob", "club", true)
	contains(t, v.says("bob", "club", "top puzzles"), "1. alice: 1 puzzle", "bob: 1 puzzle")
	if data := v.handle("alice", "", "mydata", ""); data[0].File == nil || !strings.Contains(data[0].File.Content, `"Puzzles"`) {
		t.Error("what is stored of somebody lacks their puzzles")
	}
	v.says("alice", "", "forgetme")
	v.says("alice", "", "forgetme")
	v.pass(24 * time.Hour)
	contains(t, v.posts[1].text, "Found by bob.")
	for _, scope := range []string{"", " world"} {
		contains(t, v.says("bob", "club", "top puzzles"+scope), "!alice", "!"+storage.Nobody, "1. bob: 1 puzzle")
	}
}

func TestWhatIsToldOfPuzzlesHasNoGame(t *testing.T) {
	for _, what := range []event.Kind{event.PuzzleTold, event.PuzzlesRest} {
		d := bot.Delivery{Entry: storage.Entry{Kind: string(what)}}
		if d.AnswersOffers() || d.Asks() != "" {
			t.Errorf("%q answers or asks something", what)
		}
	}
}
