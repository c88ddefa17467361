package storage

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"chimera/storage/kv"
)

// Side is an index of White's and Black's values.
type Side = int

// White and Black as indexes.
const (
	White Side = 0
	Black Side = 1
)

// Game is a game, in progress or ended.
type Game struct {
	ID      GameID
	Variant string      // the key of its rules
	Players [2]PersonID // White and Black
	Called  [2]string   `json:",omitzero"`  // their names in this game only; "" for their own
	Turning bool        `json:",omitempty"` // its board turns to the player to move, where both sit at one screen
	Levels  [2]int      `json:",omitzero"`  // levels of the computer playing White and Black; 0 for a person, -1 for level 0
	Face    string      `json:",omitempty"` // the computer's character, "" for none
	Rated   bool
	Place   PlaceID    // where it is played
	Seats   [2]PlaceID `json:",omitzero"`  // places where White and Black play, if elsewhere; 0 for Place
	Also    []PlaceID  `json:",omitempty"` // other places that are told about it
	Began   time.Time
	Changed time.Time // of the last move, offer or end
	Turn    Side      // whose it is to move
	Turned  time.Time `json:",omitzero"` // when their turn began; zero in games of an earlier version, until the next move
	Pace    Pace
	Clock   Clock
	Season  SeasonID `json:",omitempty"` // of the league in which it counts; 0 for none
	Part    int      `json:",omitempty"` // its division in that season
	Ladder  ServerID `json:",omitempty"` // server on whose ladder it is for a rung; 0 for none
	Climbs  Side     `json:",omitempty"` // the challenger for that rung

	Start  string   // FEN; "" for the variant's own
	Moves  []string // coordinate texts; all else can be derived from them
	FEN    string   // the position now
	Before string   // the position before the last move, "" at the start
	Past   []uint64 // keys of positions that can occur again, except this one

	Plans [2][]Line `json:",omitzero"` // conditional moves of White and Black, which only they may see

	Draw     *Offer `json:",omitempty"` // a draw that was offered
	Takeback *Offer `json:",omitempty"` // a takeback that was asked for
	Resign   *Offer `json:",omitempty"` // a resignation to be confirmed
	Abort    *Offer `json:",omitempty"` // an abort to be confirmed
	DrawAsk  *Offer `json:",omitempty"` // a draw by a button, to be confirmed

	Asked [2]Asked `json:",omitzero"` // offers of White and Black between two moves

	Merges  [2]int      `json:",omitzero"`  // pieces of White and Black that were merged, or grew by capturing
	Merged  int         `json:",omitempty"` // how many moves are counted in Merges and Made; in games of an earlier version, none before the end
	Counted bool        `json:",omitempty"` // it has changed ratings
	Servers [2]ServerID `json:",omitzero"`  // servers where White and Black played it, if it has changed ratings or the computer was beaten; 0 for none
	Strike  *Offer      `json:",omitempty"` // an annulment to be confirmed
	Annul   bool        `json:",omitempty"` // it is to be removed from ratings, once they have been computed again
	Void    string      `json:",omitempty"` // why it has not changed ratings though it is rated, in package match's format; "" if not known
	Figures             // zero if it has changed none

	Helped bool `json:",omitempty"` // the computer's opponent has taken moves back, or asked what to play
	Hinted int  `json:",omitempty"` // how often they have asked about the next move
	Beaten int  `json:",omitempty"` // the computer's level, if it lost to somebody without help; else 0

	Made   [2]map[string]int `json:",omitzero"`  // number of each kind of piece made by each side, in package match's format
	Listed bool              `json:",omitempty"` // it has ended, and can be found by these; not in games of an earlier version

	Result string // "*" while in progress
	Ending string // "" while in progress
	Again  GameID `json:",omitempty"` // its rematch, once that has begun; 0 for none

	Quarantined string `json:"Aside,omitempty"` // why it is quarantined for good, "" if it is not; the other fields are then what could be read

	Revision uint64 // goes up with each change
}

// Figures are the ratings of White and Black around a game.
type Figures struct {
	Ratings [2][2]float64 `json:",omitzero"` // before and after
	Spreads [2]float64    `json:",omitzero"` // deviations after it; zero in games of an earlier version
}

// Offer is a pending request of a player.
type Offer struct {
	By     PersonID
	At     time.Time
	Server ServerID `json:",omitempty"` // whose manager asks for an annulment
}

// Asked counts a side's offers of draws and requests for takebacks since ply Ply.
type Asked struct{ Ply, Draws, Takebacks int }

// Over reports whether the game has ended.
func (g *Game) Over() bool { return g.Ending != "" }

// Contested reports whether the game belongs to a league or a ladder.
func (g *Game) Contested() bool { return g.Season != 0 || g.Ladder != 0 }

// Gathers reports whether pieces made in the game count for good: it is rated, or against the computer.
func (g *Game) Gathers() bool {
	return g.Rated || g.Practice()
}

// FirstMade is a kind of piece that somebody has made, and the first listed game with it.
type FirstMade struct {
	Kind, Piece string
	Game        GameID
}

// FirstMade are a person's first pieces, in order of kinds of games.
func (r Reader) FirstMade(p PersonID) ([]FirstMade, error) {
	start, end := kv.Prefix(Key(made, p))
	all, err := collect(r.kv.Scan(start, end), 0, func(item kv.Item) (f FirstMade, ok bool) {
		named := bytes.Split(item.Key[len(start):max(len(start), len(item.Key)-NumberSize)], []byte{0})
		if len(named) != 3 {
			return f, false // the key is damaged; Check reports it
		}
		return FirstMade{string(named[0]), string(named[1]), GameID(End(item.Key))}, true
	})
	return slices.CompactFunc(all, func(a, b FirstMade) bool { return a.Kind == b.Kind && a.Piece == b.Piece }), err
}

// SideOf is the side that a person plays; false if none.
func (g *Game) SideOf(p PersonID) (Side, bool) {
	switch p {
	case g.Players[White]:
		return White, true
	case g.Players[Black]:
		return Black, true
	}
	return 0, false
}

func (g *Game) loaded(key []byte) bool {
	return uint64(g.ID) == End(key) && (g.Turn == White || g.Turn == Black)
}

// playerPrefix begins the keys of a player's games and standings. They are together, so that the end of a game touches
// one page for each player.
func playerPrefix(p PersonID) []byte { return Key("player/", p) }

// Parts of the keys of a player's games, in order.
const (
	played  = "played/"
	playing = "playing/"
)

// Revision is a game's Revision, or ErrNotFound.
func (r Reader) Revision(id GameID) (uint64, error) {
	var g struct{ Revision uint64 }
	err := get(r.kv, games.key(id), &g)
	r.corrupt.note(Ref{OfGame, uint64(id)}, err)
	return g.Revision, err
}

// Playing are the person's games in progress, in order of number.
func (r Reader) Playing(p PersonID) ([]GameID, error) {
	return numbers[GameID](r, append(playerPrefix(p), playing...))
}

// Played are the person's ended games, in order of number.
func (r Reader) Played(p PersonID) ([]GameID, error) {
	return numbers[GameID](r, append(playerPrefix(p), played...))
}

// GamesOf are all games of the person, those in progress first.
func (r Reader) GamesOf(p PersonID) ([]GameID, error) {
	playing, err := r.Playing(p)
	played, err2 := r.Played(p)
	return append(playing, played...), errors.Join(err, err2)
}

// GameIDs are the numbers of all games, in order.
func (r Reader) GameIDs() ([]GameID, error) { return numbers[GameID](r, Key("game/")) }

// prepare counts the revision up.
func (g *Game) prepare(_ Writer, was *Game) error { //nolint:unparam // tables ask for an error
	g.Revision = was.Revision + 1
	return nil
}

func (g *Game) replaced(w Writer, was *Game) error {
	if was.Counted && (!g.Counted || ResultOf(was) != ResultOf(g)) {
		if err := w.RemakeBoards(); err != nil {
			return err
		}
	}
	w.changes.games = append(w.changes.games, g.ID)
	if g.Awaited() == 0 {
		return nil
	}
	w.changes.awaited = append(w.changes.awaited, g.ID)
	// It may be there already, but writing it tells other processes.
	return Mark(w.out, Key(thinking, g.ID), true)
}

// Places are all places that are told about a game.
func (g *Game) Places() []PlaceID {
	places := []PlaceID{g.Place}
	for _, p := range append(g.Seats[:], g.Also...) {
		if p != 0 && !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	return places
}

// NameOf is a side's name in the game, for a player with their own name; somebody forgotten has none.
func (g *Game) NameOf(side Side, own string) string {
	if own == Nobody {
		return own
	}
	return cmp.Or(g.Called[side], own)
}

// Seat is where a side plays.
func (g *Game) Seat(side Side) PlaceID { return cmp.Or(g.Seats[side], g.Place) }

// Here are the games in progress at a place, in order of number.
func (r Reader) Here(p PlaceID) ([]GameID, error) { return numbers[GameID](r, Key(here, p)) }

// LivelyPlaces are the places at which games are in progress.
func (r Reader) LivelyPlaces() ([]PlaceID, error) {
	found, err := collect(r.kv.Scan(kv.Prefix(Key(here))), 0, func(item kv.Item) (PlaceID, bool) {
		if n := numbersIn(item.Key, here, 2); n != nil {
			return PlaceID(n[0]), true
		}
		return 0, false
	})
	return slices.Compact(found), err
}

// Challenge is an offer to play. It has the number of the game it may become.
type Challenge struct {
	ID      GameID
	From    PersonID
	To      PersonID // 0: anybody may accept
	Variant string
	Color   string // of the challenger: "white", "black" or "random"
	Rated   bool
	Pace    Pace
	Place   PlaceID
	Server  ServerID `json:",omitempty"` // the server of Place, set when it is stored; 0 for none
	Seat    PlaceID  `json:",omitempty"` // where To is told too, if elsewhere; 0 for nowhere
	At      time.Time
	Expires time.Time // on the running clock, see Clock
	Code    string    `json:",omitempty"` // to join from anywhere; "" for none
	After   GameID    `json:",omitempty"` // the game to which it is a rematch; 0 for none
	Named   string    `json:",omitempty"` // name of an opponent not met yet; To is 0 then
	Waits   bool      `json:",omitempty"` // only somebody called Named may accept
	Public  bool      `json:",omitempty"` // anybody may accept it on pages
	Ladder  bool      `json:",omitempty"` // it is for a rung of the ladder of Server

	Patience time.Time `json:",omitzero"`  // until when, on the running clock, only people can accept; zero for as long as it is open
	Lonely   bool      `json:",omitempty"` // nobody has accepted by then
}

// Due is when a challenge next needs attention.
func (c *Challenge) Due() time.Time {
	if !c.Patience.IsZero() && !c.Lonely {
		return c.Patience
	}
	return c.Expires
}

func (c *Challenge) loaded(key []byte) bool { return uint64(c.ID) == End(key) }

// ChallengeIDs are the numbers of all open challenges, in order.
func (r Reader) ChallengeIDs() ([]GameID, error) { return numbers[GameID](r, Key("challenge/")) }

// ChallengesBy are the open challenges that a person has made.
func (r Reader) ChallengesBy(p PersonID) ([]GameID, error) {
	return numbers[GameID](r, Key("challenger/", p))
}

// ChallengesTo are the open challenges to a person by name.
func (r Reader) ChallengesTo(p PersonID) ([]GameID, error) {
	return numbers[GameID](r, Key("challenged/", p))
}

// ChallengesAt are the challenges at a place that anybody may accept.
func (r Reader) ChallengesAt(p PlaceID) ([]GameID, error) { return numbers[GameID](r, Key("open/", p)) }

// ChallengesIn are the challenges at the places of a server that anybody may accept.
func (r Reader) ChallengesIn(s ServerID) ([]GameID, error) {
	return numbers[GameID](r, Key("lobby/", s))
}

// ToldAt are the challenges announced at a place.
func (r Reader) ToldAt(p PlaceID) ([]GameID, error) { return numbers[GameID](r, Key("toldat/", p)) }

// NewGameID gives the number for a new challenge.
func (w Writer) NewGameID() (GameID, error) { return next[GameID](w, OfGame) }

// prepare finds the server that the challenge belongs to.
func (c *Challenge) prepare(w Writer, _ *Challenge) error {
	place, err := w.Places().Find(c.Place)
	c.Server = place.Server
	return err
}

// replaced makes the challenge's code lead to it, and the old one nowhere.
func (c *Challenge) replaced(w Writer, was *Challenge) (err error) {
	w.changes.games = append(w.changes.games, cmp.Or(c.ID, was.ID)) // those who follow games also follow future ones
	if was.Code != "" && was.Code != c.Code {
		err = w.Links().Delete(was.Code)
	}
	if c.Code != "" && was.Code != c.Code {
		err = errors.Join(err, w.Links().Set(c.Code, Link{Challenge: c.ID}))
	}
	return err
}

// Review is an analysis of a game after its end. It names nobody, and is kept as long as the game.
type Review struct {
	Scores  []int          // White's, of each position including the first, in package computer's format
	Lost    []int          `json:",omitempty"` // by move, the material it cost its side, in pawns, -1 if a search would have played it; none in early reviews
	Moments []TurningPoint `json:",omitempty"` // those that decided the game, in order
}

// TurningPoint is a move that was worse than another.
type TurningPoint struct {
	Ply    int      // how many moves had been played before
	Better []string // a better line, as coordinate texts
	Answer []string // an answer to the move
}

// Pace is the time control for each player.
type Pace struct {
	Move time.Duration // for each move; 0: none
	Bank time.Duration // for the whole game, used when a move takes longer
}

// Unlimited reports whether there is no limit.
func (p Pace) Unlimited() bool { return p == Pace{} }

// Total reports whether there is only time for the whole game.
func (p Pace) Total() bool { return p.Move == 0 && p.Bank > 0 }

// Clock is the time of the player to move. Its moments are on the running clock, which stops while the program does:
// see Running. The zero Clock is for a game without time limit.
type Clock struct {
	Since    time.Time        // when the turn began
	Stopped  time.Time        // when it was stopped; zero while it runs
	Bank     [2]time.Duration // what remains for White and Black
	Told     uint8            // which reminders of this turn have been posted, a bit for each
	Reminded time.Time        // when the last one was delivered; zero if none was
	Up       bool             // the time is up, and the opponent may claim it
	Wake     time.Time        // when something is due next; zero if never
}

// Due is when the player to move runs out of time, if their clock keeps running.
func (g *Game) Due() time.Time { return g.Clock.Since.Add(g.Pace.Move + g.Clock.Bank[g.Turn]) }

// Left is the time left at a moment to the player to move.
func (g *Game) Left(now time.Time) time.Duration {
	if !g.Clock.Stopped.IsZero() {
		now = g.Clock.Stopped
	}
	return max(g.Due().Sub(now), 0)
}

// Running relates the running clock, used for deadlines, to the wall clock: the running clock stops while the program
// does, and ignores jumps of the wall clock.
type Running struct {
	Alive time.Time     // wall clock when the program last showed activity
	Lag   time.Duration // by how much the running clock is behind the wall clock
}

// Running reads the state of the clocks, the zero value in a new database.
func (r Reader) Running() (c Running, err error) {
	_, err = find(r.kv, Key("meta/clock"), &c)
	return c, err
}

// PutRunning writes the state of the clocks.
func (w Writer) PutRunning(c Running) error { return Put(w.out, Key("meta/clock"), c) }

// Probe writes a moment, to test whether the engine can store anything.
func (w Writer) Probe(at time.Time) error { return Put(w.out, Key("meta/probe"), at) }

// Line is a line of conditional moves as coordinate texts: the opponent's move, the
// answer, the opponent's next, and so on.
type Line []string

// Runs reports whether a game's clock runs.
func (g *Game) Runs() bool { return !g.Pace.Unlimited() && g.Clock.Stopped.IsZero() }

// Kinds of deadlines.
const (
	DueGame      = "game"      // a reminder, or the end of a player's time
	DueChallenge = "challenge" // it expires
	DueVacation  = "vacation"  // of a person; it ends
)

// Deadline is a moment on the running clock, to the second, at which something is
// due.
type Deadline struct {
	At   time.Time // zero: never
	Kind string
	ID   uint64 // of the game, challenge or person
}

const due = "due/"

// seconds is a moment as used in keys.
func seconds(at time.Time) uint64 { return uint64(max(at.Unix(), 0)) }

func dueKey(d Deadline) []byte { return Key(due, uint64(d.At.Unix()), d.Kind, d.ID) }

// DropDue removes a deadline that belongs to no record. A sound database has none.
func (w Writer) DropDue(d Deadline) error { return Mark(w.out, dueKey(d), false) }

// RestoreDue restores a deadline that was dropped; the zero time is none.
func (w Writer) RestoreDue(d Deadline) error {
	var x Index
	addDue(&x, d)
	return reindex(w.out, nil, x)
}

// Due are the deadlines up to and including a moment, earliest first, at most limit.
func (r Reader) Due(now time.Time, limit int) ([]Deadline, error) {
	prefix := Key(due)
	return collect(r.kv.Scan(prefix, Key(due, seconds(now)+1)), limit, func(item kv.Item) (Deadline, bool) {
		return readDue(item.Key[len(prefix):])
	})
}

// NextDue is the first deadline, the zero Deadline if there is none.
func (r Reader) NextDue() (Deadline, error) { return first(r.Due(time.Unix(1<<40, 0), 1)) }

// readDue reads the part of a key after the prefix; false if it is damaged, which Check reports.
func readDue(rest []byte) (Deadline, bool) {
	kind := len(rest) - NumberSize - 1 // where it ends
	if kind < NumberSize {
		return Deadline{}, false
	}
	return Deadline{
		At:   time.Unix(int64(binary.BigEndian.Uint64(rest)), 0).UTC(),
		Kind: string(rest[NumberSize:kind]),
		ID:   binary.BigEndian.Uint64(rest[kind+1:]),
	}, true
}

// Computer is the platform of the computer's players: each of its levels is a person, whose account is the level as a
// text. No messages come from it.
const Computer = "computer"

const (
	thinking = "think/"
	beaten   = "beaten/"
	made     = "made/"
)

// Computer is the side played by the computer, and its level; 0 if two people play.
func (g *Game) Computer() (side Side, level int) {
	for side, level := range g.Levels {
		if level != 0 {
			return side, level
		}
	}
	return White, 0
}

// Practice reports whether the game is against the computer.
func (g *Game) Practice() bool {
	_, level := g.Computer()
	return level != 0
}

// Awaited is the level of the computer if it has something to do: play a move, or answer an offer of a draw. Otherwise
// it is 0.
func (g *Game) Awaited() int {
	side, level := g.Computer()
	if level == 0 || g.Over() || g.Turn != side && (g.Draw == nil || g.Draw.By == g.Players[side]) {
		return 0
	}
	return level
}

// Thinking are the games in which the computer has something to do, in order of number.
func (r Reader) Thinking() ([]GameID, error) { return numbers[GameID](r, Key(thinking)) }

// mostLevels is above the number of the computer's levels.
const mostLevels = 1000

// addBeaten adds the keys of somebody who has beaten the computer: for the world, and for the server where they played.
// Those of a person in a kind of game are in order of level, highest first.
func addBeaten(x *Index, g *Game) {
	if g.Beaten == 0 {
		return
	}
	side, _ := g.Computer()
	person := 1 - side
	for _, s := range slices.Compact([]ServerID{0, g.Servers[person]}) {
		x.Add(Key(beaten, s, g.Variant, g.Players[person], uint64(mostLevels-g.Beaten), g.ID))
	}
}

// BeatenLevel is the highest level of the computer that somebody has beaten in a kind of game.
type BeatenLevel struct {
	Person PersonID
	Level  int
}

// BeatenLevels are everybody's in a kind of game and a server, 0 for the world, in order of people.
func (r Reader) BeatenLevels(s ServerID, kind string) (all []BeatenLevel, err error) {
	start, end := kv.Prefix(Key(beaten, s, kind))
	for {
		f, err := r.firstBeaten(start, end)
		if err != nil || f.Person == 0 {
			return all, err
		}
		all = append(all, f)
		start = Key(beaten, s, kind, f.Person+1)
	}
}

// BeatenLevel is a person's in a kind of game, in the world; its level is 0 if there is none.
func (r Reader) BeatenLevel(p PersonID, kind string) (BeatenLevel, error) {
	start, end := kv.Prefix(Key(beaten, ServerID(0), kind, p))
	return r.firstBeaten(start, end)
}

func (r Reader) firstBeaten(start, end []byte) (BeatenLevel, error) {
	return first(collect(r.kv.Scan(start, end), 1, func(item kv.Item) (f BeatenLevel, ok bool) {
		last := len(item.Key) - 3*NumberSize
		if last < 0 {
			return f, false // the key is damaged; Check reports it
		}
		n := func(i int) uint64 { return binary.BigEndian.Uint64(item.Key[last+i*NumberSize:]) }
		return BeatenLevel{PersonID(n(0)), mostLevels - int(n(1))}, true
	}))
}
