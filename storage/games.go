package storage

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"time"

	"chimera/storage/kv"
)

// Side indexes what White and Black each have.
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
	Levels  [2]int      `json:",omitzero"`  // how well White and Black are played by the computer; 0 for a person, -1 for level 0
	Face    string      `json:",omitempty"` // the character by which the computer plays, "" for none
	Rated   bool
	Place   PlaceID    // where it is played
	Seats   [2]PlaceID `json:",omitzero"`  // where White and Black play it who are elsewhere; 0 for Place
	Also    []PlaceID  `json:",omitempty"` // other places that are told of it
	Began   time.Time
	Changed time.Time // of the last move, offer or end
	Turn    Side      // whose it is to move
	Turned  time.Time `json:",omitzero"` // when it came to be theirs; zero in games of an earlier version, until the next move
	Pace    Pace
	Clock   Clock
	Season  SeasonID `json:",omitempty"` // of a league, in which it counts; 0 for none
	Part    int      `json:",omitempty"` // in which division of that

	Start  string   // FEN; "" for the variant's own
	Moves  []string // coordinate texts: the truth, all else can be made of it
	FEN    string   // the position now
	Before string   // the position before the last move, "" at the start
	Past   []uint64 // keys of the positions that can come again, this one excepted

	Plans [2][]Line `json:",omitzero"` // conditional moves of White and Black, which only they may see

	Draw     *Offer `json:",omitempty"` // a draw that was offered
	Takeback *Offer `json:",omitempty"` // a takeback that was asked for
	Resign   *Offer `json:",omitempty"` // a resignation that wants its second word
	Abort    *Offer `json:",omitempty"` // and an abort
	DrawAsk  *Offer `json:",omitempty"` // and a draw by a button

	Asked [2]Asked `json:",omitzero"` // what White and Black have offered between two moves

	Merges  [2]int      `json:",omitzero"`  // pieces that White and Black have merged, or grown by what they took
	Merged  int         `json:",omitempty"` // how many moves Merges and Made know; of games of an earlier version, none before the end
	Counted bool        `json:",omitempty"` // it has changed ratings
	Servers [2]ServerID `json:",omitzero"`  // in which White and Black have played it, where it has or the computer was beaten; 0 for none
	Strike  *Offer      `json:",omitempty"` // an annulment that wants its second word
	Annul   bool        `json:",omitempty"` // and is not to have, as soon as all has been computed again
	Void    string      `json:",omitempty"` // why it has changed none though it is rated, as package match writes it; "" if it is not known
	Figures             // zero if it has changed none

	Helped bool `json:",omitempty"` // whoever plays the computer has taken moves back, or asked what to play
	Hinted int  `json:",omitempty"` // how often they have asked about the next move
	Beaten int  `json:",omitempty"` // the level of the computer that has lost it to somebody without help; 0 if it has not

	Made   [2]map[string]int `json:",omitzero"`  // which pieces those were of each side, as package match writes them, and how many
	Listed bool              `json:",omitempty"` // it has ended, and these are found by who has made them; not so in games of an earlier version

	Result string // "*" while in progress
	Ending string // "" while in progress
	Again  GameID `json:",omitempty"` // its rematch, as soon as that has begun; 0 for none

	Quarantined string `json:"Aside,omitempty"` // why it is quarantined for good, "" if it is not; all else is then what could be read

	Revision uint64 // goes up with each change
}

// Figures are what a game has made of the ratings of White and Black.
type Figures struct {
	Ratings [2][2]float64 `json:",omitzero"` // before and after
	Spreads [2]float64    `json:",omitzero"` // deviations after it; zero in games of an earlier version
}

// Offer is something that one player has asked for and that waits.
type Offer struct {
	By     PersonID
	At     time.Time
	Server ServerID `json:",omitempty"` // for which an annulment is asked
}

// Asked is how often a side has offered a draw, and asked for a takeback, since Ply plies had been
// played.
type Asked struct{ Ply, Draws, Takebacks int }

// Over reports whether the game has ended.
func (g *Game) Over() bool { return g.Ending != "" }

// Gathers reports whether what somebody makes in the game is theirs for good: it is rated, or against the computer.
func (g *Game) Gathers() bool {
	_, level := g.Computer()
	return g.Rated || level != 0
}

// FirstMade is a kind of piece that somebody has made, and the first listed game in which they have.
type FirstMade struct {
	Kind, Piece string
	Game        GameID
}

// FirstMade are those of a person, in order of kinds of games.
func (r Reader) FirstMade(p PersonID) (all []FirstMade, err error) {
	start, end := kv.Prefix(Key(made, p))
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return nil, err
		}
		named := bytes.Split(item.Key[len(start):max(len(start), len(item.Key)-NumberSize)], []byte{0})
		if len(named) != 3 {
			continue // it is damaged; Check reports it
		}
		f := FirstMade{string(named[0]), string(named[1]), GameID(End(item.Key))}
		if n := len(all); n == 0 || all[n-1].Kind != f.Kind || all[n-1].Piece != f.Piece {
			all = append(all, f)
		}
	}
	return all, nil
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

func (g *Game) loaded(id GameID) bool { return g.ID == id && (g.Turn == White || g.Turn == Black) }

// playerPrefix begins the keys of a player's games and standings. They stand together, so that the
// end of a game, which changes them all, touches one page for each player.
func playerPrefix(p PersonID) []byte { return Key("player/", p) }

// The kinds of keys of a player's games, in their order.
const (
	played  = "played/"
	playing = "playing/"
)

// playerKey is where a game is listed of which a person is a player.
func playerKey(p PersonID, g *Game) []byte {
	kind := playing
	if g.Over() {
		kind = played
	}
	return Key("player/", p, []byte(kind), g.ID)
}

// Revision is that of a game, or ErrNotFound.
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
	// Other processes hear of the key, which is written though it may be there already.
	return Mark(w.out, Key(thinking, g.ID), true)
}

// Places are all that are told of a game.
func (g *Game) Places() []PlaceID {
	places := []PlaceID{g.Place}
	for _, p := range append(g.Seats[:], g.Also...) {
		if p != 0 && !slices.Contains(places, p) {
			places = append(places, p)
		}
	}
	return places
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
	Server  ServerID `json:",omitempty"` // that Place belongs to, as is found when it is stored; 0 for none
	Seat    PlaceID  `json:",omitempty"` // where To is told of it too, who plays elsewhere; 0 for nowhere
	At      time.Time
	Expires time.Time // on the running clock, see Clock
	Code    string    `json:",omitempty"` // with which it is joined from anywhere; "" for none
	After   GameID    `json:",omitempty"` // the game that it wants to be played again; 0 for none
	Named   string    `json:",omitempty"` // whom it names that nobody has met; To is 0 then
	Waits   bool      `json:",omitempty"` // for a person called Named alone
	Public  bool      `json:",omitempty"` // anybody may accept it on pages

	Patience time.Time `json:",omitzero"`  // until when, on the running clock, it waits for people alone; zero for as long as it is open
	Lonely   bool      `json:",omitempty"` // nobody has joined it by then
}

// Due is when something is to be done about a challenge next.
func (c *Challenge) Due() time.Time {
	if !c.Patience.IsZero() && !c.Lonely {
		return c.Patience
	}
	return c.Expires
}

func (c *Challenge) loaded(id GameID) bool { return c.ID == id }

// ChallengeIDs are the numbers of all that are open, in order.
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

// ToldAt are the challenges that are told of at a place.
func (r Reader) ToldAt(p PlaceID) ([]GameID, error) { return numbers[GameID](r, Key("toldat/", p)) }

// NewGameID gives the number for a new challenge.
func (w Writer) NewGameID() (GameID, error) {
	n, err := w.next(OfGame)
	return GameID(n), err
}

// prepare finds the server that the challenge belongs to.
func (c *Challenge) prepare(w Writer, _ *Challenge) error {
	place, err := w.Places().Find(c.Place)
	c.Server = place.Server
	return err
}

// replaced lets the code of the challenge lead to it, and no other.
func (c *Challenge) replaced(w Writer, was *Challenge) (err error) {
	w.changes.games = append(w.changes.games, cmp.Or(c.ID, was.ID)) // who waits to hear of games hears of those to be too
	if was.Code != "" && was.Code != c.Code {
		err = w.Links().Delete(was.Code)
	}
	if c.Code != "" && was.Code != c.Code {
		err = errors.Join(err, w.Links().Set(c.Code, Link{Challenge: c.ID}))
	}
	return err
}

// places are all that are told of a challenge.
func (c *Challenge) places() []PlaceID {
	if c.Seat == 0 || c.Seat == c.Place {
		return []PlaceID{c.Place}
	}
	return []PlaceID{c.Place, c.Seat}
}

// Review is what was found out about how a game was played, after its end. It names nobody, and
// is kept for as long as the game.
type Review struct {
	Scores  []int          // White's, of each position, the first included, as package computer writes them
	Moments []TurningPoint `json:",omitempty"` // that decided the game, in their order
}

// TurningPoint is a move that was worse than another.
type TurningPoint struct {
	Ply    int      // how many moves had been played before
	Better []string // how the game could have gone on instead, as coordinate texts
	Answer []string // how the move could have been met
}
