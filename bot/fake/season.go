package fake

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/event"
	"chimera/storage"
	"chimera/storage/kv"
)

// Chat is the double of a platform on which whole seasons are played by people numbered from 0. Number 0
// manages the room.
type Chat interface {
	sync.Locker
	Wait(what string, holds func() bool)

	stir()                                  // lets Wait look again
	tap(dead func() bool, take func(Heard)) // passes what the bot says to take, under the lock, until the program is dead
	account(n int) storage.Address          // of somebody
	write(n int, text string)               // to the bot, in private
	call(n int, text string)                // likewise, in the room
}

// hall stands for the room in the place of a person's number.
const hall = -1

// Heard is a message of the bot's.
type Heard struct {
	to    int // a person's number if private, else hall
	text  string
	press func(by int, label string) bool // presses the button of that label, and reports whether there is one
}

// A League plays whole seasons on a chat by messages of people, in a program that ends at random moments
// and starts again from what it has stored. The expected results are computed from the rules alone.
type League struct {
	Begin  func(kv.DB) (*bot.Bot, func()) // starts the program, and returns what ends it
	Greets bool                           // people have to write before the bot can write to them

	Tick func(to time.Time) error // lets time pass, unless nil; if set, the program ends only in it

	t     testing.TB
	chat  Chat
	disk  kv.DB
	rnd   *rand.Rand
	clock atomic.Int64

	engine *mortal
	bot    *bot.Bot
	end    func()

	heard    map[int]map[storage.GameID][]Heard // by who heard it, and the game it is about, 0 for none
	people   int
	number   map[storage.PersonID]int // of people, under every identity they have had
	strength map[int]float64
	idle     map[int]bool // in this season
	gone     map[int]bool // who was forgotten
	linked   map[int]bool
	before   map[int]int // of those who left this season, how many of their games had ended
	games    map[storage.GameID]*fixture
	running  []*fixture     // of this season
	last     [][]int        // the divisions of the season before, in the order of their tables
	count    map[string]int // of what has happened
}

// fixture is a game of a season, and the plan for how it goes.
type fixture struct {
	id      storage.GameID
	players [2]int
	steps   []step
	plies   int    // that were played
	result  string // that is expected; "" if unknown
	slot    int    // of the season, in which it is played
	played  bool   // all its steps were carried out
	over    bool
}

// step is something that somebody writes or presses, after which others hear something.
type step struct {
	who   int
	text  string // written, or else
	label string // pressed
	hears []int
	what  string
	asks  bool // it is no move, and is repeated if the program ends before it is answered
}

// mortal is a database on which the program ends with one of its next transactions.
type mortal struct {
	kv.DB
	stir  func()
	left  atomic.Int64 // transactions; 0 for never
	after atomic.Bool  // it is stored
	dead  atomic.Bool
}

// Update implements [kv.DB].
func (m *mortal) Update(ctx context.Context, fn func(kv.Writer) error) (err error) {
	defer m.stir()
	if m.dead.Load() {
		return kv.ErrClosed
	}
	if m.left.Add(-1) != 0 {
		return m.DB.Update(ctx, fn)
	}
	if m.after.Load() {
		err = m.DB.Update(ctx, fn)
	}
	m.dead.Store(true)
	return errors.Join(err, kv.ErrClosed)
}

// View implements [kv.DB].
func (m *mortal) View(ctx context.Context, fn func(kv.Reader) error) error {
	if m.dead.Load() {
		return kv.ErrClosed
	}
	return m.DB.View(ctx, fn)
}

// Close implements [kv.DB]. It leaves the database open for the next program.
func (*mortal) Close() error { return nil }

var people = flag.Int("people", 12, "how many people play whole seasons") //nolint:gochecknoglobals // never written

// NewLeague returns a League whose program has not started.
func NewLeague(t testing.TB, chat Chat, disk kv.DB) *League {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	l := &League{
		t: t, chat: chat, disk: disk, people: *people, rnd: rand.New(rand.NewPCG(seed, 37)), heard: map[int]map[storage.GameID][]Heard{},
		number: map[storage.PersonID]int{}, strength: map[int]float64{}, gone: map[int]bool{}, linked: map[int]bool{}, games: map[storage.GameID]*fixture{}, count: map[string]int{},
	}
	l.clock.Store(time.Date(2026, 12, 3, 12, 0, 0, 0, time.UTC).UnixNano())
	chat.Lock()
	defer chat.Unlock()
	chat.tap(func() bool { return l.engine.dead.Load() }, func(h Heard) {
		if l.heard[h.to] == nil {
			l.heard[h.to] = map[storage.GameID][]Heard{}
		}
		found := append(numbered.FindAllStringSubmatch(h.text, -1), []string{"", "0"})
		if !reminders.MatchString(h.text) {
			found = found[:1] // what follows is other games' numbers
		}
		for _, one := range found {
			n, _ := strconv.ParseUint(one[1], 10, 64)
			l.heard[h.to][storage.GameID(n)] = append(l.heard[h.to][storage.GameID(n)], h)
		}
		l.count["messages"]++
	})
	return l
}

var (
	numbered  = regexp.MustCompile(`#(\d+)`)
	reminders = regexp.MustCompile(`it's your move in \d+ game`)
	marks     = regexp.MustCompile(`<[^>]*>|[*\\]`)
)

// Now is the clock of the program.
func (l *League) Now() time.Time { return time.Unix(0, l.clock.Load()).UTC() }

func (l *League) start() {
	l.engine = &mortal{DB: l.disk, stir: l.chat.stir}
	l.bot, l.end = l.Begin(l.engine)
}

// mayEnd makes the program end soon, one time in three.
func (l *League) mayEnd() {
	const soon = 80
	if l.rnd.IntN(3) == 0 {
		l.engine.after.Store(l.rnd.IntN(2) == 0)
		l.engine.left.Store(1 + l.rnd.Int64N(soon))
	}
}

func (l *League) restart() {
	l.end()
	l.count["ends"]++
	l.start()
}

// await waits until something holds, restarting the program whenever it ends; people then repeat what is in again,
// since a question or a press may be lost with a program.
func (l *League) await(what string, holds func() bool, again ...func()) {
	l.t.Helper()
	for dead := true; dead; {
		l.chat.Wait(what, func() bool {
			dead = l.engine.dead.Load()
			return dead || holds()
		})
		if dead {
			l.restart()
			for _, press := range again {
				press()
			}
		}
	}
}

func read[T any](l *League, do func(storage.Reader) (T, error)) T {
	l.t.Helper()
	for {
		found, err := storage.Read(l.t.Context(), l.bot.Store, do)
		switch {
		case err == nil:
			return found
		case !l.engine.dead.Load():
			l.t.Fatal(err)
		}
		l.restart()
	}
}

// looks turns a question to the store into a condition for await; it does not hold if it cannot be read.
func (l *League) looks(do func(storage.Reader) (bool, error)) func() bool {
	return func() bool {
		found, err := storage.Read(l.t.Context(), l.bot.Store, do)
		return err == nil && found
	}
}

// quiet waits until nothing waits to be said.
func (l *League) quiet() {
	l.t.Helper()
	var waits kv.Item
	defer func() {
		if l.t.Failed() {
			l.t.Logf("first waits %q: %s", waits.Key, waits.Value)
		}
	}()
	l.await("that all is said", func() bool {
		waits = kv.Item{}
		err := l.disk.View(l.t.Context(), func(r kv.Reader) error {
			for item, err := range r.Scan(kv.Prefix([]byte("outbox/"))) {
				waits = item
				return err
			}
			return nil
		})
		return err == nil && waits.Key == nil
	})
}

// tick moves the clock, and waits until what is due then is done and told.
func (l *League) tick(until time.Time) {
	l.t.Helper()
	l.clock.Store(until.UnixNano())
	for {
		var err error
		if l.Tick != nil {
			err = l.Tick(until)
		} else {
			err = cmp.Or(l.bot.Match.Alive(l.t.Context()), l.bot.Maintenance.Tick(l.t.Context()))
		}
		if err == nil {
			break
		}
		if !l.engine.dead.Load() {
			l.t.Fatal(err)
		}
		l.restart()
	}
	if l.Tick != nil {
		l.engine.left.Store(0)
	}
	l.quiet()
}

// hears reports whether somebody was told something about a game, or about none for 0. The lock is held.
func (l *League) hears(who int, game storage.GameID, what string) bool {
	return slices.ContainsFunc(l.heard[who][game], func(h Heard) bool { return strings.Contains(h.text, what) })
}

// heardOf is hears for callers without the lock.
func (l *League) heardOf(who int, game storage.GameID, what string) bool {
	l.chat.Lock()
	defer l.chat.Unlock()
	return l.hears(who, game, what)
}

// presses presses, as by, the newest button of a label that who was shown about a game, or about none for 0.
func (l *League) presses(who, by int, game storage.GameID, label string) {
	l.t.Helper()
	l.chat.Lock()
	heard := slices.Clone(l.heard[who][game])
	l.chat.Unlock()
	for _, h := range slices.Backward(heard) {
		if h.press(by, label) {
			return
		}
	}
	l.t.Fatalf("%d was shown no button %s about #%d", who, label, game)
}

// whole are lines by which White or Black wins: short ones, and others long enough to be rated.
var whole = map[string][]string{ //nolint:gochecknoglobals // never written
	"1-0": {"e4 g5 d4 f6 Qh5#", "e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6 Nxe5 Bxd1 Bxf7+ Ke7 Nd5#"},
	"0-1": {"f3 e5 g4 Qh4#", "a3 e5 h3 d5 b3 c5 f3 Nc6 g4 Qh4#"},
}

// slots is how many slots of eight hours have games in a season. They end before anybody's time runs out.
const slots = 15

// plan makes up how a game goes. Idle people do nothing, so their time runs out.
func (l *League) plan(f *fixture) {
	move := func(text string) {
		number := strconv.Itoa(f.plies/2+1) + ". " + text
		if f.plies%2 == 1 {
			number = strconv.Itoa(f.plies/2+1) + "… " + text
		}
		f.steps = append(f.steps, step{who: f.players[f.plies%2], text: fmt.Sprintf("#%d %s", f.id, text), hears: []int{f.players[1-f.plies%2]}, what: number})
		f.plies++
	}
	f.slot = l.rnd.IntN(slots)
	noise := float64(l.people) / 8 * (l.rnd.Float64() - 0.5)
	f.result = "0-1"
	if l.strength[f.players[0]]-l.strength[f.players[1]]+noise > 0 {
		f.result = "1-0"
	}
	switch idle := [2]bool{l.idle[f.players[0]], l.idle[f.players[1]]}; {
	case idle[0] || idle[1]:
		if f.result = ""; !idle[0] {
			f.result = "1-0"
			move("e4")
		} else if !idle[1] {
			f.result = "0-1"
		}
	case l.rnd.IntN(6) == 0:
		f.result = "1/2-1/2"
		move("e4")
		for side := range 2 {
			what := []string{"a draw", "Draw by agreement"}[side]
			f.steps = append(f.steps, step{who: f.players[side], text: fmt.Sprintf("#%d draw", f.id), hears: f.players[1-side:][:1], what: what, asks: true})
		}
	case l.rnd.IntN(3) == 0:
		loser := f.players[map[string]int{"1-0": 1, "0-1": 0}[f.result]]
		f.steps = append(f.steps, step{who: loser, text: fmt.Sprintf("#%d resign", f.id), hears: []int{loser}, what: "esign", asks: true}, // the question, or the result if asked twice
			step{who: loser, label: "Yes", hears: f.players[:], what: "by resignation", asks: true})
	default:
		lines := whole[f.result]
		for _, text := range strings.Fields(lines[min(l.rnd.IntN(4), len(lines)-1)]) {
			move(text)
		}
		f.steps[len(f.steps)-1].hears = f.players[:]
	}
}

// carryOut plays games to their ends, all at once.
func (l *League) carryOut(games []*fixture) {
	l.t.Helper()
	for round := 0; ; round++ {
		type due struct {
			who  int
			game storage.GameID
			what string
		}
		var waits []due
		var again []func()
		for _, f := range games {
			if round >= len(f.steps) {
				continue
			}
			s := f.steps[round]
			do := func() {
				switch {
				case s.text != "":
					l.chat.write(s.who, s.text)
				case !l.heardOf(s.who, f.id, s.what): // asking twice may have done it already
					l.presses(s.who, s.who, f.id, s.label)
				}
			}
			if do(); s.asks {
				again = append(again, do)
			}
			for _, who := range s.hears {
				waits = append(waits, due{who, f.id, s.what})
			}
		}
		if waits == nil {
			break
		}
		defer func() {
			if l.t.Failed() && len(waits) > 0 {
				l.t.Logf("still due is %v", waits)
			}
		}()
		l.await(fmt.Sprint("round ", round, " of games"), func() bool {
			waits = slices.DeleteFunc(waits, func(d due) bool { return l.hears(d.who, d.game, d.what) })
			return len(waits) == 0
		}, again...)
	}
	for _, f := range games {
		f.played, f.over = true, f.over || !l.idle[f.players[0]] && !l.idle[f.players[1]]
	}
}

// Play plays two seasons, or six if many people play.
func (l *League) Play() {
	const many = 20
	seasons := 2
	if l.people >= many {
		seasons = 6
	}
	l.start()
	l.chat.call(0, "settings here league chess 2w 6")
	l.await("a league", func() bool { return l.hears(hall, 0, "Nobody is in it yet") })
	for n, strength := range l.rnd.Perm(l.people) {
		l.strength[n] = float64(strength)
		if l.Greets {
			l.chat.write(n, "hello")
			l.await("a greeting", func() bool { return l.hears(n, 0, "Hello") })
		}
		l.joins(n)
		l.number[l.person(n).ID] = n
	}
	for number := 1; number <= seasons; number++ {
		l.season(number)
	}
	if ids := read(l, storage.Reader.GameIDs); len(ids) != len(l.games) {
		l.t.Errorf("there are %d games, and %d of seasons", len(ids), len(l.games))
	}
	l.count["games"] = len(l.games)
	l.t.Log(l.count)
	l.end()
}

func (l *League) league() storage.League {
	l.t.Helper()
	return read(l, func(r storage.Reader) (storage.League, error) { return r.Leagues().Get(1) })
}

func (l *League) person(n int) storage.Person {
	l.t.Helper()
	return read(l, func(r storage.Reader) (storage.Person, error) { return r.PersonAt(l.chat.account(n)) })
}

// is returns a condition for await: that somebody is in the league.
func (l *League) is(n int) func() bool {
	return l.looks(func(r storage.Reader) (bool, error) {
		p, err := r.PersonAt(l.chat.account(n))
		_, err2 := r.Member(1, &p)
		return err == nil && err2 == nil, nil
	})
}

// joins lets somebody join the league, by its button or by words: a console that has begun anew does not know the button.
func (l *League) joins(n int) {
	l.t.Helper()
	if press := func() { l.presses(hall, n, 0, "Join") }; l.rnd.IntN(2) == 0 {
		press()
		l.await("an answer", func() bool { return l.is(n)() || l.hears(n, 0, "You have no challenge") }, press)
	}
	if !l.is(n)() {
		l.chat.call(n, "league join")
		l.await("a member", l.is(n))
	}
}

// withdraw notes that somebody has left: their opponents win the games in progress.
func (l *League) withdraw(n int) {
	l.before[n] = 0
	for _, f := range l.running {
		switch side := slices.Index(f.players[:], n); {
		case side < 0:
		case f.over:
			l.before[n]++
		default:
			if f.over, f.result = true, []string{"0-1", "1-0"}[side]; !f.played {
				f.steps, f.plies = nil, 0
			}
		}
	}
}

// season takes a season from beginning to end, and compares it with what the rules say.
func (l *League) season(number int) {
	l.t.Helper()
	for begins := l.league().Next; !l.league().Runs; {
		l.mayEnd()
		l.tick(earlier(l.Now().Add(12*time.Hour), begins))
	}
	l.calm()
	s := read(l, func(r storage.Reader) (storage.LeagueSeason, error) { return r.Seasons().Get(l.league().Season) })
	l.running, l.before, l.idle = nil, map[int]int{}, map[int]bool{}
	for n := range l.people {
		l.idle[n] = l.rnd.IntN(15) == 0
	}
	var divided [][]int
	for _, d := range l.divisions(&s) {
		divided = append(divided, l.begins(&d))
	}
	if number > 1 {
		if err := cut(divided, promoted(l.last)); err != nil {
			l.t.Errorf("season %d: %v", number, err)
		}
	}
	for slot := range slots {
		if l.Tick == nil {
			l.mayEnd()
		}
		l.carryOut(slices.DeleteFunc(slices.Clone(l.running), func(f *fixture) bool { return f.slot != slot }))
		l.somethingHappens()
		l.mayEnd()
		l.tick(l.Now().Add(8 * time.Hour))
	}
	for l.league().Runs && l.Now().Before(s.Ends) {
		l.mayEnd()
		l.tick(earlier(l.Now().Add(8*time.Hour), s.Ends))
	}
	l.calm()
	if s = read(l, func(r storage.Reader) (storage.LeagueSeason, error) { return r.Seasons().Get(s.ID) }); s.Ended.IsZero() || s.Ended.After(s.Ends) {
		l.t.Fatalf("season %d was to end at %s, and ended at %s", number, s.Ends, s.Ended)
	}
	l.told(&s)
	l.last = nil
	within := 0.0
	for _, d := range l.divisions(&s) {
		order := l.ended(&s, &d)
		l.last = append(l.last, order)
		within += spearman(order, l.strength) / float64(s.Divisions)
	}
	order := slices.Concat(l.last...)
	l.t.Logf("season %d: %d divisions of %d people; strength and place correlate with %.2f in one, and %.2f in all", number, s.Divisions, len(order), within, spearman(order, l.strength))
	for _, n := range slices.Sorted(slices.Values(order)) { // most of those who have left come back
		if !l.gone[n] && l.rnd.IntN(4) > 0 && !l.is(n)() {
			l.joins(n)
		}
	}
}

// calm stops the program from ending at random, waits until it has said all, and unless Tick is set restarts it:
// weeks pass here within seconds, and how far it has heard is stored only now and then, or as it ends.
func (l *League) calm() {
	l.engine.left.Store(0)
	l.quiet()
	if l.Tick == nil {
		l.restart()
	}
}

// told fails the test unless the room was told of a season's beginning, half and end.
func (l *League) told(s *storage.LeagueSeason) {
	l.chat.Lock()
	defer l.chat.Unlock()
	var all strings.Builder
	for _, some := range l.heard[hall] {
		for _, h := range some {
			all.WriteString(h.text)
		}
	}
	due := []string{"season %d has begun", "season %d is over"}
	if half := s.Begins.Add(s.Ends.Sub(s.Begins) / 2); s.Ended.After(half) {
		due = append(due, "half of season %d is over")
	}
	for _, what := range due {
		if what = fmt.Sprintf(what, s.Number); !strings.Contains(all.String(), what) {
			l.t.Errorf("the room was not told that %s", what)
		}
	}
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func (l *League) divisions(s *storage.LeagueSeason) (all []storage.Division) {
	for n := 1; n <= s.Divisions; n++ {
		all = append(all, read(l, func(r storage.Reader) (storage.Division, error) { return r.DivisionOf(s.ID, n) }))
	}
	return all
}

// begins takes in the games of a division, and checks that everyone plays everyone once, and has White at most once
// more or less often than Black. It returns who plays in it.
func (l *League) begins(d *storage.Division) (people []int) {
	for _, e := range d.Entrants {
		people = append(people, l.number[e.Person])
	}
	met, whites := map[[2]int]bool{}, map[int]int{}
	for _, g := range read(l, func(r storage.Reader) ([]storage.Game, error) { return r.Games().All(d.Games) }) {
		f := &fixture{id: g.ID, players: [2]int{l.number[g.Players[0]], l.number[g.Players[1]]}}
		met[[2]int{min(f.players[0], f.players[1]), max(f.players[0], f.players[1])}] = true
		whites[f.players[0]]++
		l.plan(f)
		l.running = append(l.running, f)
		if l.games[f.id] != nil || len(l.heard[f.players[0]][f.id]) == 0 || len(l.heard[f.players[1]][f.id]) == 0 {
			l.t.Errorf("#%d began twice, or somebody was not told", f.id)
		}
		l.games[f.id] = f
	}
	if n := len(people); len(met) != n*(n-1)/2 || len(d.Games) != len(met) {
		l.t.Errorf("%d pairs of %d people play %d games", len(met), n, len(d.Games))
	}
	for _, n := range people {
		if apart := 2*whites[n] - len(people) + 1; apart < -1 || apart > 1 {
			l.t.Errorf("somebody has White %d times of %d", whites[n], len(people)-1)
		}
	}
	return people
}

// somethingHappens lets somebody leave the league, be forgotten or become somebody else, at random.
func (l *League) somethingHappens() {
	n := l.rnd.IntN(l.people)
	if l.gone[n] || l.idle[n] || !l.is(n)() {
		return
	}
	withdraw := l.withdraw
	if !l.league().Runs { // the season ended early
		withdraw = func(int) {}
	}
	switch l.rnd.IntN(12) {
	case 0:
		l.count["leave"]++
		leave := func() { l.chat.write(n, "league leave") }
		leave()
		left := func() bool { return !l.is(n)() }
		l.await("a question", func() bool { return l.hears(n, 0, "Really leave") || left() }, leave) // none if nothing is lost
		if press := func() { l.presses(n, n, 0, "Yes") }; !left() {
			press()
			l.await("that somebody leaves", left, press)
		}
		withdraw(n)
	case 1:
		l.count["forgotten"]++
		l.engine.left.Store(0)
		l.chat.write(n, "forgetme")
		l.await("a question", func() bool { return l.hears(n, 0, "Delete your data?") })
		l.chat.write(n, "forgetme")
		l.await("that somebody is forgotten", l.looks(func(r storage.Reader) (bool, error) {
			_, err := r.PersonAt(l.chat.account(n))
			return errors.Is(err, storage.ErrNotFound), nil
		}))
		l.gone[n] = true
		withdraw(n)
	case 2:
		if l.linked[n] {
			return
		}
		l.linked[n] = true
		l.count["linked"]++
		l.engine.left.Store(0)
		from := l.person(n).ID
		var into storage.Person
		err := l.bot.Store.Update(l.t.Context(), func(w storage.Writer) (err error) {
			into, err = w.Meet(storage.Address{Platform: "other", ID: strconv.Itoa(n)}, fmt.Sprint("p", n))
			return err
		})
		users, by := l.bot.Users, event.By{Person: into.ID}
		code, err2 := users.NewLink(l.t.Context(), by)
		_, err3 := users.AgreeLink(l.t.Context(), event.By{Person: from}, code)
		_, err4 := users.GiveLink(l.t.Context(), by, code)
		if err := cmp.Or(err, err2, err3, err4); err != nil {
			l.t.Fatal(err)
		}
		l.number[into.ID] = n
	}
}

// ended compares how a division ended with what was played and the rules, and returns its people in the order of
// its table. It checks that everyone was told of the end of their games, and nobody lost on time unwarned.
func (l *League) ended(s *storage.LeagueSeason, d *storage.Division) (order []int) {
	l.chat.Lock()
	defer l.chat.Unlock()
	seats, late := map[int]int{}, map[int]int{}
	for seat, e := range d.Entrants {
		seats[l.number[e.Person]] = seat
	}
	var played []Played
	for _, g := range read(l, func(r storage.Reader) ([]storage.Game, error) { return r.Games().All(d.Games) }) {
		f := l.games[g.ID]
		if !g.Over() || f.result != "" && f.result != g.Result || len(g.Moves) != f.plies {
			l.t.Errorf("#%d ended %s by %s after %d moves; due is %s after %d", g.ID, g.Result, g.Ending, len(g.Moves), f.result, f.plies)
		}
		white := map[string]float64{"1-0": 1, "1/2-1/2": 0.5}[g.Result]
		played = append(played, Played{[2]int{seats[f.players[0]], seats[f.players[1]]}, white})
		for _, n := range f.players {
			if told := strings.ReplaceAll(g.Result, "1/2", "½"); !l.gone[n] && !l.hears(n, g.ID, told) {
				l.t.Errorf("somebody was not told that #%d ended %s", g.ID, told)
			}
		}
		if loser := f.players[int(white)]; g.Ending == "time" {
			l.count["time-outs"]++
			if late[loser]++; !l.gone[loser] && !l.hears(loser, g.ID, "it's your move in") {
				l.t.Errorf("who lost #%d on time was not warned", g.ID)
			}
		}
	}
	table, err := l.bot.Seasons.Division(l.t.Context(), 1, s.Number, d.Number)
	if err != nil {
		l.t.Fatal(err)
	}
	places := Ranks(d.Entrants, played)
	for _, now := range table.Standings {
		if now.Place != places[now.Seat] {
			l.t.Errorf("place %d, and by the rules %d: %+v", now.Place, places[now.Seat], now)
		}
	}
	for n, seat := range seats {
		order = append(order, n)
		ended, left := l.before[n]
		if e := d.Entrants[seat]; e.Out != (left || late[n] >= 2) || e.Late != (late[n] >= 2) || left && e.Before != ended {
			l.t.Errorf("with %d games lost on time, left %v after %d games: %+v", late[n], left, ended, e)
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		i, j := seats[a], seats[b]
		return cmp.Or(places[i]-places[j], cmp.Compare(d.Entrants[j].Rating, d.Entrants[i].Rating), i-j)
	})
	return order
}

// Played is a game between two seats of a division, White's first, and White's score: 1, ½ or 0.
type Played struct {
	Seats [2]int
	White float64
}

// Ranks computes the place of each entrant in a table from the rules alone.
func Ranks(entrants []storage.Entrant, games []Played) (places []int) {
	n := len(entrants)
	struck := func(i int) bool { return entrants[i].Out && float64(entrants[i].Before) < float64(n-1)/2 }
	score := func(i int, against func(int) bool) (points float64, wins int, sb func(func(int) float64) float64) {
		var all []func(func(int) float64) float64
		for _, g := range games {
			for side := range 2 {
				if other := g.Seats[1-side]; g.Seats[side] == i && !struck(i) && !struck(other) && against(other) {
					got := g.White
					if side == 1 {
						got = 1 - g.White
					}
					if got == 1 {
						wins++
					}
					points += got
					all = append(all, func(of func(int) float64) float64 { return got * of(other) })
				}
			}
		}
		return points, wins, func(of func(int) float64) (sum float64) {
			for _, f := range all {
				sum += f(of)
			}
			return sum
		}
	}
	anybody := func(int) bool { return true }
	points := func(i int) float64 { p, _, _ := score(i, anybody); return p }
	key := func(i int) string {
		p, wins, sb := score(i, anybody)
		direct, _, _ := score(i, func(o int) bool { return points(o) == p })
		standing := 1
		if struck(i) {
			standing = 0
		}
		return fmt.Sprintf("%d %08.2f %08.2f %08d %08.2f", standing, p, direct, wins, sb(points))
	}
	for i := range n {
		place := 1
		for j := range n {
			if key(j) > key(i) {
				place++
			}
		}
		places = append(places, place)
	}
	return places
}

// promoted is the order of players after a season: the first of each division has moved up and the last
// down, two of each if both divisions have at least seven players.
func promoted(divisions [][]int) (order []int) {
	for n, here := range divisions {
		if n == 0 {
			order = slices.Clone(here)
			continue
		}
		moving := 1
		if min(len(divisions[n-1]), len(here)) >= 7 {
			moving = 2
		}
		above := order[:len(order)-moving]
		down := slices.Clone(order[len(above):])
		order = slices.Concat(above, here[:moving], down, here[moving:])
	}
	return order
}

// cut fails unless divisions are an order, without those who are in none of them, cut into parts whose sizes differ
// by one at most, the larger ones first.
func cut(divisions [][]int, order []int) error {
	all := slices.Concat(divisions...)
	order = slices.DeleteFunc(order, func(p int) bool { return !slices.Contains(all, p) })
	for n, division := range divisions {
		got := slices.Sorted(slices.Values(division))
		if short := len(divisions[0]) - len(got); short < 0 || short > 1 || n > 0 && len(got) > len(divisions[n-1]) || len(got) > len(order) {
			return fmt.Errorf("division %d has %d players, the first %d, and %d are left", n+1, len(got), len(divisions[0]), len(order))
		}
		if want := slices.Sorted(slices.Values(order[:len(got)])); !slices.Equal(got, want) {
			return fmt.Errorf("in division %d are %v, not %v", n+1, got, want)
		}
		order = order[len(got):]
	}
	return nil
}

// spearman is the rank correlation of an order with strength.
func spearman(order []int, strength map[int]float64) float64 {
	sorted := slices.Clone(order)
	slices.SortFunc(sorted, func(a, b int) int { return cmp.Compare(strength[b], strength[a]) })
	sum, n := 0.0, float64(len(order))
	for i, p := range order {
		apart := float64(i - slices.Index(sorted, p))
		sum += apart * apart
	}
	return 1 - 6*sum/(n*(n*n-1))
}
