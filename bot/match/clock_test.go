package match_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/user"
	"chimera/rules"
	"chimera/storage"
)

// timed begins a game between alice, who is White, and bob, at a pace.
func (c *club) timed(pace storage.Pace, rated bool) storage.GameID {
	c.t.Helper()
	id := c.begun(c.alice, c.bob, storage.Challenge{Variant: "chess", Rated: rated, Pace: pace})
	c.deliver()
	return id
}

// clocked is a club whose program is at work.
func clocked(t *testing.T) *club {
	t.Helper()
	c := newClub(t)
	c.beat()
	return c
}

// deliver crosses off what waits, and returns what it was.
func (c *club) deliver() []event.Kind {
	c.t.Helper()
	var kinds []event.Kind
	for _, e := range c.outbox() {
		kinds = append(kinds, event.Kind(e.Kind))
		c.update(func(w storage.Writer) error {
			if err := w.Delivered(e.Queue(), e.ID); err != nil {
				return err
			}
			return c.HeardOf(w, e)
		})
	}
	return kinds
}

// pass lets time go by, as a program at work sees it.
func (c *club) pass(d time.Duration) {
	c.t.Helper()
	for end := c.now.Add(d); c.now.Before(end); {
		c.now = c.now.Add(min(10*time.Minute, end.Sub(c.now)))
		c.beat()
	}
}

// passHeard lets time go by in some parts, after each of which all is heard that was to be said.
func (c *club) passHeard(parts int, each time.Duration) {
	c.t.Helper()
	for range parts {
		c.pass(each)
		c.deliver()
	}
}

func (c *club) beat() {
	c.t.Helper()
	c.ok(c.Beat(c.t.Context()))
	c.tick()
}

func (c *club) look(id storage.GameID) *match.GameView {
	c.t.Helper()
	sight, err := c.Load(c.t.Context(), id, match.Latest)
	c.ok(err)
	return sight
}

func (c *club) onTime(id storage.GameID, result rules.Result) {
	c.t.Helper()
	if g := c.look(id).Game; g.Result != result.String() || g.Ending != string(rules.ByTime) {
		c.t.Errorf("game %d ended %s by %q, want %s by time", id, g.Result, g.Ending, result)
	}
}

func (c *club) told(want ...event.Kind) {
	c.t.Helper()
	if got := c.deliver(); !slices.Equal(got, want) {
		c.t.Errorf("told was %v, want %v", got, want)
	}
}

func (c *club) choose(by event.By, name, value string) {
	c.t.Helper()
	c.must(c.Choose(c.t.Context(), by, name, value))
}

const day = 24 * time.Hour

func TestNobodysTimeIsUpBeforeAReminderWasDeliveredAnHourAgo(t *testing.T) {
	c := clocked(t)
	c.choose(c.bob, user.SetVacation, "ask")
	id := c.timed(storage.Pace{Move: day}, true)
	c.moves(id, "e4", "e5", "d4")
	c.deliver()
	c.pass(5 * day) // no reminder can be delivered
	if c.look(id).Game.Over() {
		t.Fatal("the game has ended without a reminder")
	}
	c.told(event.Reminded, event.Reminded, event.Reminded, event.Reminded)
	c.pass(50 * time.Minute)
	if c.look(id).Game.Over() {
		t.Fatal("the game has ended less than an hour after the reminder")
	}
	c.pass(20 * time.Minute)
	c.onTime(id, rules.WhiteWins)
	c.told(event.Ended)
}

func TestAReminderIsNotSentAfterTheMove(t *testing.T) {
	c := clocked(t)
	id := c.timed(storage.Pace{Move: day}, true)
	c.moves(id, "e4", "e5")
	c.deliver()
	c.pass(11 * time.Hour)
	c.moves(id, "d4")
	c.told(event.Moved)
	c.pass(11 * time.Hour)
	c.told()
	c.pass(2 * time.Hour)
	c.told(event.Reminded) // half of bob's day
}

func TestWithoutRemindersThereIsALastWord(t *testing.T) {
	c := clocked(t)
	c.choose(c.alice, user.SetReminders, "off")
	c.choose(c.alice, user.SetVacation, "ask")
	id := c.timed(storage.Pace{Move: 2 * day}, true)
	c.moves(id, "e4", "e5")
	c.deliver()
	c.pass(47 * time.Hour)
	c.told()
	c.pass(time.Hour)
	c.told(event.Reminded)
	c.pass(time.Hour + 10*time.Minute)
	c.onTime(id, rules.BlackWins)
}

func TestTheReminderThatSomebodyChoseIsTheOneHeGets(t *testing.T) {
	c := clocked(t)
	c.choose(c.alice, user.SetReminders, "4h")
	id := c.timed(storage.Pace{Move: 2 * day}, true)
	c.pass(43 * time.Hour)
	c.told()
	c.pass(time.Hour)
	c.told(event.Reminded)
	if left := c.look(id).Left; left != 4*time.Hour {
		t.Errorf("%v are left", left)
	}
}

// Of 30 hours from noon UTC, half are over at 3 UTC, when it is 22 in New York.
func TestInQuietHoursNobodyIsReminded(t *testing.T) {
	c := clocked(t)
	c.choose(c.alice, user.SetReminders, "half")
	c.choose(c.alice, user.SetQuiet, "21-7")
	c.choose(c.alice, user.SetTimezone, "America/New_York")
	c.timed(storage.Pace{Move: 30 * time.Hour}, true)
	c.pass(15*time.Hour + 10*time.Minute)
	c.told()
	c.pass(8*time.Hour + 40*time.Minute)
	c.told()
	c.pass(20 * time.Minute) // 7 in the morning
	c.told(event.Reminded)
}

func TestTimeThatIsUpWaitsToBeClaimedInAFriendlyGame(t *testing.T) {
	c := clocked(t)
	c.choose(c.bob, user.SetVacation, "ask")
	id := c.timed(storage.Pace{Move: day}, false)
	c.moves(id, "e4", "e5", "d4")
	c.deliver()
	c.passHeard(3, 12*time.Hour)
	sight := c.look(id)
	if sight.Game.Over() || !sight.Game.Clock.Up {
		t.Fatal("the time is not up, or the game is over")
	}
	c.refused(event.NothingToClaim)(c.Claim(t.Context(), c.bob, id))
	// He may still move, and then has the next move's time.
	c.must(c.Move(t.Context(), c.bob, id, "exd4"))
	if c.look(id).Game.Clock.Up {
		t.Error("the time is still up after the move")
	}
	c.moves(id, "Qxd4")
	c.deliver()
	c.passHeard(3, 12*time.Hour)
	c.must(c.Claim(t.Context(), c.alice, id))
	c.onTime(id, rules.WhiteWins)
}

func TestWhoWantsItHasWinsOnTimeClaimed(t *testing.T) {
	c := clocked(t)
	c.choose(c.bob, user.SetVacation, "ask")
	c.choose(c.alice, user.SetClaim, "auto")
	id := c.timed(storage.Pace{Move: day}, false)
	c.moves(id, "e4", "e5", "d4")
	c.deliver()
	c.passHeard(3, 12*time.Hour)
	c.onTime(id, rules.WhiteWins)
}

func TestWhoNeverMovedLosesNothing(t *testing.T) {
	c := clocked(t)
	c.choose(c.alice, user.SetVacation, "ask")
	id := c.timed(storage.Pace{Move: day}, true)
	c.pass(day)
	c.deliver()
	c.pass(2 * time.Hour)
	c.onTime(id, rules.Aborted)
}

func TestAVacationIsToldEachOpponentOnceWithTheGames(t *testing.T) {
	c := clocked(t)
	one := c.timed(storage.Pace{Move: 3 * day}, true)
	two := c.timed(storage.Pace{Move: 2 * day}, true)
	c.must(c.GoAway(t.Context(), c.alice, 1))
	told := c.waiting(event.WentAway)
	if len(told) != 1 || told[0].Game != one || told[0].Facts["games"] != fmt.Sprint(one, " ", two) {
		t.Errorf("told was %v", told)
	}
}

func TestAVacationBeginsByItselfAndEndsWithAMove(t *testing.T) {
	c := clocked(t)
	id := c.timed(storage.Pace{Move: day}, true)
	other := c.timed(storage.Pace{Move: 3 * day}, true)
	c.pass(23 * time.Hour)
	c.deliver()
	c.pass(2 * time.Hour)
	c.told(event.WentAway)
	if left := c.look(other).Game.Left(c.now); left != 2*day {
		t.Errorf("in the other game %v are left, want two days", left)
	}
	c.pass(9 * day)
	c.must(c.Move(t.Context(), c.alice, id, "e4"))
	if sight := c.look(other); sight.Left != 2*day {
		t.Errorf("after the vacation %v are left in the other game, want two days", sight.Left)
	}
	left, _, err := c.VacationLeft(t.Context(), c.alice.Person)
	if err != nil || left != 14*day-9*day-time.Hour {
		t.Errorf("%v of vacation are left: %v", left, err)
	}
}

func TestAVacationThatBeganByItselfAndIsUsedUpLeavesADay(t *testing.T) {
	c := clocked(t)
	id := c.timed(storage.Pace{Move: day}, true)
	c.moves(id, "e4", "e5")
	c.deliver()
	c.pass(23 * time.Hour)
	c.deliver()
	c.pass(time.Hour + 14*day + 10*time.Minute)
	c.told(event.WentAway, event.CameBack)
	if left := c.look(id).Left; left > day || left < day-10*time.Minute {
		t.Errorf("%v are left, want a day", left)
	}
	c.pass(12 * time.Hour)
	c.told(event.Reminded)
	c.deliver()
	c.pass(11 * time.Hour)
	if c.look(id).Game.Over() {
		t.Error("the game ended within a day")
	}
	c.deliver()
	c.pass(time.Hour)
	c.onTime(id, rules.BlackWins)
	c.refused(event.NoDaysLeft)(c.GoAway(t.Context(), c.alice, 1))
}

func TestTheBankIsUsedWhereAMoveTakesLonger(t *testing.T) {
	c := clocked(t)
	id := c.timed(storage.Pace{Move: day, Bank: 2 * day}, true)
	c.pass(day + 6*time.Hour)
	c.must(c.Move(t.Context(), c.alice, id, "e4"))
	if bank := c.look(id).Game.Clock.Bank; bank != [2]time.Duration{2*day - 6*time.Hour, 2 * day} {
		t.Errorf("the banks are %v", bank)
	}
	c.pass(time.Hour)
	c.must(c.Move(t.Context(), c.bob, id, "e5"))
	if sight := c.look(id); sight.Left != 3*day-6*time.Hour {
		t.Errorf("alice has %v", sight.Left)
	}
	c.must(c.AddTime(t.Context(), c.bob, id, 3))
	if sight := c.look(id); sight.Left != 6*day-6*time.Hour {
		t.Errorf("with three days more alice has %v", sight.Left)
	}
	d, err := c.AddTime(t.Context(), c.bob, id, 14)
	for err == nil {
		d, err = c.AddTime(t.Context(), c.bob, id, 14)
	}
	c.refused(event.TooLong)(d, err)
}

func TestAnOutageMovesEveryDeadline(t *testing.T) {
	c := clocked(t)
	id := c.timed(storage.Pace{Move: day}, true)
	c.moves(id, "e4", "e5")
	open := c.must(c.Challenge(t.Context(), c.alice, storage.Challenge{Variant: "chess", Color: "white"})).Game
	c.deliver()
	c.now = c.now.Add(30 * day)
	c.beat()
	c.told(event.Recovered)
	if left := c.look(id).Left; left != day {
		t.Errorf("after the outage %v are left", left)
	}
	c.pass(13 * day)
	if _, err := c.ChallengeOf(t.Context(), open); err != nil {
		t.Errorf("the challenge expired too early: %v", err)
	}
	c.pass(day + time.Hour)
	c.refused(event.NoSuchChallenge)(c.AnswerChallenge(t.Context(), c.bob, open, match.Accept))
}

func TestAJumpOfTheWallClockTakesNobodysTime(t *testing.T) {
	for _, jump := range []time.Duration{-400 * day, -time.Minute, 3 * day, 3650 * day} {
		c := clocked(t)
		id := c.timed(storage.Pace{Move: 2 * day}, true)
		c.pass(day)
		c.now = c.now.Add(jump)
		// Before the jump is noticed, a request comes.
		c.must(c.Draw(t.Context(), c.bob, id))
		c.beat()
		left := c.look(id).Left
		if left > day+time.Minute || left < day-match.Outage { // the clock stands still after a short jump back
			t.Errorf("after a jump of %v, %v are left of a day", jump, left)
		}
		c.deliver()
		c.pass(12 * time.Hour)
		if after := c.look(id).Left; left-after > 12*time.Hour || left-after < 12*time.Hour-match.Outage {
			t.Errorf("12 hours after a jump of %v the time went from %v to %v", jump, left, after)
		}
	}
}

func TestToTickAgainDoesNothing(t *testing.T) {
	c := clocked(t)
	c.timed(storage.Pace{Move: day}, true)
	c.pass(12 * time.Hour)
	said := len(c.outbox())
	for range 3 {
		c.beat()
	}
	if again := len(c.outbox()); said != 1 || again != said {
		t.Errorf("%d were told, then %d", said, again)
	}
}

func TestAChallengeExpires(t *testing.T) {
	c := clocked(t)
	named := c.must(c.Challenge(t.Context(), c.alice, storage.Challenge{To: c.bob.Person, Variant: "chess", Color: "white"})).Game
	c.deliver()
	c.pass(7*day - time.Hour)
	c.told()
	c.pass(time.Hour)
	c.told(event.Expired)
	c.refused(event.NoSuchChallenge)(c.AnswerChallenge(t.Context(), c.bob, named, match.Accept))
}

func TestATotalIsUsedUpByAllMovesOfASide(t *testing.T) {
	c := clocked(t)
	id := c.timed(storage.Pace{Bank: 2 * day}, true)
	for i, move := range []string{"e4", "e5", "d4", "exd4", "Qxd4"} {
		c.passHeard(2, 10*time.Hour)
		c.must(c.Move(t.Context(), [...]event.By{c.alice, c.bob}[i%2], id, move))
		c.deliver()
	}
	if bank := c.look(id).Game.Clock.Bank; bank != [2]time.Duration{0, 8 * time.Hour} {
		t.Errorf("after 60 and 40 hours of two days, %v are left", bank)
	}
	c.choose(c.bob, user.SetVacation, "ask")
	c.passHeard(4, 2*time.Hour-time.Minute)
	if c.look(id).Game.Over() {
		t.Fatal("the game has ended before the total was used up")
	}
	c.passHeard(1, 10*time.Minute)
	c.onTime(id, rules.WhiteWins)
}

// ofSeason begins a game of a season, with two days for each side.
func (c *club) ofSeason() storage.GameID {
	c.t.Helper()
	id := c.timed(storage.Pace{Bank: 2 * day}, true)
	c.update(func(w storage.Writer) error {
		g, err := w.Games().Get(id)
		g.Season = 1
		return cmp.Or(err, w.Games().Put(g))
	})
	return id
}

func TestNoVacationStopsTheClockOfASeason(t *testing.T) {
	c := clocked(t)
	id := c.ofSeason()
	other := c.timed(storage.Pace{Move: 3 * day}, true)
	c.must(c.GoAway(t.Context(), c.alice, 9))
	if told := c.waiting(event.WentAway); len(told) != 1 || told[0].Facts["games"] != fmt.Sprint(other) {
		t.Errorf("told was %v", told)
	}
	c.passHeard(4, 12*time.Hour)
	if left := c.look(id); !left.Away.IsZero() || c.look(other).Away.IsZero() {
		t.Errorf("%v: the clock of the season stands still, or the other runs", left.Left)
	}
	c.passHeard(1, 2*time.Hour)
	c.onTime(id, rules.BlackWins) // though she has never moved
	if c.look(other).Game.Over() {
		t.Error("the other game has ended")
	}
}

func TestNoVacationBeginsWhereTheTimeOfASeasonIsUp(t *testing.T) {
	c := clocked(t)
	id := c.ofSeason()
	c.moves(id, "e4")
	c.deliver()
	c.passHeard(5, 12*time.Hour)
	c.onTime(id, rules.WhiteWins)
	if _, bob, err := c.VacationLeft(t.Context(), c.bob.Person); bob.Away() || err != nil {
		t.Errorf("he is on vacation: %v, %v", bob.Vacation, err)
	}
}

func TestAGameOfASeasonIsNotAbortedAndItsTimeNotGivenAway(t *testing.T) {
	c := clocked(t)
	id := c.ofSeason()
	c.refused(event.InSeason)(c.Abort(t.Context(), c.alice, id, false))
	c.refused(event.InSeason)(c.AddTime(t.Context(), c.alice, id, 1))
	c.update(func(w storage.Writer) error {
		g, err := w.Games().Get(id)
		return cmp.Or(err, c.Forfeit(w, g, c.bob.Person))
	})
	if g := c.look(id).Game; g.Result != rules.WhiteWins.String() {
		t.Errorf("who leaves it before a move gets %s", g.Result)
	}
}
