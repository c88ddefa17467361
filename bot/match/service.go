package match

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"chimera/rules"
	"chimera/storage"
)

// Service carries out what people ask for. It is safe for concurrent use.
type Service struct {
	store    *storage.Store
	variants []*rules.Variant
	now      func() time.Time // wall clock
	coin     func() bool
	counting sync.Mutex   // held while all ratings are computed again
	furthest atomic.Int64 // the latest moment of the running clock that was used, in Unix seconds
}

// New makes a Service over a store for the given games. now is the wall clock;
// coin is tossed for colours.
func New(store *storage.Store, variants []*rules.Variant, now func() time.Time, coin func() bool) *Service {
	return &Service{store: store, variants: variants, now: now, coin: coin}
}

// Variants are the games that can be played, in the order in which people see
// them. They must not be changed.
func (s *Service) Variants() []*rules.Variant { return s.variants }

// Variant is the game of a key, or nil.
func (s *Service) Variant(key string) *rules.Variant {
	for _, v := range s.variants {
		if v.Key == key {
			return v
		}
	}
	return nil
}

// By is who asks, where, and with which message.
type By struct {
	Person  storage.PersonID
	Place   storage.PlaceID
	Message storage.MessageID
}

// What is a kind of thing that happened, told to the one who asked and, in the
// outbox, to everyone it concerns.
type What string

// What can happen.
const (
	Challenged        What = "challenged"
	Declined          What = "declined"
	Cancelled         What = "cancelled"
	Began             What = "began"
	Moved             What = "moved"
	Ended             What = "ended" // by a move, or without one
	DrawOffered       What = "draw offered"
	DrawDeclined      What = "draw declined"
	DrawCancelled     What = "draw cancelled"
	TakebackAsked     What = "takeback asked"
	TakebackDeclined  What = "takeback declined"
	TakebackCancelled What = "takeback cancelled"
	TookBack          What = "took back"
	Expired           What = "expired"       // a challenge
	Reminded          What = "reminded"      // of the time of the player to move
	TimeUp            What = "time up"       // it may be claimed
	TimeAdded         What = "time added"    // to the opponent
	WentAway          What = "went away"     // on vacation
	CameBack          What = "came back"     // from it
	Abandoned         What = "abandoned"     // the game is damaged, and was aborted for that
	Recovered         What = "recovered"     // the program was away, and deadlines have moved
	GameAnnulled      What = "annulled"      // by a manager
	MonthEnded        What = "month ended"   // in a server with seasons
	RoomLost          What = "room lost"     // nothing can be said any more where games are played
	OpponentLost      What = "opponent lost" // likewise of an opponent's private chat
	Planned           What = "planned"       // conditional moves were stored
	Unplanned         What = "unplanned"     // and removed
	PlaysOn           What = "plays on"      // took the first word to resign or abort back
	Stays             What = "stays"         // took the first word to be forgotten back
	Chose             What = "chose"         // a setting
	Forgot            What = "forgot"        // a person
	ForgetAsked       What = "forget asked"  // to the asker alone: wants a second word
	ResignAsked       What = "resign asked"  // likewise
	AbortAsked        What = "abort asked"   // likewise
	Refused           What = "refused"       // to the asker alone: nothing happened
	AnnulAsked        What = "annul asked"   // likewise
	LinkAgreed        What = "link agreed"   // by who becomes another: that one is asked
	LinkGiven         What = "link given"    // by whom he becomes
	LinkRefused       What = "link refused"  // by either
)

// The facts that an outbox entry may hold.
const (
	FactMove  = "move"  // chat text of the move that was played
	FactPlies = "plies" // how many were taken back
	FactPlan  = "plan"  // set where a move was played as a condition asked for
	FactDays  = "days"  // how many were added
	FactUntil = "until" // when a vacation ends, RFC 3339
	FactAuto  = "auto"  // set where a vacation began by itself
	FactGap   = "gap"   // for how long the program was away
	FactMonth = "month" // that has ended, such as 2026-10
	FactCode  = "code"  // of a link that waits for a word
	FactGames = "games" // in which a clock stands or goes on, or that were lost: numbers with spaces between them
	FactAfter = "after" // the game that a challenge wants to be played again

	FactBefore = "before" // moves that were overtaken and are told with this one, each a line: its ply and chat text
)

// Done is what became of a request.
type Done struct {
	What What
	Game storage.GameID
}

// Told reports whether everyone concerned hears of what was done, so that the asker
// needs no other answer.
func (d Done) Told() bool {
	switch d.What {
	case WentAway, CameBack, Planned, Unplanned, Chose, PlaysOn, Stays, LinkAgreed, LinkGiven, LinkRefused:
		return false
	default:
		return true
	}
}

// maxTries bounds how often a request is tried again after somebody else changed
// the game first.
const maxTries = 8

var errOvertaken = errors.New("match: the game has changed meanwhile")

// change is what a request does to a game: the game as it shall be, what the asker
// is answered, and what is said to everyone.
type change struct {
	game storage.Game
	done What
	said []said
}

// said is one thing that happened in a game.
type said struct {
	what  What
	ply   int // how many moves had been played
	by    storage.PersonID
	facts map[string]string
}

// tell makes a change that is answered with, and told as, one thing.
func tell(g storage.Game, what What, by By, facts map[string]string) change {
	return change{g, what, []said{{what, len(g.Moves), by.Person, facts}}}
}

// inGame carries a request out on a game: plan tries it on the game as read, in
// which the asker plays that side.
func (s *Service) inGame(ctx context.Context, by By, id storage.GameID, plan func(storage.Game, storage.Side) (change, error)) (Done, error) {
	for range maxTries {
		var game storage.Game
		var again *Done
		err := s.store.View(ctx, func(r storage.Reader) (err error) {
			if again, err = seen(r, by.Message); again != nil || err != nil {
				return err
			}
			game, err = named(r, id)
			return err
		})
		switch {
		case err != nil:
			return Done{}, err
		case again != nil:
			return *again, nil
		}
		side, ok := game.SideOf(by.Person)
		if !ok {
			return Done{}, &Refusal{Why: NotPlaying, Game: id}
		}
		c, err := plan(game, side)
		if err != nil {
			return Done{}, err
		}
		done, err := s.commit(ctx, by, game.Revision, c)
		if !errors.Is(err, errOvertaken) {
			return done, err
		}
	}
	return Done{}, fmt.Errorf("match: game %d changes too fast: %w", id, errOvertaken)
}

// commit writes a change of a game that was read with the given revision.
func (s *Service) commit(ctx context.Context, by By, revision uint64, c change) (Done, error) {
	c.game.Changed = s.now()
	if c.game.Over() {
		if err := s.knowMerges(&c.game); err != nil {
			return Done{}, err
		}
	}
	done := Done{c.done, c.game.ID}
	err := s.store.Update(ctx, func(w storage.Writer) error {
		was, err := w.Game(c.game.ID)
		if err != nil {
			return err
		}
		if was.Revision != revision {
			return errOvertaken
		}
		g := c.game
		if len(g.Moves) > len(was.Moves) {
			if err := s.moveSeat(w.Reader, &g, by); err != nil {
				return err
			}
		}
		if err := s.keepTime(w, &was, &g); err != nil {
			return err
		}
		if err := finish(w, &was, &g); err != nil {
			return err
		}
		if err := w.PutGame(was, g); err != nil {
			return err
		}
		for _, said := range c.said {
			if err := s.post(w, &g, said); err != nil {
				return err
			}
		}
		if len(g.Moves) > len(was.Moves) {
			if err := s.backWithAMove(w, by.Person); err != nil {
				return err
			}
		}
		return s.remember(w, by.Message, done, "")
	})
	return done, err
}

// post tells all places of a game that something has happened.
func (s *Service) post(w storage.Writer, g *storage.Game, what said) error {
	for _, place := range g.Places() {
		e := s.entry(g, what)
		e.Place = place
		if err := w.Post(e); err != nil {
			return err
		}
	}
	return nil
}

// entry is what waits in the outbox about a game.
func (s *Service) entry(g *storage.Game, what said) storage.Entry {
	e := storage.Entry{
		Place: g.Place, Game: g.ID, Ply: what.ply, At: s.now(),
		Kind: string(what.what), By: what.by, Facts: what.facts,
	}
	if !g.Over() && runs(g) {
		e.Due = g.Due()
	}
	return e
}

// Again is what became of a message that has come before, nil if it has not. words are
// what Refused was told.
func (s *Service) Again(ctx context.Context, by By) (again *Done, words string, err error) {
	err = s.store.View(ctx, func(r storage.Reader) error {
		if again, err = seen(r, by.Message); again == nil || again.What != Refused {
			return err
		}
		before, err := r.Seen(by.Message)
		words = before.Words
		return err
	})
	return again, words, err
}

// Refused remembers that the asker's request was refused, and in which words, so that its
// message changes nothing when it comes again. It does nothing where the request was
// carried out.
func (s *Service) Refused(ctx context.Context, by By, words string) error {
	again, _, err := s.Again(ctx, by)
	if again != nil || err != nil || by.Message.ID == "" {
		return err
	}
	return s.store.Update(ctx, func(w storage.Writer) error {
		again, err := seen(w.Reader, by.Message)
		if again != nil || err != nil {
			return err
		}
		return s.remember(w, by.Message, Done{What: Refused}, words)
	})
}

func (s *Service) remember(w storage.Writer, m storage.MessageID, done Done, words string) error {
	answer, err := json.Marshal(done)
	if err != nil {
		return err
	}
	return w.PutSeen(m, storage.Seen{At: s.now(), Answer: answer, Words: words})
}

// seen is what became of a message that has come before, nil if it has not.
func seen(r storage.Reader, m storage.MessageID) (*Done, error) {
	before, err := r.Seen(m)
	switch {
	case errors.Is(err, storage.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	done := new(Done)
	return done, json.Unmarshal(before.Answer, done)
}

// errNothing ends a transaction that has found its message carried out before.
var errNothing = errors.New("match: nothing to do")

// once carries out a request that is no change of a game, unless its message has
// been before.
func (s *Service) once(ctx context.Context, by By, do func(storage.Writer) (Done, error)) (Done, error) {
	var done Done
	err := s.store.Update(ctx, func(w storage.Writer) error {
		before, err := seen(w.Reader, by.Message)
		if err != nil {
			return err
		}
		if before != nil {
			done = *before
			return errNothing
		}
		if done, err = do(w); err != nil {
			return err
		}
		return s.remember(w, by.Message, done, "")
	})
	if errors.Is(err, errNothing) {
		err = nil
	}
	return done, err
}

// Meet is the person with an identity, remembered under the name.
func (s *Service) Meet(ctx context.Context, a storage.Address, name string) (storage.Person, error) {
	name = storage.SafeName(name)
	var person storage.Person
	err := s.store.View(ctx, func(r storage.Reader) (err error) {
		person, err = r.PersonAt(a)
		return err
	})
	if err == nil && person.Name == name || err != nil && !errors.Is(err, storage.ErrNotFound) {
		return person, err
	}
	err = s.store.Update(ctx, func(w storage.Writer) (err error) {
		person, err = w.Meet(a, name)
		return err
	})
	return person, err
}

// Met reports whether there is a person with an identity.
func (s *Service) Met(ctx context.Context, a storage.Address) (bool, error) {
	err := s.store.View(ctx, func(r storage.Reader) error {
		_, err := r.PersonAt(a)
		return err
	})
	if errors.Is(err, storage.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// AtHome notes that a person can be told things at a place that he alone sees.
func (s *Service) AtHome(ctx context.Context, p storage.Person, place storage.PlaceID) error {
	if p.Home == place {
		return nil
	}
	return s.store.Update(ctx, func(w storage.Writer) error {
		was, err := w.Person(p.ID)
		if err != nil {
			return err
		}
		now := was
		now.Home = place
		now.Chats = distinct(append(chats(&was), place))
		return w.PutPerson(was, now)
	})
}

// Visit is the place at an address, where things can be said, in the server at another;
// the zero Address is no server.
func (s *Service) Visit(ctx context.Context, a, server storage.Address) (place storage.Place, in storage.Server, err error) {
	err = s.store.View(ctx, func(r storage.Reader) (err error) {
		place, in, err = visited(r, a)
		return err
	})
	if err == nil && place.Tried.IsZero() && in.Address == server || err != nil && !errors.Is(err, storage.ErrNotFound) {
		return place, in, err
	}
	err = s.store.Update(ctx, func(w storage.Writer) (err error) {
		if _, err = w.Visit(a, server); err != nil {
			return err
		}
		place, in, err = visited(w.Reader, a)
		return err
	})
	return place, in, err
}

// Known is the person with an identity, the place at an address and the server that this
// is in; the error is storage.ErrNotFound where one of the first two was never heard of.
func (s *Service) Known(ctx context.Context, a, at storage.Address) (who storage.Person, place storage.Place, in storage.Server, err error) {
	err = s.store.View(ctx, func(r storage.Reader) (err error) {
		if who, err = r.PersonAt(a); err != nil {
			return err
		}
		place, in, err = visited(r, at)
		return err
	})
	return who, place, in, err
}

func visited(r storage.Reader, a storage.Address) (place storage.Place, in storage.Server, err error) {
	if place, err = r.PlaceAt(a); err != nil || place.Server == 0 {
		return place, in, err
	}
	in, err = r.Server(place.Server)
	return place, in, err
}
