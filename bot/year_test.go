package bot_test

import (
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/rating"
	"chimera/rules"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

var wholeYear = flag.Bool("year", false, "simulate a year of 2,000 games among 500 people, with 200 crashes in it")

// TestAYear simulates people who play for a year in three servers, with vacations, conditional moves, takebacks,
// annulled games, seasons, a chat that fails now and then, messages that come twice, outages, and crashes before,
// within and after transactions. In the end every invariant holds.
func TestAYear(t *testing.T) {
	y := &year{people: 30, matches: 60, crashes: 20, seed: rand.Uint64()}
	if *wholeYear {
		y.people, y.matches, y.crashes = 500, 2000, 200
	}
	t.Logf("seed %d", y.seed)
	y.t = t
	y.run()
}

type year struct {
	mortal
	seed            uint64
	people, matches int
	crashes         int // still to come
	began, messages int
	taken           int                // challenges that became games
	planned         int                // conditional moves that were played
	due             int                // how many games should have been proposed by now
	visits          []time.Time        // when each person looks next
	announced       map[turn]bool      // turns that were told
	reminded        map[turn]time.Time // when a reminder of a turn arrived first
	counts          map[event.Kind]int
}

type turn struct {
	game storage.GameID
	ply  int
}

// mortal is a program on a clock of the test's, which can end in a transaction or just after one, and begin again.
type mortal struct {
	t       *testing.T
	rnd     *rand.Rand
	clock   time.Time
	disk    kvtest.Disk
	db      kvtest.Brittle
	games   []*rules.Variant
	coin    func() bool
	chat    *chat
	service bot.Services
	bot     *bot.Bot
	outbox  *outbox.Outbox
}

// begin starts the program on what is stored.
func (m *mortal) begin() {
	m.db.DB, m.db.Chance = m.disk.Open("db"), func() bool { return false }
	store, err := storage.Open(m.t.Context(), &m.db)
	must(m.t, err)
	now, log := func() time.Time { return m.clock }, slog.New(slog.DiscardHandler)
	m.service = bot.NewServices(store, m.games, now, m.coin)
	m.bot = bot.New(m.service, log, "Chimera")
	m.outbox = bot.NewOutbox(m.bot, now, log, map[string]bot.Outlet{"test": m.chat})
}

// restart ends the program, and starts it again.
func (m *mortal) restart() {
	must(m.t, m.db.Close())
	m.begin()
}

// kill ends the program in or just after one of the next transactions.
func (m *mortal) kill() {
	after := m.rnd.IntN(4)
	m.db.Chance = func() bool { after--; return after == 0 }
}

// survive repeats something until the program does not end in it.
func (m *mortal) survive(do func()) {
	ends := true
	for ends {
		var err error
		ends, err = m.db.Ends(func() error {
			do()
			return nil
		})
		if must(m.t, err); ends {
			m.restart()
		}
	}
}

// tick does what is due, and says what waits.
func (m *mortal) tick() {
	m.survive(func() {
		must(m.t, errors.Join(m.service.Match.Beat(m.t.Context()), m.service.Maintenance.Tick(m.t.Context())))
		_, err := m.outbox.Drain(m.t.Context())
		must(m.t, err)
	})
}

// hear has the bot handle a message.
func (m *mortal) hear(in message.Incoming) (notes []message.Message) {
	m.t.Helper()
	m.survive(func() {
		var err error
		if notes, err = m.bot.Handle(m.t.Context(), in); err != nil {
			m.t.Fatalf("%s%s: %v", in.Text, in.Press, err)
		}
	})
	return notes
}

func (y *year) run() {
	y.rnd, y.clock, y.games, y.coin = rand.New(rand.NewPCG(y.seed, 1)), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), variants.All(), func() bool { return y.rnd.IntN(2) == 0 }
	y.chat = &chat{send: y.send}
	y.announced, y.reminded, y.counts = map[turn]bool{}, map[turn]time.Time{}, map[event.Kind]int{}
	y.visits = make([]time.Time, y.people)
	y.begin()
	const hours = 365 * 24
	crashEvery := hours / y.crashes
	for hour := range hours {
		y.due = y.matches * 2 * (hour + 1) / hours
		y.clock = y.clock.Add(20 * time.Minute)
		y.tick()
		y.clock = y.clock.Add(20 * time.Minute)
		y.tick()
		y.clock = y.clock.Add(20 * time.Minute)
		if y.rnd.IntN(1500) == 0 {
			y.clock = y.clock.Add(time.Duration(1+y.rnd.IntN(40)) * time.Hour) // an outage
		}
		if hour%crashEvery == 0 && y.crashes > 0 {
			y.crashes--
			y.kill()
		}
		y.tick()
		for who, at := range y.visits {
			if !y.clock.Before(at) {
				y.visit(who)
				y.visits[who] = y.clock.Add(y.pause(who))
			}
		}
	}
	y.check()
}

// pause is how long somebody stays away: some are quick, some slow, and all sometimes vanish for weeks.
func (y *year) pause(who int) time.Duration {
	usual := []int{2, 4, 8, 16, 40}[who%5]
	if y.rnd.IntN(60) == 0 {
		usual = 24 * 25
	}
	return time.Duration(1+y.rnd.IntN(2*usual)) * time.Hour
}

var errChat = errors.New("the chat does not answer")

// send is the chat: it fails now and then.
func (y *year) send(p bot.Delivery) error {
	if y.rnd.IntN(20) == 0 {
		return errChat
	}
	what, e := event.Kind(p.Entry.Kind), p.Entry
	y.counts[what]++
	now := turn{e.Game, e.Ply}
	switch what {
	case event.Began, event.Moved, event.Ended, event.TookBack:
		y.announced[now] = true
		position := event.PayloadOf[event.Position](&e)
		for _, m := range position.Earlier {
			y.announced[turn{e.Game, m.Ply}] = true
		}
		if what == event.Began {
			y.announced[turn{e.Game, 0}] = true
			y.taken++
		}
		if position.Planned {
			y.planned++
		}
	case event.Reminded:
		g := y.stored(e.Game)
		if g.Over() || len(g.Moves) != e.Ply {
			y.t.Errorf("game %d: a reminder for ply %d, but %d moves were played", g.ID, e.Ply, len(g.Moves))
		}
		if y.reminded[now].IsZero() {
			y.reminded[now] = y.clock
		}
	default: // nothing depends on these
	}
	return nil
}

func (y *year) game(id storage.GameID) (storage.Game, error) {
	return storage.Read(y.t.Context(), y.service.Store, func(r storage.Reader) (storage.Game, error) { return r.Games().Get(id) })
}

func (y *year) stored(id storage.GameID) storage.Game {
	g, err := y.game(id)
	must(y.t, err)
	return g
}

func player(who int) message.Account {
	return someone(fmt.Sprintf("player%d", who))
}

// says has somebody write a message. Now and then it comes twice, and it comes again if the program crashed in it.
func (y *year) says(who int, text string) {
	y.messages++
	m := message.Incoming{
		ID: fmt.Sprint(y.messages), From: player(who), Text: text, People: map[string]message.Account{"@x": player(y.rnd.IntN(y.people))},
		Place:   storage.Address{Platform: "test", ID: fmt.Sprint(who % 7)},
		Server:  storage.Address{Platform: "test", ID: fmt.Sprint("server", who%7%3)},
		Manager: true,
	}
	y.hear(m)
	if y.rnd.IntN(30) == 0 {
		y.hear(m)
	}
}

// visit has somebody look at their games.
func (y *year) visit(who int) {
	if y.began < y.due && y.taken < y.matches {
		y.began++
		all := variants.All()
		y.says(who, fmt.Sprintf("challenge @x %s %dd %s", all[y.rnd.IntN(len(all))].Key, 1+y.rnd.IntN(5), y.oneOf("rated", "unrated")))
	}
	if y.rnd.IntN(100) == 0 {
		y.says(who, y.oneOf("vacation 2d", "vacation off", "settings claim auto", "settings vacation ask", "settings vacation auto",
			"settings quiet 22-7", "settings reminders 1h", "settings reminders off", "settings reminders all", "settings timezone Asia/Tokyo"))
	}
	if y.rnd.IntN(100) == 0 {
		y.says(who, y.oneOf("settings here seasons on", "settings here seasons on", "settings here seasons off", "settings leaderboard off",
			"settings leaderboard on", "settings here hide @x", "settings here unhide @x", "top", "top week", "top world month", "top games", "top streak 2",
			y.clock.AddDate(0, -1, 0).Format("top 2006-01"), y.clock.AddDate(0, -2, 0).Format("top world 2006-01")))
	}
	if y.rnd.IntN(1000) == 0 {
		annul := fmt.Sprintf("settings here annul #%d", 1+y.rnd.IntN(y.began+1))
		y.says(who, annul)
		y.says(who, annul)
		y.annuls(storage.GameID(1 + y.rnd.IntN(y.began+1)))
	}
	for range 3 {
		y.says(who, "accept")
	}
	me, err := y.service.Users.Meet(y.t.Context(), player(who).Address, player(who).Name)
	must(y.t, err)
	agenda, _, err := y.service.Games.Agenda(y.t.Context(), event.By{Person: me.ID}, me.ID, 40, nil)
	must(y.t, err)
	for _, it := range agenda {
		y.act(who, &it)
	}
}

func (y *year) oneOf(texts ...string) string { return texts[y.rnd.IntN(len(texts))] }

// act has somebody do something in a game.
func (y *year) act(who int, it *match.Item) {
	g := &it.Game
	at := fmt.Sprintf("#%d ", g.ID)
	pos, err := y.service.Games.Variant(g.Variant).Position(g.FEN)
	must(y.t, err)
	moves := pos.Moves()
	any := func() string { return coordinate(pos, moves[y.rnd.IntN(len(moves))]) }
	switch n := y.rnd.IntN(100); {
	case g.Clock.Up && !it.Mine:
		y.says(who, at+"claim")
	case n < 3:
		y.says(who, at+y.oneOf("draw", "takeback", "addtime 1d", "cancel", "decline"))
	case n < 6 && len(g.Moves) > 30:
		y.says(who, at+"resign")
		y.says(who, at+"resign")
	case it.Mine:
		y.says(who, at+any())
	case n < 80:
		first := moves[y.rnd.IntN(len(moves))]
		next, err := pos.Play(first)
		must(y.t, err)
		if answers := next.Moves(); len(answers) > 0 {
			y.says(who, at+"if "+coordinate(pos, first)+" then "+coordinate(next, answers[y.rnd.IntN(len(answers))]))
		}
	}
}

func coordinate(pos *rules.Position, m rules.Move) string { return pos.Variant().Coordinate(m) }

// check reads the whole database.
func (y *year) check() {
	for {
		y.clock = y.clock.Add(time.Minute)
		y.tick()
		waiting, err := storage.Read(y.t.Context(), y.service.Store, func(r storage.Reader) ([]storage.Entry, error) { return r.Outbox() })
		must(y.t, err)
		if len(waiting) == 0 {
			break
		}
	}
	games, err := y.service.Maintenance.Verify(y.t.Context(), func(id storage.GameID, fault error) { y.t.Errorf("game %d: %v", id, fault) }, func(int, int) {})
	must(y.t, err)
	ratings, err := y.service.Ratings.VerifyRatings(y.t.Context(), func(fault error) { y.t.Error(fault) }, func(int, int) {})
	if err != nil || ratings == 0 {
		y.t.Errorf("%d ratings were computed again: %v", ratings, err)
	}
	y.checkBoards()
	over, moves, annulled := 0, 0, 0
	for id := storage.GameID(1); id <= storage.GameID(y.began); id++ {
		g, err := y.game(id)
		if errors.Is(err, storage.ErrNotFound) {
			continue // a challenge that was not accepted
		}
		must(y.t, err)
		moves += len(g.Moves)
		if g.Over() {
			over++
		}
		for ply := range len(g.Moves) + 1 {
			if !y.announced[turn{id, ply}] {
				y.t.Errorf("game %d: ply %d was not announced", id, ply)
			}
		}
		if g.Void == rating.Annulled {
			annulled++
		}
		if g.Annul {
			y.t.Errorf("game %d is still to be annulled", id)
		}
		if at := y.reminded[turn{id, len(g.Moves)}]; g.Ending == string(rules.ByTime) && (at.IsZero() || g.Changed.Sub(at) < time.Hour) {
			y.t.Errorf("game %d was lost on time at %s, reminded at %s", id, g.Changed, at)
		}
	}
	y.t.Logf("%d games, %d over, %d annulled, %d moves, %d of them as planned, %d messages; told: %v", games, over, annulled, moves, y.planned, y.messages, y.counts)
	if over < games/2 || y.planned == 0 || *wholeYear && y.counts[event.MonthEnded]*annulled == 0 || y.counts[event.Reminded] == 0 || y.counts[event.WentAway] == 0 {
		y.t.Error("too little has happened in that year to show anything")
	}
}

// annuls annuls a game, unless that is refused.
func (y *year) annuls(id storage.GameID) {
	y.t.Helper()
	err := y.service.Ratings.Annul(y.t.Context(), id)
	if no := (*event.Refusal)(nil); err != nil && !errors.As(err, &no) {
		y.t.Fatal(err)
	}
}

// checkBoards compares all leaderboards with those that a newly started program makes.
func (y *year) checkBoards() {
	boards := func(l *rating.Service) map[rating.Asked][]rating.Line {
		all := map[rating.Asked][]rating.Line{}
		for server := range storage.ServerID(3) {
			for _, period := range []rating.Period{rating.Ever, rating.Week, rating.Month, rating.Games, rating.Streak, rating.Combiner} {
				ask := rating.Asked{Server: server, Game: storage.Overall, Period: period, From: 1}
				found, err := l.Top(y.t.Context(), ask)
				must(y.t, err)
				all[ask] = append(found.Lines, found.Guesses...)
			}
		}
		return all
	}
	was, now := boards(y.service.Ratings), boards(rating.New(y.service.Store, y.service.Events, variants.All(), func() time.Time { return y.clock }))
	for ask := range now {
		if !reflect.DeepEqual(now[ask], was[ask]) {
			y.t.Errorf("%+v shows %+v, made anew %+v", ask, was[ask], now[ask])
		}
	}
}
