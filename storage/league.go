package storage

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"chimera/storage/kv"
)

// Numbers of competitions, from 1; 0 is none.
type (
	// LeagueID is the number of a league.
	LeagueID uint64
	// SeasonID is the number of a season, among those of all leagues.
	SeasonID uint64
)

// League is a competition of a server in a kind of game, season by season. Its moments are on the wall clock.
type League struct {
	ID      LeagueID
	Server  ServerID
	Variant string
	Place   PlaceID   // where it is announced
	Weeks   int       // length of a season
	Size    int       // approximate number of players in a division
	Season  SeasonID  `json:",omitempty"` // the current or last one
	Draft   SeasonID  `json:",omitempty"` // the one about to begin
	Runs    bool      `json:",omitempty"` // Season is in progress
	Halved  bool      `json:",omitempty"` // half of it is over
	Off     bool      `json:",omitempty"` // no season follows it
	Next    time.Time `json:",omitzero"`  // when the next one begins; zero while one is in progress
	Hour    string    `json:",omitempty"` // when they begin by the server's clocks, as "18:00"; "" for when the last one did
	Waits   bool      `json:",omitempty"` // it should have begun, but needs more members
	Wake    time.Time `json:",omitzero"`  // when there is something to do; zero for never
}

// Member is somebody in a league, by the account with which they joined.
type Member struct {
	League   LeagueID
	Person   PersonID
	At       time.Time // when they joined
	Season   SeasonID  `json:",omitempty"` // the last one they played in
	Division int       `json:",omitempty"` // their division in that season, from 1
	Missed   int       `json:",omitempty"` // seasons from which they were withdrawn for losing on time
}

// MemberID names a member.
type MemberID = pair[LeagueID, PersonID]

// ID names the member.
func (m *Member) ID() MemberID { return MemberID{m.League, m.Person} }

// LeagueSeason is a season of a league.
type LeagueSeason struct {
	ID           SeasonID
	League       LeagueID
	Number       int       // among those of the league, from 1
	Before       SeasonID  `json:",omitempty"` // the one before it
	Begins, Ends time.Time // Ends is as announced
	Ended        time.Time `json:",omitzero"` // zero while it goes on
	Divisions    int
	Champions    []PersonID `json:",omitempty"` // those first in the first division, once it has ended
}

// Division is a part of a season, in which everyone plays everyone.
type Division struct {
	Season   SeasonID
	Number   int // from 1, the highest
	Entrants []Entrant
	Games    []GameID `json:",omitempty"` // in the order of their pairs; none before they begin
}

// Entrant is a player in a division.
type Entrant struct {
	Person PersonID
	Rating float64 // at the start of the season
	Out    bool    `json:",omitempty"` // they have withdrawn
	Late   bool    `json:",omitempty"` // because they lost on time
	Before int     `json:",omitempty"` // how many of their games had ended before they withdrew
}

type divisionID = pair[SeasonID, uint64]

func (d *Division) id() divisionID { return divisionID{d.Season, uint64(d.Number)} }

// Prefixes of the keys that lead to leagues and members.
const (
	leagueOf = "leagueof/"
	leagueAt = "leagueat/"
	memberOf = "memberof/"
	champion = "champion/"
	running  = "running/"
)

func (l *League) index() (x Index) {
	x.Point(Key(leagueOf, l.Server, l.Variant), uint64(l.ID))
	if !l.Wake.IsZero() {
		x.Add(Key(leagueAt, seconds(l.Wake), l.ID))
	}
	return x
}

func (m *Member) index() (x Index) {
	x.Add(Key(memberOf, m.Person, m.League))
	return x
}

func (s *LeagueSeason) index() (x Index) {
	for _, p := range s.Champions {
		x.Add(Key(champion, p, s.ID))
	}
	return x
}

// Member is a person's membership in a league, by any account merged into them; ErrNotFound if there is none.
func (r Reader) Member(l LeagueID, p *Person) (Member, error) {
	m, err := members.in(r).Get(MemberID{l, p.ID})
	for i := 0; i < len(p.Joined) && errors.Is(err, ErrNotFound); i++ {
		m, err = members.in(r).Get(MemberID{l, p.Joined[i].As})
	}
	return m, err
}

// MembersOf are a league's members, in order of number.
func (r Reader) MembersOf(l LeagueID) ([]Member, error) {
	return members.in(r).List(l)
}

// CountMembers is the number of a league's members, counted up to most.
func (r Reader) CountMembers(l LeagueID, most int) (int, error) {
	found, err := collect(r.kv.Scan(kv.Prefix(Key(members.prefix, l))), most, lastNumber[PersonID])
	return len(found), err
}

// LeaguesAs are the leagues of a person, by any account merged into them.
func (r Reader) LeaguesAs(p *Person) ([]League, error) {
	return r.Leagues().All(numbersAs[LeagueID](r, memberOf, p))
}

// SeasonsWon are the seasons with this person as a champion, by any of their accounts, in rising order.
func (r Reader) SeasonsWon(p *Person) ([]LeagueSeason, error) {
	return r.Seasons().All(numbersAs[SeasonID](r, champion, p))
}

// numbersAs are the last numbers, each once, of the keys of a kind with any account merged into a person.
func numbersAs[N ~uint64](r Reader, kind string, p *Person) ([]N, error) {
	ids, err := numbers[N](r, Key(kind, p.ID))
	for _, j := range p.Joined {
		more, err2 := numbers[N](r, Key(kind, j.As))
		ids, err = append(ids, more...), errors.Join(err, err2)
	}
	slices.Sort(ids)
	return slices.Compact(ids), err
}

// MembersAs are a person's memberships, each once.
func (r Reader) MembersAs(p *Person) (all []Member, err error) {
	leagues, err := r.LeaguesAs(p)
	for _, l := range leagues {
		m, err2 := r.Member(l.ID, p)
		all, err = append(all, m), errors.Join(err, err2)
	}
	return all, err
}

// LeaguesIn are a server's leagues, by kind of game.
func (r Reader) LeaguesIn(s ServerID) ([]League, error) {
	return r.Leagues().All(collect(r.kv.Scan(kv.Prefix(Key(leagueOf, s))), 0, func(item kv.Item) (LeagueID, bool) {
		return LeagueID(End(item.Value)), len(item.Value) == NumberSize
	}))
}

// SeasonsIn are the seasons of a server's leagues, or of all leagues for 0.
func (r Reader) SeasonsIn(s ServerID) (all []LeagueSeason, err error) {
	if s == 0 {
		return r.Seasons().List()
	}
	leagues, err := r.LeaguesIn(s)
	for _, l := range leagues {
		for id := l.Season; id != 0 && err == nil; {
			var season LeagueSeason
			season, err = r.Seasons().Find(id)
			all, id = append(all, season), season.Before
		}
	}
	return all, err
}

// LeagueOf is the league of a season, the zero League if that is lost.
func (r Reader) LeagueOf(id SeasonID) (League, error) {
	season, err := r.Seasons().Find(id)
	league, err2 := r.Leagues().Find(season.League)
	return league, errors.Join(err, err2)
}

// DueLeague is the league that has been waiting longest at a moment for something to be done, the zero League if there
// is none.
func (r Reader) DueLeague(now time.Time) (League, error) {
	for item, err := range r.kv.Scan(Key(leagueAt), Key(leagueAt, seconds(now)+1)) {
		l, err2 := r.Leagues().Get(LeagueID(End(item.Key)))
		if err = cmp.Or(err, err2); !Missing(err) {
			return l, err
		}
	}
	return League{}, nil
}

// DivisionOf is a division of a season, or ErrNotFound.
func (r Reader) DivisionOf(s SeasonID, number int) (Division, error) {
	return divisions.in(r).Get(divisionID{s, uint64(number)})
}

// InSeason are the games in progress of a season with higher numbers than after, in order, up to most of them.
func (r Reader) InSeason(s SeasonID, after GameID, most int) ([]GameID, error) {
	_, end := kv.Prefix(Key(running, s))
	return collect(r.kv.Scan(Key(running, s, after+1), end), most, lastNumber[GameID])
}

// NewLeagueID gives the number for a new league.
func (w Writer) NewLeagueID() (LeagueID, error) { return next[LeagueID](w, "league") }

// NewSeasonID gives the number for a new season.
func (w Writer) NewSeasonID() (SeasonID, error) { return next[SeasonID](w, "season") }

// Month is a month of the calendar, in UTC.
type Month int

// MonthOf is the month that a moment is in.
func MonthOf(at time.Time) Month {
	year, month, _ := at.UTC().Date()
	return Month(year*12 + int(month) - 1)
}

// ParseMonth reads a month as String writes it.
func ParseMonth(text string) (Month, bool) {
	at, err := time.Parse("2006-01", text)
	return MonthOf(at), err == nil && at.Year() > 0
}

// Begins is the month's first moment.
func (m Month) Begins() time.Time {
	return time.Date(int(m)/12, time.Month(int(m)%12)+1, 1, 0, 0, 0, 0, time.UTC)
}

// String is the month as in "2026-10".
func (m Month) String() string { return m.Begins().Format("2006-01") }

// Season are the settings of a server's final tables, made at the end of each month. The zero Season is for servers
// without them.
type Season struct {
	Place PlaceID // where the table is announced
	Month Month   // the month in progress, or of the next table
}

// Row is somebody's results in a month.
type Row struct {
	Person PersonID
	Points int // halves: 2 for a win
	Games  int
}

// FinalTable is the ranking of a month, best first.
type FinalTable []Row

// Closing is the server with the earliest table still to be made, of a month before this one; the zero Server if there
// is none.
func (r Reader) Closing(before Month) (Server, error) {
	return r.firstServer("closing/", uint64(before))
}

// firstServer is the server of the first key of a kind whose number is below before; the zero Server if there is none.
// The number stands in the key before the server's own.
func (r Reader) firstServer(kind string, before uint64) (Server, error) {
	found, err := collect(r.kv.Scan(Key(kind), Key(kind, before)), 1, func(item kv.Item) (ServerID, bool) {
		return ServerID(End(item.Key)), len(item.Key) == len(kind)+2*NumberSize // else it is damaged; Check reports it
	})
	if err != nil || len(found) == 0 {
		return Server{}, err
	}
	s, err := r.Servers().Get(found[0])
	if err != nil {
		err = fmt.Errorf("server %d of %s: %w", found[0], kind, err)
	}
	return s, err
}

// TableRows is how many rows of a FinalTable are kept in one transaction.
const TableRows = 4096

func tableKey(s ServerID, m Month) []byte { return Key("table/", s, uint64(m)) }

// FinalTable is a server's ranking of a month, or ErrNotFound.
func (r Reader) FinalTable(s ServerID, m Month) (all FinalTable, err error) {
	k := tableKey(s, m)
	if err := get(r.kv, k, &all); err != nil { // part 0 is missing: it is being written
		return nil, err
	}
	_, end := kv.Prefix(k)
	for item, err := range r.kv.Scan(append(k, 0), end) {
		var rows FinalTable
		if err == nil {
			err = Decode(item.Value, &rows)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	return all, nil
}

// PutFinalTable stores part n of a server's FinalTable of a month in parts, each of TableRows rows. Part 0 is stored
// last, and until then there is no FinalTable.
func (w Writer) PutFinalTable(s ServerID, m Month, n, parts int, rows FinalTable) error {
	k := tableKey(s, m)
	if n > 0 {
		return Put(w.out, Key("table/", s, uint64(m), uint64(n)), rows)
	}
	_, end := kv.Prefix(k)
	for item, err := range w.kv.Scan(Key("table/", s, uint64(m), uint64(parts)), end) { // left by an interrupted attempt
		if err == nil {
			err = w.out.Delete(item.Key)
		}
		if err != nil {
			return err
		}
	}
	return Put(w.out, k, rows)
}

// Ladder is a ranking in a kind of game that people in a server climb by challenges. Its moments are on the wall clock.
type Ladder struct {
	Server   ServerID
	Variant  string
	Rungs    []Rung    `json:",omitempty"` // the top first
	Met      []Met     `json:",omitempty"` // pairs who need not play again for a while
	Since    time.Time // when whoever is at the top got there
	Defences int       `json:",omitempty"` // challenges they have not lost since
}

// Rung is somebody's position on a ladder.
type Rung struct {
	Person PersonID
	Joined time.Time
	Played time.Time // when their last game ended; Joined before the first
	Sunk   int       `json:",omitempty"` // how often they were lowered since
}

// Met are two people whose challenge was decided.
type Met struct {
	People [2]PersonID
	At     time.Time
}

// Rung is somebody's rung, from 0, the top; -1 if none.
func (l *Ladder) Rung(p PersonID) int {
	return slices.IndexFunc(l.Rungs, func(r Rung) bool { return r.Person == p })
}

type ladderID = pair[ServerID, string]

func (l *Ladder) id() ladderID { return ladderID{l.Server, l.Variant} }

// LadderOf is a server's ladder in a kind of game; empty if nobody has joined it.
func (r Reader) LadderOf(s ServerID, variant string) (Ladder, error) {
	l, err := ladders.in(r).Find(ladderID{s, variant})
	l.Server, l.Variant = s, variant
	return l, err
}

// LaddersIn are a server's ladders, by kind of game.
func (r Reader) LaddersIn(s ServerID) ([]Ladder, error) { return ladders.in(r).List(s) }
