package adapter

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"chimera/bot/outbox"
	"chimera/bot/words"
	"chimera/storage"
)

// State is what an adapter keeps beyond its process, by name: the messages it sent, the last one it saw,
// and so on. Each kind of name has its own lifetime, see limit.Ends. It is safe for concurrent use.
type State struct {
	store    *storage.Store
	platform string
	log      *slog.Logger

	writing sync.RWMutex // held for writing while values that were put soon are stored
	mu      sync.Mutex
	soon    map[string][]byte // values to store
	now     map[string][]byte // those being stored now
}

// NewState is the state of a platform's adapter.
func NewState(store *storage.Store, platform string, log *slog.Logger) *State {
	return &State{store: store, platform: platform, log: log, soon: map[string][]byte{}}
}

// Get is what was put under a name, "" if nothing. An error is logged.
func (s *State) Get(ctx context.Context, name string) string { return s.GetAll(ctx, name)[0] }

// GetAll is Get of several names, in one read.
func (s *State) GetAll(ctx context.Context, names ...string) []string {
	values, err := s.load(ctx, names)
	if err != nil {
		s.log.ErrorContext(ctx, s.platform+": memory not read", "err", err)
	}
	return values
}

// Set puts something under a name; "" forgets it. An error is logged.
func (s *State) Set(ctx context.Context, name, value string) {
	s.SetAll(ctx, map[string]string{name: value})
}

// SetAll is Set of several, all or none.
func (s *State) SetAll(ctx context.Context, values map[string]string) {
	all := map[string][]byte{}
	for name, value := range values {
		all[name] = append([]byte(nil), value...) // nil for ""
	}
	if err := s.PutAll(ctx, all); err != nil && !errors.Is(err, storage.ErrNotSaved) { // that is logged once for all
		s.log.ErrorContext(ctx, s.platform+": memory not written", "err", err)
	}
}

// Load is Get that returns an error.
func (s *State) Load(ctx context.Context, name string) (string, error) {
	values, err := s.load(ctx, []string{name})
	return values[0], err
}

func (s *State) load(ctx context.Context, names []string) ([]string, error) {
	all, unknown := make([]string, len(names)), map[int]string{}
	s.mu.Lock()
	for i, name := range names {
		found, known := s.soon[name]
		if !known {
			found, known = s.now[name]
		}
		if all[i] = string(found); !known {
			unknown[i] = name
		}
	}
	s.mu.Unlock()
	if len(unknown) == 0 {
		return all, nil
	}
	err := s.store.View(ctx, func(r storage.Reader) (fault error) {
		for i, name := range unknown {
			value, err := r.State(s.platform, name)
			all[i], fault = string(value), errors.Join(fault, err)
		}
		return fault
	})
	return all, err
}

// Names are the names with a prefix under which something was put, in order.
func (s *State) Names(ctx context.Context, prefix string) ([]string, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) ([]string, error) { return r.StateNames(s.platform, prefix) })
}

// Put remembers bytes under a name, at most storage.MaxState; nil forgets them.
func (s *State) Put(ctx context.Context, name string, value []byte) error {
	return s.PutAll(ctx, map[string][]byte{name: value})
}

// PutAll puts several values, all or none. Putting a value again renews its lifetime; while that is long
// enough, nothing is written.
func (s *State) PutAll(ctx context.Context, values map[string][]byte) error {
	s.writing.RLock()
	defer s.writing.RUnlock()
	s.mu.Lock()
	for name := range values {
		delete(s.soon, name)
	}
	s.mu.Unlock()
	return s.write(ctx, "", values)
}

// PutAbout puts bytes that are about an account, which are forgotten with its person. If nobody has that
// account, they are forgotten at once.
func (s *State) PutAbout(ctx context.Context, account, name string, value []byte) error {
	return s.write(ctx, account, map[string][]byte{name: value})
}

// write stores values, about an account unless that is "", if they are not stored yet.
func (s *State) write(ctx context.Context, account string, values map[string][]byte) error {
	each := func(r storage.Reader, do func(storage.State) error) error {
		var forgotten error
		if account != "" {
			_, forgotten = r.PersonAt(storage.Address{Platform: s.platform, ID: account})
		}
		if forgotten != nil && !errors.Is(forgotten, storage.ErrNotFound) {
			return forgotten
		}
		for name, value := range values {
			state := storage.State{Platform: s.platform, Name: name, Value: value, About: account}
			if forgotten != nil {
				state.Value, state.About = nil, ""
			}
			if err := do(state); err != nil {
				return err
			}
		}
		return nil
	}
	known := true
	err := s.store.View(ctx, func(r storage.Reader) error {
		return each(r, func(state storage.State) (err error) {
			if known {
				known, err = r.HasState(state)
			}
			return err
		})
	})
	if known || err != nil {
		return err
	}
	return s.store.Update(ctx, func(w storage.Writer) error { return each(w.Reader, w.PutState) })
}

// putSoon is how long a value that is put soon may wait in memory.
const putSoon = 3 * time.Second

// PutSoon is Put of what may be lost if the program is killed within a few seconds: it is stored together
// with everything else that is put soon in the meantime.
func (s *State) PutSoon(name string, value []byte) { s.PutAllSoon(map[string][]byte{name: value}) }

// PutAllSoon is PutSoon of several.
func (s *State) PutAllSoon(values map[string][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.putSoon(values)
}

func (s *State) putSoon(values map[string][]byte) {
	if len(s.soon) == 0 && len(values) > 0 {
		time.AfterFunc(putSoon, func() { _ = s.Flush(context.Background()) }) // what cannot be saved is tried again
	}
	maps.Copy(s.soon, values)
}

// Overtake notes values that somebody else is storing, so that older values that were put soon do not
// overwrite them.
func (s *State) Overtake(values map[string][]byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, value := range values {
		_, waits := s.soon[name]
		if _, leaves := s.now[name]; waits || leaves {
			s.putSoon(map[string][]byte{name: value})
		}
	}
}

// Once does something about a thing, unless it was the same last time under this name.
func (s *State) Once(ctx context.Context, name string, thing any, do func() error) error {
	text, err := json.Marshal(thing)
	if err != nil {
		return err
	}
	now := s.Digest(text)
	before, err := s.Load(ctx, name)
	if err != nil || before == now {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	return s.Put(ctx, name, []byte(now))
}

// CallRoll takes people who have left out of leagues and off ladders, as absent does, once a day until the context is
// done: platforms do not announce all departures, and none to a program that is down.
func (s *State) CallRoll(ctx context.Context, absent func() error) {
	for ctx.Err() == nil {
		if err := s.Once(ctx, "roll", time.Now().UTC().Format(time.DateOnly), absent); err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, s.platform+": who has left is not known", "err", err)
		}
		_ = Pause(ctx, time.Hour)
	}
}

// Digest is a hash that tells things apart without storing them.
func (s *State) Digest(thing []byte) string {
	sum := sha256.Sum256(thing)
	return hex.EncodeToString(sum[:])
}

// Flush stores what was put soon. If that fails, it is tried again later.
func (s *State) Flush(ctx context.Context) (err error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.Lock()
	values := s.soon
	s.soon, s.now = map[string][]byte{}, values
	s.mu.Unlock()
	const few = 12 // of the longest values, which grow by a third when stored
	for names := range slices.Chunk(slices.Collect(maps.Keys(values)), few) {
		some := map[string][]byte{}
		for _, name := range names {
			some[name] = values[name]
		}
		err = errors.Join(err, s.write(ctx, "", some))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = nil
	if errors.Is(err, storage.ErrNotSaved) {
		newer := s.soon
		s.soon = map[string][]byte{}
		s.putSoon(values)
		maps.Copy(s.soon, newer)
	}
	return err
}

// pressKey begins the names of stored presses.
const pressKey = "press/"

// Pack is the data of a button: its press or, if that is longer than the bytes a button may carry, the
// name under which it is stored.
func (s *State) Pack(ctx context.Context, press string, most int) string {
	if len(press) <= most {
		return press
	}
	name := pressKey + s.Digest([]byte(press))[:32]
	s.Set(ctx, name, press)
	return name
}

// Unpack is the press that belongs to the data of a button. If it is no longer stored, it is a press
// that the bot answers by saying that the button is too old.
func (s *State) Unpack(ctx context.Context, data string) string {
	if !strings.HasPrefix(data, pressKey) {
		return data
	}
	return cmp.Or(s.Get(ctx, data), "gone")
}

// The ledger is the part of the State that says which message shows which game, and which buttons are
// still to be removed. limit.Ends says how long its entries last.
const (
	kindGame   = "message" // of a message: the game that it shows; 0 for a lesson or a puzzle
	kindBoards = "board"   // of a game at a place: the last board, and messages that lead on from it
	kindOffers = "offers"  // of a game at a place: messages that ask to join it or to agree to something
)

// Ref is where a message is.
type Ref struct {
	Channel string // "" where the place tells
	ID      string
}

// Offer is a message whose buttons answer a challenge, a draw offer or a takeback request.
type Offer struct {
	Ref
	About string // what is asked; "" if an earlier version stored it
}

// spelled is a Ref as it is stored.
func (r Ref) spelled() string {
	return words.Either(r.Channel == "", r.ID, r.Channel+"/"+r.ID)
}

func refOf(text string) Ref {
	channel, id, ok := strings.Cut(text, "/")
	return words.Either(ok, Ref{channel, id}, Ref{ID: text})
}

// gameKey names what is stored of a game at a place.
func gameKey(kind, place string, game storage.GameID) string {
	return fmt.Sprintf("%s/%s/%d", kind, place, game)
}

// Shows is the receipt of a message that shows a game, or for 0 a lesson or a puzzle.
func Shows(channel, message string, game storage.GameID) outbox.Receipt {
	return outbox.Receipt{kindGame + "/" + channel + "/" + message: fmt.Append(nil, uint64(game))}
}

// GameOf is the game that a message shows, 0 if none; exercise reports that it shows a lesson or a puzzle instead.
func (s *State) GameOf(ctx context.Context, channel, message string) (game storage.GameID, exercise bool) {
	n, err := strconv.ParseUint(s.Get(ctx, kindGame+"/"+channel+"/"+message), 10, 64)
	return storage.GameID(n), n == 0 && err == nil
}

// Boards are the messages at a place whose buttons lead to a move in a game, the last board first.
func (s *State) Boards(ctx context.Context, place string, game storage.GameID) []Ref {
	return refsOf(s.Get(ctx, gameKey(kindBoards, place, game)))
}

func refsOf(texts string) (all []Ref) {
	for text := range strings.FieldsSeq(texts) {
		all = append(all, refOf(text))
	}
	return all
}

// Offers are the messages at a place that still ask something about a game.
func (s *State) Offers(ctx context.Context, place string, game storage.GameID) []Offer {
	return offersOf(s.Get(ctx, gameKey(kindOffers, place, game)))
}

func offersOf(texts string) (all []Offer) {
	for text := range strings.FieldsSeq(texts) {
		ref, about, _ := strings.Cut(text, "=")
		about, _ = url.QueryUnescape(about) // what is asked has two words
		all = append(all, Offer{refOf(ref), about})
	}
	return all
}

// Shown are the Boards and the Offers, in one read.
func (s *State) Shown(ctx context.Context, place string, game storage.GameID) ([]Ref, []Offer) {
	known := s.GetAll(ctx, gameKey(kindBoards, place, game), gameKey(kindOffers, place, game))
	return refsOf(known[0]), offersOf(known[1])
}

// Posted adds to a receipt that a message has buttons that lead to a move in a game. before are the
// game's Boards so far; board says that the message is its new board, rather than one that leads on
// from it. It returns the messages whose buttons are stale now.
func (s *State) Posted(receipt outbox.Receipt, place string, game storage.GameID, at Ref, board bool, before []Ref) (stale []Ref) {
	key := gameKey(kindBoards, place, game)
	if board {
		receipt[key] = []byte(at.spelled())
		return before
	}
	for _, r := range before {
		receipt[key] = append(receipt[key], r.spelled()+" "...)
	}
	receipt[key] = append(receipt[key], at.spelled()...)
	return nil
}

// SetOffers adds to a receipt which messages at a place still ask something about a game.
func (s *State) SetOffers(receipt outbox.Receipt, place string, game storage.GameID, open []Offer) {
	var text []byte
	for _, o := range open {
		text = fmt.Append(text, o.spelled(), "=", url.QueryEscape(o.About), " ")
	}
	receipt[gameKey(kindOffers, place, game)] = text
}
