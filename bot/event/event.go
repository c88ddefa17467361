// Package event holds what people ask for and how they are answered: who asks, what came of it, or why
// it was refused. A message is carried out once, however often its platform delivers it. Whatever
// others must be told of it goes to the outbox in the same transaction.
package event

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"chimera/storage"
)

// By is who asks, where, and with which message.
type By struct {
	Person  storage.PersonID
	Place   storage.PlaceID
	Message storage.MessageID
	Called  string // as others mention them, such as "@bob"; "" if that is not known
	Within  string // the id of the channel around the place, if that is a thread
	Posted  bool   // the message shows what it asks for: nobody need be told
	Outside bool   // from outside of all chats, on a page: they also see what is public
}

// Kind is what has happened: the asker is answered with it, and everyone whom it concerns is told.
// Further details are in the payload of its kind.
type Kind string

// The kinds, with their payloads.
const (
	Challenged        Kind = "challenged"
	Declined          Kind = "declined"
	Cancelled         Kind = "cancelled"
	Began             Kind = "began"
	Moved             Kind = "moved"
	Ended             Kind = "ended" // by a move, or without one
	DrawOffered       Kind = "draw offered"
	DrawDeclined      Kind = "draw declined"
	DrawCancelled     Kind = "draw cancelled"
	TakebackAsked     Kind = "takeback asked"
	TakebackDeclined  Kind = "takeback declined"
	TakebackCancelled Kind = "takeback cancelled"
	TookBack          Kind = "took back"
	Expired           Kind = "expired"       // a challenge
	Unjoined          Kind = "unjoined"      // likewise, for a while, so that the computer may take it up
	Reminded          Kind = "reminded"      // of the time of the player to move
	TimeUp            Kind = "time up"       // it may be claimed
	TimeAdded         Kind = "time added"    // to the opponent
	WentAway          Kind = "went away"     // on vacation
	CameBack          Kind = "came back"     // from it
	Abandoned         Kind = "abandoned"     // the game is damaged, and was aborted for that
	Recovered         Kind = "recovered"     // the program was away, and deadlines have moved
	GameAnnulled      Kind = "annulled"      // by a manager, for a server, or by an operator
	MonthEnded        Kind = "month ended"   // in a server with seasons
	SeasonBegan       Kind = "season began"  // in a league
	SeasonHalf        Kind = "season half"   // of it is over
	SeasonEnded       Kind = "season ended"  //
	SeasonWaits       Kind = "season waits"  // for more to join
	LeagueSet         Kind = "league set"    // there is a new one
	Withdrawn         Kind = "withdrawn"     // from a season of one, for losing on time
	Climbed           Kind = "climbed"       // to a rung of a ladder
	PuzzleTold        Kind = "puzzle"        // of the day, in a server that wants one
	PuzzlesRest       Kind = "puzzles rest"  // there are no more, since nobody answers
	RoomLost          Kind = "room lost"     // nothing can be said any more where games are played
	OpponentLost      Kind = "opponent lost" // likewise of an opponent's private chat
	Said              Kind = "said"          // by an opponent, who wants it passed on
	Planned           Kind = "planned"       // conditional moves were stored
	Unplanned         Kind = "unplanned"     // and removed
	PlaysOn           Kind = "plays on"      // took the first word to resign or abort back
	Stays             Kind = "stays"         // took the first word to be forgotten back
	Chose             Kind = "chose"         // a setting
	Forgot            Kind = "forgot"        // a person
	ForgetAsked       Kind = "forget asked"  // to the asker alone: wants a second word
	ResignAsked       Kind = "resign asked"  // likewise
	AbortAsked        Kind = "abort asked"   // likewise
	DrawAsked         Kind = "draw asked"    // likewise
	Helped            Kind = "helped"        // by a hint
	Refused           Kind = "refused"       // to the asker alone: nothing happened
	AnnulAsked        Kind = "annul asked"   // likewise
	LinkAgreed        Kind = "link agreed"   // by who becomes another: that one is asked
	LinkGiven         Kind = "link given"    // by whom they become
	LinkRefused       Kind = "link refused"  // by either
)

// Done is the outcome of a request.
type Done struct {
	Kind  Kind
	Game  storage.GameID
	Words string // the words in which the request was refused, if it was
}

// Told reports whether telling the outcome is all that an asker needs to hear who repeats the request.
func (d Done) Told() bool {
	switch d.Kind {
	case WentAway, CameBack, Planned, Unplanned, Chose, PlaysOn, Stays, LinkAgreed, LinkGiven, LinkRefused:
		return false
	default:
		return true
	}
}

// Log remembers which messages were carried out, and how. It is safe for concurrent use.
type Log struct {
	store *storage.Store
	now   func() time.Time
}

// New makes a Log over a store. now is the wall clock.
func New(store *storage.Store, now func() time.Time) *Log { return &Log{store, now} }

// SecondWord is how long the first of two words (to resign, to abort) counts.
const SecondWord = 2 * time.Minute

// Again is the outcome of a message that has come before, nil if it has not.
func (s *Log) Again(ctx context.Context, by By) (*Done, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (*Done, error) { return Before(r, by.Message) })
}

// Refused remembers that the asker's request was refused, and in which words, so that its message
// changes nothing when it comes again. It does nothing if the request was carried out.
func (s *Log) Refused(ctx context.Context, by By, words string) error {
	if by.Message.ID == "" {
		return nil
	}
	_, err := s.Once(ctx, by, func(storage.Writer) (Done, error) { return Done{Kind: Refused, Words: words}, nil })
	return err
}

// Remember stores the outcome of a message.
func (s *Log) Remember(w storage.Writer, m storage.MessageID, done Done) error {
	return w.PutSeen(m, storage.Seen{At: s.now(), Answer: storage.Answer{What: string(done.Kind), Game: done.Game}, Words: done.Words})
}

// Before is Again within a transaction.
func Before(r storage.Reader, m storage.MessageID) (*Done, error) {
	before, err := r.Seen(m)
	if err != nil {
		return nil, storage.UnlessNew(err)
	}
	return &Done{Kind: Kind(before.Answer.What), Game: before.Answer.Game, Words: before.Words}, nil
}

// Once carries out a request that does not change a game, unless its message has come before.
func (s *Log) Once(ctx context.Context, by By, do func(storage.Writer) (Done, error)) (done Done, err error) {
	err = s.store.Update(ctx, func(w storage.Writer) error {
		before, err := Before(w.Reader, by.Message)
		if err != nil {
			return err
		}
		if before != nil {
			done = *before
			return nil
		}
		if done, err = do(w); err != nil {
			return err
		}
		return s.Remember(w, by.Message, done)
	})
	return done, err
}

// Offer is an offer that the asker makes now.
func (s *Log) Offer(by By) *storage.Offer { return &storage.Offer{By: by.Person, At: s.now()} }

// Second reports whether the first word was this person's, and not long ago.
func (s *Log) Second(first *storage.Offer, by By) bool {
	return first != nil && first.By == by.Person && s.now().Sub(first.At) <= SecondWord
}

// Event is one thing that has happened.
type Event struct {
	Kind    Kind
	Ply     int // how many moves of its game had been played
	By      storage.PersonID
	Payload any // of its kind, or nil
}

// Entry is the stored form of an event of no game in particular, which waits in the outbox to be
// told at a place.
func (e Event) Entry(at storage.PlaceID, now time.Time) storage.Entry {
	return storage.Entry{Place: at, Ply: e.Ply, At: now, Kind: string(e.Kind), By: e.By, Facts: encode(e.Payload)}
}

// Post tells all places of a game that something has happened.
func (s *Log) Post(w storage.Writer, g *storage.Game, what Event) (err error) {
	for _, place := range g.Places() {
		err = errors.Join(err, w.Post(s.Entry(g, place, what)))
	}
	return err
}

// answerSoon is how long an event that makes it the computer's turn waits to be told together with the
// computer's answer, which mostly follows at once.
const answerSoon = 2 * time.Second

// Entry is the stored form of an event in a game.
func (s *Log) Entry(g *storage.Game, at storage.PlaceID, what Event) storage.Entry {
	e := what.Entry(at, s.now())
	e.Game = g.ID
	if !g.Over() && g.Runs() {
		e.Due = g.Due()
	}
	if g.Awaited() != 0 {
		e.Next = e.At.Add(answerSoon)
	}
	return e
}

// Position is the payload of Began, Moved, TookBack and Ended, which all lead to a new position. If it
// has overtaken others, it tells what they would have told.
type Position struct {
	Move    string  `json:"move,omitempty"`         // chat text of the move that was played
	Plies   int     `json:"plies,string,omitempty"` // how many were taken back
	Planned Flag    `json:"plan,omitempty"`         // the move was a conditional one
	Draw    Flag    `json:"draw,omitempty"`         // a draw is offered with the move
	Agreed  Flag    `json:"agree,omitempty"`        // the game ends because a draw was agreed to
	Usual   Flag    `json:"usual,omitempty"`        // nobody has chosen the computer's level
	Earlier Earlier `json:"before,omitempty"`       // the moves of the entries that it has overtaken, the oldest first
}

// Vacation is the payload of WentAway and CameBack.
type Vacation struct {
	Until time.Time `json:"until,omitzero"`
	Auto  Flag      `json:"auto,omitempty"` // it began by itself
	Games Games     `json:"games,omitempty"`
}

// Reminder is the payload of Reminded in private chats, where one entry can tell several.
type Reminder struct {
	Turns string `json:"turns,omitempty"` // such as "12:5 13:0 ": games, and how many moves had been played in them
}

// Reminders are those that an entry tells, each as an entry about one game; any other entry is alone.
func Reminders(e storage.Entry) []storage.Entry {
	all := []storage.Entry{e}
	for i, turn := range strings.Fields(PayloadOf[Reminder](&e).Turns) {
		_, _ = fmt.Sscanf(turn, "%d:%d", &e.Game, &e.Ply)
		all = append(all[:i], e)
	}
	return all
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
	Again  Flag             `json:"again,omitempty"`         // it was so in the season before too
	Lost   int              `json:"lost,string,omitempty"`   // games that are lost with it
}

// Rung is the payload of Climbed.
type Rung struct {
	Game string `json:"game,omitempty"`        // the key of its kind
	Rung int    `json:"rung,string,omitempty"` // from 1, the top
}

// Link is the payload of LinkAgreed.
type Link struct {
	Code string `json:"code,omitempty"` // it waits for the agreement of the person it was given to
}

// Challenge is the payload of what becomes of challenges.
type Challenge struct {
	After storage.GameID `json:"after,string,omitempty"` // the game that it wants to be played again
}

// AtHome is a further payload of an entry that is told to a player at home, since the room where it
// should have been told is gone.
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
	if err = errors.Join(err, json.Unmarshal(text, &fields)); err != nil {
		panic(fmt.Sprintf("event: a payload has other fields than text: %v", err))
	}
	return fields
}

// AddPayload adds a payload to what an entry has.
func AddPayload(e *storage.Entry, payload any) {
	fields := map[string]string{}
	maps.Copy(fields, e.Facts)
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

// Types of fields that encoding/json writes as no such text. Reading them never fails, so that the
// fields after them are read too.

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

// Earlier are moves that an entry tells in addition to its own, each stored on a line of its own.
type Earlier []Move

// Move is one of the moves of [Earlier].
type Move struct {
	Ply  int    // how many moves had been played, with this one
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

// Finder is a person who has found a puzzle, and how many they have found in a row, including it.
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
