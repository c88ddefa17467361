package rating

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"
	"unique"

	lru "github.com/hashicorp/golang-lru/v2"

	"chimera/storage"
)

// Further orders of boards, besides those of a Period that people can ask for.
const (
	byRating Period = "rating" // conservative score in hundredths, of people whose rating is not provisional
	byGuess  Period = "guess"  // likewise, of people whose rating is provisional
	byPoints Period = "points" // points in a stretch of time
)

// about is what a board is about.
type about struct {
	server storage.ServerID // 0 for the world
	game   string           // key of a kind of game, or storage.Overall
	by     Period
	when   stretch // of byPoints
}

// stretch is a span of time in Unix seconds, without until.
type stretch struct{ since, until int64 }

func (s stretch) holds(at time.Time) bool { return s.since <= at.Unix() && at.Unix() < s.until }

// boards are all leaderboards, as of a day. They are not safe for concurrent use.
type boards struct {
	edition  uint64
	day      int64 // as storage.UnixDay has it: ratings become provisional with time
	log      following
	members  map[storage.PersonID]member
	unlisted map[storage.PersonID]bool           // these are on no board
	servers  map[storage.ServerID]storage.Server // by id, also of servers that were replaced
	made     map[about]*board
	without  *lru.Cache[storage.ServerID, ledger] // standings without the games that a server leaves out
}

// member is somebody who may stand on boards.
type member struct {
	servers []storage.ServerID // in which they have played
	feats   []feats
}

// feats are a person's achievements in a kind of game that boards count.
type feats struct {
	kind   string
	score  int32 // conservative, in hundredths
	fades  int32 // the first day on which the rating will be provisional, without another game; 0 if it is already
	games  int32
	streak int32 // the longest row of wins
	merges int32 // per won game, in hundredths
}

// refreshed are the boards brought up to date with all that is stored.
func (b *boards) refreshed(r storage.Reader, now time.Time) (*boards, error) {
	edition, err := r.Edition()
	if err != nil {
		return nil, err
	}
	day := storage.UnixDay(now)
	if b == nil || b.edition != edition {
		return newBoards(r, edition, now)
	}
	if b.day != day {
		b.day, b.made = day, map[about]*board{}
	}
	fresh, err := b.log.peek(r, math.MaxInt)
	for _, result := range fresh {
		err = cmp.Or(err, b.take(r, result))
	}
	b.log.pass(fresh, now)
	return b, err
}

// serversApart is for how many servers that leave games out the standings without them are kept: some
// megabytes each with tens of thousands of people.
const serversApart = 8

func newBoards(r storage.Reader, edition uint64, now time.Time) (*boards, error) {
	b := &boards{
		edition: edition, day: storage.UnixDay(now), members: map[storage.PersonID]member{}, unlisted: map[storage.PersonID]bool{},
		servers: map[storage.ServerID]storage.Server{}, made: map[about]*board{},
	}
	b.without, _ = lru.New[storage.ServerID, ledger](serversApart)
	b.log.at = now // everything up to now is read from the standings
	there, err := b.log.peek(r, math.MaxInt)
	b.log.pass(there, now)
	unlisted, err2 := r.Unlisted()
	people, err3 := r.PersonIDs()
	if err := cmp.Or(err, err2, err3); err != nil {
		return nil, err
	}
	for _, p := range unlisted {
		b.unlisted[p] = true
	}
	return b, r.EachStandings(people, func(p storage.PersonID, c storage.Standings) error { return b.enter(r, p, c) })
}

// enter notes what boards need to know of a person.
func (b *boards) enter(r storage.Reader, p storage.PersonID, career storage.Standings) error {
	if b.unlisted[p] {
		return nil
	}
	m := member{feats: make([]feats, 0, len(career.Standings))}
	for _, server := range career.Servers {
		home, err := b.home(r, server)
		if err != nil {
			return err
		}
		m.servers = append(m.servers, home.ID)
	}
	for kind, standing := range career.Standings {
		m.feats = append(m.feats, featsOf(unique.Make(kind).Value(), &standing))
	}
	b.members[p] = m
	return nil
}

func featsOf(kind string, now *storage.Standing) feats {
	r := ratingOf(now)
	f := feats{kind: kind, score: int32(math.Round(100 * r.Conservative())), games: int32(now.Games()), streak: int32(now.Best)}
	if !r.Provisional() {
		f.fades = int32(storage.UnixDay(now.At.Add(r.Fades())) + 1)
	}
	if now.Wins > 0 {
		f.merges = int32(merged * now.Merges / now.Wins)
	}
	return f
}

// home is a server, or the one that has replaced it.
func (b *boards) home(r storage.Reader, id storage.ServerID) (storage.Server, error) {
	if s, known := b.servers[id]; known || id == 0 {
		return s, nil
	}
	s, err := r.Servers().Find(id)
	s.ID = cmp.Or(s.ID, id)
	b.servers[id] = s
	return s, err
}

// take adds a result to all boards.
func (b *boards) take(r storage.Reader, result storage.Result) (err error) {
	for _, p := range result.Players {
		career, err := r.Standings(p)
		if err == nil {
			err = b.enter(r, p, career)
		}
		if err != nil && !storage.Missing(err) {
			return err
		}
	}
	for _, made := range b.without.Values() {
		made.add(result)
	}
	for a, made := range b.made {
		switch {
		case a.by == byPoints:
			if a.when.holds(result.At) {
				err = cmp.Or(err, b.points(r, a, result, func(p storage.PersonID, score int64) { made.set(p, made.scores[p]+score, true) }))
			}
		case b.leavesOut(a.server) && !b.without.Contains(a.server):
			delete(b.made, a)
		default:
			for _, p := range result.Players {
				score, on := b.score(a, p)
				made.set(p, score, on)
			}
		}
	}
	return err
}

// board returns a board, which is made when it is first asked for.
func (b *boards) board(r storage.Reader, a about) (*board, error) {
	in, err := b.home(r, a.server) // for the people it hides, and the games it leaves out
	if err == nil && a.by != byPoints {
		err = b.leaveOut(r, in)
	}
	if made := b.made[a]; made != nil || err != nil {
		return made, err
	}
	scores := map[storage.PersonID]int64{}
	if a.by == byPoints {
		var results []storage.Result
		results, err = r.Results(time.Unix(a.when.since, 0), time.Unix(a.when.until, 0), math.MaxInt, nil)
		for _, result := range results {
			err = cmp.Or(err, b.points(r, a, result, func(p storage.PersonID, score int64) { scores[p] += score }))
		}
	} else {
		for p := range b.members {
			if score, on := b.score(a, p); on {
				scores[p] = score
			}
		}
	}
	made := newBoard(scores, a.by != byRating && a.by != byGuess)
	if err == nil && (a.by != byPoints || len(scores) > 0) { // not kept while empty: many months have no results
		b.made[a] = made
	}
	return made, err
}

// leavesOut reports whether a server leaves any games out.
func (b *boards) leavesOut(server storage.ServerID) bool {
	return len(b.servers[server].Settings.Annulled) > 0
}

// leaveOut computes people's standings in a server from the games that it does not leave out.
func (b *boards) leaveOut(r storage.Reader, in storage.Server) error {
	if _, known := b.without.Get(in.ID); known || !b.leavesOut(in.ID) {
		return nil
	}
	results, err := r.Results(beginning(), storage.Always(), math.MaxInt, nil)
	if err != nil {
		return err
	}
	made := ledger{}
	for _, result := range results {
		if !in.LeavesOut(result.Game) {
			made.add(result)
		}
	}
	b.without.Add(in.ID, made)
	return nil
}

// career is a person's standings as a server sees them; the server's board must have been asked for
// last.
func (b *boards) career(r storage.Reader, server storage.ServerID, p storage.PersonID) (storage.Standings, error) {
	if b.leavesOut(server) {
		made, _ := b.without.Peek(server)
		return made[p], nil
	}
	return r.Standings(p)
}

// featsIn are a person's feats in a kind of game, likewise; false if there are none.
func (b *boards) featsIn(server storage.ServerID, p storage.PersonID, kind string) (feats, bool) {
	if b.leavesOut(server) {
		made, _ := b.without.Peek(server)
		now, ok := made[p].Standings[kind]
		return featsOf(kind, &now), ok
	}
	for _, f := range b.members[p].feats {
		if f.kind == kind {
			return f, true
		}
	}
	return feats{}, false
}

// hides reports whether a person is on no board of a server.
func (b *boards) hides(server storage.ServerID, p storage.PersonID) bool {
	in := b.servers[server]
	return b.unlisted[p] || in.Hides(p)
}

// listed is a board of scores, without the people that a server hides.
func (b *boards) listed(server storage.ServerID, scores map[storage.PersonID]int64) *board {
	maps.DeleteFunc(scores, func(p storage.PersonID, _ int64) bool { return b.hides(server, p) })
	return newBoard(scores, true)
}

// score is a person's score on a board other than one of a stretch of time, and whether they are on
// it.
func (b *boards) score(a about, p storage.PersonID) (score int64, on bool) {
	f, ok := b.featsIn(a.server, p, a.game)
	if !ok || a.server != 0 && !slices.Contains(b.members[p].servers, a.server) || b.hides(a.server, p) {
		return 0, false
	}
	switch a.by {
	case byRating:
		return int64(f.score), b.day < int64(f.fades)
	case byGuess:
		return int64(f.score), b.day >= int64(f.fades)
	case Games:
		return int64(f.games), true
	case Streak:
		return int64(f.streak), f.streak > 0
	case Combiner:
		return int64(f.merges), f.merges > 0
	default:
		return 0, false
	}
}

// points calls each with what a result adds to scores on a board of points.
func (b *boards) points(r storage.Reader, a about, result storage.Result, each func(storage.PersonID, int64)) error {
	if a.game != storage.Overall && a.game != result.Kind {
		return nil
	}
	white := int(2 * scores[result.Result])
	for side, points := range [2]int{white, 2 - white} {
		home, err := b.home(r, result.Servers[side])
		if err != nil {
			return err
		}
		if p := result.Players[side]; (a.server == 0 || a.server == home.ID && !home.LeavesOut(result.Game)) && !b.hides(a.server, p) {
			each(p, pointsScore(points, 1))
		}
	}
	return nil
}

// perPoint is more than the games that anybody plays in a month.
const perPoint = 1 << 20

// pointsScore is a score by which more points, in halves, come first, and then fewer games. The scores
// of several games add up.
func pointsScore(points, games int) int64 { return int64(points)*perPoint - int64(games) }

// ofPoints is the opposite of pointsScore.
func ofPoints(score int64) (points, games int) {
	n := (score + perPoint - 1) / perPoint
	return int(n), int(n*perPoint - score)
}

// late is how much later a result may be stored than another that follows it in the log: the clocks of
// several processes may differ, and a transaction takes time.
const late = time.Minute

// beginning is before all results.
func beginning() time.Time { return time.Unix(0, 0) }

// following is a position in the log of results. The zero value is its beginning.
type following struct {
	at     time.Time                    // of the last result that was passed
	recent map[storage.GameID]time.Time // those passed that are not much older than at
}

// peek returns the next results, at most limit.
func (f *following) peek(r storage.Reader, limit int) ([]storage.Result, error) {
	return r.Results(f.from(), storage.Always(), limit, func(id storage.GameID) bool {
		_, passed := f.recent[id]
		return passed
	})
}

// pass moves past results. One with a time after now, from a clock that was wrong, does not hide later
// ones.
func (f *following) pass(results []storage.Result, now time.Time) {
	if f.recent == nil {
		f.recent = map[storage.GameID]time.Time{}
	}
	for _, result := range results {
		f.recent[result.Game] = result.At
		if result.At.After(f.at) && !result.At.After(now) {
			f.at = result.At
		}
	}
	maps.DeleteFunc(f.recent, func(_ storage.GameID, at time.Time) bool { return at.Before(f.from()) })
}

func (f *following) from() time.Time {
	if f.at.IsZero() {
		return beginning()
	}
	return f.at.Add(-late)
}

// board is people in the order of a score, the best first.
type board struct {
	order  []entry
	scores map[storage.PersonID]int64
	shared bool // people with the same score share a rank
}

type entry struct {
	score  int64
	person storage.PersonID
}

// spot is a line of a board.
type spot struct {
	entry
	rank  int // from 1
	place int // the line's number from 1, 0 if it is not told
}

func (e entry) compare(other entry) int {
	return cmp.Or(cmp.Compare(other.score, e.score), cmp.Compare(e.person, other.person))
}

func newBoard(scores map[storage.PersonID]int64, shared bool) *board {
	b := &board{order: make([]entry, 0, len(scores)), scores: scores, shared: shared}
	for p, score := range scores {
		b.order = append(b.order, entry{score, p})
	}
	slices.SortFunc(b.order, entry.compare)
	return b
}

// set gives a person a score, or takes them off.
func (b *board) set(p storage.PersonID, score int64, on bool) {
	was, stood := b.scores[p]
	if stood == on && (!on || was == score) {
		return
	}
	if stood {
		i := b.find(entry{was, p})
		b.order = slices.Delete(b.order, i, i+1)
		delete(b.scores, p)
	}
	if on {
		b.order = slices.Insert(b.order, b.find(entry{score, p}), entry{score, p})
		b.scores[p] = score
	}
}

// find is the index of a line, or where to insert it.
func (b *board) find(e entry) int {
	i, _ := slices.BinarySearchFunc(b.order, e, entry.compare)
	return i
}

// first is the index of the first line with the same score.
func (b *board) first(i int) int { return b.find(entry{b.order[i].score, 0}) }

func (b *board) spot(i int) spot {
	s := spot{b.order[i], i + 1, i + 1}
	if b.shared {
		s.rank = b.first(i) + 1
	}
	return s
}

// rank is a person's rank, 0 if they are not on the board.
func (b *board) rank(p storage.PersonID) int {
	score, on := b.scores[p]
	if !on {
		return 0
	}
	return b.spot(b.find(entry{score, p})).rank
}

// between are the lines from a place on and before another.
func (b *board) between(from, to int) (spots []spot) {
	for i := max(from, 1) - 1; i < min(to-1, len(b.order)); i++ {
		spots = append(spots, b.spot(i))
	}
	return spots
}

// near is a person's line with those next to it; if very many share their score, it is their line
// alone, without its place.
func (b *board) near(p storage.PersonID) []spot {
	const multitude = 1000
	score, on := b.scores[p]
	if !on {
		return nil
	}
	place := b.find(entry{score, p}) + 1
	if rank := b.first(place-1) + 1; b.shared && place-rank > multitude {
		return []spot{{entry{score, p}, rank, 0}}
	}
	return b.between(place-either, place+either+1)
}

// page is some lines from a place on, and those near a person.
func (b *board) page(from, limit int, p storage.PersonID) []spot {
	from = max(from, 1)
	page := b.between(from, from+limit)
	for _, s := range b.near(p) {
		if !slices.ContainsFunc(page, func(other spot) bool { return other.person == s.person }) {
			page = append(page, s)
		}
	}
	slices.SortFunc(page, func(a, b spot) int { return a.compare(b.entry) })
	return page
}
