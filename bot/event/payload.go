package event

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"chimera/storage"
)

// Position is the payload of Began, Moved, TookBack and Ended, after each of which there is a new
// position to show. One that has overtaken another tells what that would have told.
type Position struct {
	Move    string  `json:"move,omitempty"`         // chat text of the move that was played
	Plies   int     `json:"plies,string,omitempty"` // how many were taken back
	Planned Flag    `json:"plan,omitempty"`         // the move was played as a condition asked for
	Draw    Flag    `json:"draw,omitempty"`         // a draw is offered with the move
	Agreed  Flag    `json:"agree,omitempty"`        // the game ends because a draw was agreed to
	Usual   Flag    `json:"usual,omitempty"`        // nobody has chosen the computer's level
	Earlier Earlier `json:"before,omitempty"`       // the moves that were overtaken, the oldest first
}

// Vacation is the payload of WentAway and CameBack.
type Vacation struct {
	Until time.Time `json:"until,omitzero"`
	Auto  Flag      `json:"auto,omitempty"` // it began by itself
	Games Games     `json:"games,omitempty"`
}

// Unreachable is the payload of RoomLost and OpponentLost.
type Unreachable struct {
	Games Games `json:"games,omitempty"`
}

// Time is the payload of TimeAdded.
type Time struct {
	Days int `json:"days,string,omitempty"`
}

// Talk is the payload of Said.
type Talk struct {
	Text string `json:"text,omitempty"`
}

// Outage is the payload of Recovered.
type Outage struct {
	Gap Span `json:"gap,omitempty"` // for how long the program was away
}

// Season is the payload of MonthEnded.
type Season struct {
	Month string `json:"month,omitempty"` // such as 2026-10
}

// League is the payload of what happens in a league.
type League struct {
	League storage.LeagueID `json:"league,string,omitempty"`
	Season storage.SeasonID `json:"season,string,omitempty"` // 0 for none
}

// Link is the payload of LinkAgreed.
type Link struct {
	Code string `json:"code,omitempty"` // it waits for the word of whose it is
}

// Challenge is the payload of what becomes of challenges.
type Challenge struct {
	After storage.GameID `json:"after,string,omitempty"` // the game that it wants to be played again
}

// AtHome is a further payload of an entry that is told to a player at home, since the room where it
// was to be told is gone.
type AtHome struct {
	Home Flag `json:"home,omitempty"`
}

// Puzzle is the payload of PuzzleTold and PuzzlesRest.
type Puzzle struct {
	Puzzle PuzzleName `json:"puzzle,omitzero"`
	Before Solved     `json:"before,omitzero"` // the puzzle before it
}

// encode is the stored form of a payload: each field as a text.
func encode(payload any) (fields map[string]string) {
	text, err := json.Marshal(payload)
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	if err != nil {
		panic(fmt.Sprintf("event: a payload has other fields than text: %v", err))
	}
	return fields
}

// AddPayload adds a payload to what an entry has.
func AddPayload(e *storage.Entry, payload any) {
	fields := maps.Clone(e.Facts)
	if fields == nil {
		fields = map[string]string{}
	}
	maps.Copy(fields, encode(payload))
	e.Facts = fields
}

// PayloadOf is the payload of an entry, which must be that of its kind. Fields that are damaged or
// of another version are left out.
func PayloadOf[P any](e *storage.Entry) (payload P) {
	text, _ := json.Marshal(e.Facts) // text can always be encoded
	_ = json.Unmarshal(text, &payload)
	return payload
}

// The types of fields that JSON has no such texts for. None fails to be read, so that the fields
// behind it are read too.

// Flag is stored as "yes", or not at all.
type Flag bool

// MarshalText implements [encoding.TextMarshaler].
func (Flag) MarshalText() ([]byte, error) { return []byte("yes"), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (f *Flag) UnmarshalText(text []byte) error {
	*f = len(text) > 0
	return nil
}

// Span is stored as a text such as "5m0s".
type Span time.Duration

// MarshalText implements [encoding.TextMarshaler].
func (s Span) MarshalText() ([]byte, error) { return []byte(time.Duration(s).String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *Span) UnmarshalText(text []byte) error {
	d, _ := time.ParseDuration(string(text))
	*s = Span(d)
	return nil
}

// Games are numbers of games, stored with spaces between them.
type Games []storage.GameID

// MarshalText implements [encoding.TextMarshaler].
func (g Games) MarshalText() ([]byte, error) {
	return []byte(strings.Trim(fmt.Sprint([]storage.GameID(g)), "[]")), nil
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (g *Games) UnmarshalText(text []byte) error {
	for id := range strings.FieldsSeq(string(text)) {
		if n, err := strconv.ParseUint(id, 10, 64); err == nil {
			*g = append(*g, storage.GameID(n))
		}
	}
	return nil
}

// Earlier are moves that one entry tells beside its own, each stored on a line of its own.
type Earlier []Move

// Move is one of them.
type Move struct {
	Ply  int    // how many had been played with it
	Move string // its chat text
}

// MarshalText implements [encoding.TextMarshaler].
func (e Earlier) MarshalText() (text []byte, err error) {
	for _, m := range e {
		text = fmt.Appendf(text, "%d %s\n", m.Ply, m.Move)
	}
	return text, nil
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (e *Earlier) UnmarshalText(text []byte) error {
	for line := range strings.Lines(string(text)) {
		ply, move, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.Atoi(ply); err == nil {
			*e = append(*e, Move{n, move})
		}
	}
	return nil
}

// PuzzleName is what a puzzle is found by, stored as three words.
type PuzzleName struct {
	Game   string
	Number int // among those of the game
	Code   string
}

// MarshalText implements [encoding.TextMarshaler].
func (p PuzzleName) MarshalText() ([]byte, error) {
	return fmt.Append(nil, p.Game, " ", p.Number, " ", p.Code), nil
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (p *PuzzleName) UnmarshalText(text []byte) error {
	_, _ = fmt.Sscan(string(text), &p.Game, &p.Number, &p.Code)
	return nil
}

// Solved is a puzzle that is over, stored as its game, its number, how many have found it, and the
// first of them, each with a colon before their streak.
type Solved struct {
	Game          string
	Number, Found int
	Finders       []Finder
}

// Finder is somebody who has found a puzzle, and how many in a row with it.
type Finder struct {
	Person storage.PersonID
	Streak int
}

// MarshalText implements [encoding.TextMarshaler].
func (s Solved) MarshalText() ([]byte, error) {
	text := fmt.Append(nil, s.Game, " ", s.Number, " ", s.Found)
	for _, f := range s.Finders {
		text = fmt.Appendf(text, " %d:%d", f.Person, f.Streak)
	}
	return text, nil
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (s *Solved) UnmarshalText(text []byte) error {
	from := strings.NewReader(string(text))
	_, err := fmt.Fscan(from, &s.Game, &s.Number, &s.Found)
	for err == nil && from.Len() > 0 {
		var f Finder
		_, err = fmt.Fscanf(from, " %d:%d", &f.Person, &f.Streak)
		s.Finders = append(s.Finders, f)
	}
	return nil
}
