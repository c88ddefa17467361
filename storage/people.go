package storage

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"math/bits"
	"slices"
	"strings"
	"time"
	"unicode"

	"chimera/storage/kv"
)

// Address names a person or a place on a platform, by that platform's id.
type Address struct {
	Platform string // "console", "discord", "telegram"
	ID       string
}

func (a Address) parts() []any { return []any{a.Platform, a.ID} }

// Person is somebody who plays, or has been challenged.
type Person struct {
	ID         PersonID
	Name       string     // as last seen; any text that a platform allows
	Identities []Address  // empty for somebody who was forgotten
	Locale     string     `json:",omitempty"` // their language, as their platform last said
	Settings   Settings   `json:",omitzero"`
	Vacation   Vacation   `json:",omitzero"`
	Home       PlaceID    `json:",omitempty"` // where they are told things in private; 0 if nowhere
	Chats      []PlaceID  `json:",omitempty"` // where they have been told things in private, including Home
	Blocked    []PersonID `json:",omitempty"` // people from whom they want no challenges
	Link       string     `json:",omitempty"` // code of their offer to merge with another account
	Joined     []Joined   `json:",omitempty"` // those Identities that were merged in, and who they were before
	Into       PersonID   `json:",omitempty"` // the person that this one was merged into; they have no identity then
	Links      int        `json:",omitempty"` // merges since Linked
	Linked     time.Time  `json:",omitzero"`
	Guesses    int        `json:",omitempty"` // wrong codes since Guessed
	Guessed    time.Time  `json:",omitzero"`
	Studies    Studies    `json:",omitzero"`
	Training   Training   `json:",omitzero"`
	Forget     time.Time  `json:",omitzero"` // when they asked to be forgotten, which needs a confirmation
}

// Joined is an account that was merged into a person, and whose it was before.
type Joined struct {
	Account Address
	As      PersonID
}

// On is a person's account on a platform; false if they have none.
func (p *Person) On(platform string) (account string, ok bool) {
	for _, a := range p.Identities {
		if a.Platform == platform {
			return a.ID, true
		}
	}
	return "", false
}

// Settings are what a person has chosen; the zero Settings are the defaults.
type Settings struct {
	Reminders string `json:",omitempty"` // which ones, in package match's format; "" for all
	Quiet     string `json:",omitempty"` // hours of the day, in package match's format; "" for none
	Zone      string `json:",omitempty"` // IANA name; "" for UTC
	Claim     bool   `json:",omitempty"` // wins on time are claimed at once
	Stay      bool   `json:",omitempty"` // no vacation begins automatically
	Unranked  bool   `json:",omitempty"` // they are on no leaderboard
	Taps      bool   `json:",omitempty"` // a move is played as soon as its button is pressed
	Chat      bool   `json:",omitempty"` // they chat with opponents who want that too
	Silent    bool   `json:",omitempty"` // the computer's characters do not talk
	Look             // of private boards; empty fields default to the server's
	Language  string `json:",omitempty"` // ISO 639 code for private messages; "" for that of the Locale
}

// Look is how pictures are wanted: names of a theme and a size, the style of pieces, whether boards name players, where
// ranks and files are, and whether words say it too. The zero Look is the default.
type Look struct {
	Theme, Pieces, Size, Bars, Coords string `json:",omitempty"`
	Words                             bool   `json:",omitempty"`
}

// Else is a Look with its empty fields taken from another.
func (l Look) Else(o Look) Look {
	return Look{cmp.Or(l.Theme, o.Theme), cmp.Or(l.Pieces, o.Pieces), cmp.Or(l.Size, o.Size), cmp.Or(l.Bars, o.Bars), cmp.Or(l.Coords, o.Coords), l.Words || o.Words}
}

// Studies are a person's progress in the games' courses.
type Studies struct {
	Done   map[string]int `json:",omitempty"` // lessons done, from the first, by the key of the game
	Game   string         `json:",omitempty"` // of the lesson they looked at last; "" if none
	Lesson int            `json:",omitempty"` // its number, from 0
	Solved bool           `json:",omitempty"` // it was answered
	Tries  int            `json:",omitempty"` // wrong answers to it
	Helped bool           `json:",omitempty"` // a hint was given
	Place  PlaceID        `json:",omitempty"` // where it was shown
	At     time.Time      `json:",omitzero"`  // when
}

// Vacation is the time in which a person's clocks are stopped. Its moments are on the running clock.
type Vacation struct {
	Since time.Time // zero: there is none
	Until time.Time
	Auto  bool          // began automatically, and ends with the next move
	Year  int           // to which Used belongs
	Used  time.Duration // before Since

	Ended  time.Time `json:",omitzero"`  // when the last one did
	RanOut bool      `json:",omitempty"` // it began automatically, and was used up
}

// Away reports whether a person is on vacation.
func (p *Person) Away() bool { return !p.Vacation.Since.IsZero() }

// unlisted reports whether a person stands on no leaderboard.
func (p *Person) unlisted() bool { return p.Settings.Unranked || p.Into != 0 }

// Unlisted are the people who stand on no leaderboard, in order of number.
func (r Reader) Unlisted() ([]PersonID, error) { return numbers[PersonID](r, Key("unlisted/")) }

func (p *Person) replaced(w Writer, was *Person) error {
	if was.unlisted() == p.unlisted() {
		return nil
	}
	return w.RemakeBoards()
}

// BlockedBy are the people who want no challenges from a person, in order of number.
func (r Reader) BlockedBy(p PersonID) ([]PersonID, error) {
	return numbers[PersonID](r, Key("blocked/", p))
}

// HiddenBy are the servers that show a person on no leaderboard, in order of number.
func (r Reader) HiddenBy(p PersonID) ([]ServerID, error) {
	return numbers[ServerID](r, Key("hidden/", p))
}

// PersonIDs are the numbers of all people, in order.
func (r Reader) PersonIDs() ([]PersonID, error) { return numbers[PersonID](r, Key("person/")) }

// PersonNow is a person, or the one they were merged into; the zero Person for 0.
func (r Reader) PersonNow(id PersonID) (p Person, err error) {
	for seen := map[PersonID]bool{}; id != 0 && !seen[id] && err == nil; id = p.Into {
		seen[id] = true // a damaged record may form a cycle
		p, err = r.People().Get(id)
	}
	return p, err
}

func (p *Person) loaded([]byte) bool {
	p.Name = SafeName(p.Name)
	return true
}

// PersonAt is the person with an account, or ErrNotFound.
func (r Reader) PersonAt(a Address) (Person, error) {
	id, err := r.pointer(Key(identities, a))
	if err != nil {
		return Person{}, err
	}
	return r.People().Get(PersonID(id))
}

func (r Reader) pointer(key []byte) (uint64, error) {
	value, err := r.kv.Get(key)
	if id := End(value); id != 0 || err != nil {
		return id, err
	}
	return 0, ErrNotFound
}

// Meet is the person with an account, who is made if new, and renamed if the name has changed.
func (w Writer) Meet(a Address, name string) (Person, error) {
	name = SafeName(name)
	p, err := w.PersonAt(a)
	switch {
	case err == nil && p.Name == name:
		return p, nil
	case err == nil:
		p.Name = name
		return p, w.People().Put(p)
	case !errors.Is(err, ErrNotFound):
		return p, err
	}
	id, err := next[PersonID](w, OfPerson)
	if err != nil {
		return p, err
	}
	p = Person{ID: id, Name: name, Identities: []Address{a}}
	return p, w.People().Put(p)
}

// NameOf is what a person is called, Nobody if that cannot be read.
func (r Reader) NameOf(id PersonID) (string, error) {
	p, err := r.People().Find(id)
	return cmp.Or(p.Name, Nobody), err
}

// AllChats are all private places of a person, present and past.
func (p *Person) AllChats() []PlaceID {
	all := slices.Clone(p.Chats)
	if p.Home != 0 && !slices.Contains(all, p.Home) {
		all = append(all, p.Home)
	}
	return all
}

// maxName is how many letters of a name are kept.
const maxName = 40

// Nobody is the name of somebody whose name is lost, or who was forgotten.
const Nobody = "somebody"

// SafeName makes a name safe within a sentence on any platform: it is no mention, command or address, does not change
// the direction of text, and is one line of visible characters.
func SafeName(name string) string {
	seen := strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case c == '@', c == unicode.ReplacementChar, !unicode.IsGraphic(c), unicode.In(c, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point), c == '\u2800':
			return -1
		case c == '/':
			return '∕'
		}
		return c
	}, strings.ToValidUTF8(name, ""))
	safe := []rune(strings.Join(strings.Fields(seen), " "))
	if len(safe) > maxName {
		safe = append([]rune(strings.TrimSpace(string(safe[:maxName-1]))), '…')
	}
	for i := range safe {
		if safe[i] == '.' && i+1 < len(safe) && safe[i+1] != ' ' {
			safe[i] = '․' // otherwise "example.com" would be a link
		}
	}
	return cmp.Or(string(safe), Nobody)
}

// Training is somebody's record with puzzles.
type Training struct {
	Standing Standing         `json:",omitzero"`  // wins are puzzles that were solved at once
	Seen     Bits             `json:",omitempty"` // puzzles that were shown
	Found    Bits             `json:",omitempty"` // puzzles that were solved
	Tried                     // the puzzle they looked at last; its Game is "" if none
	Day      Tried            `json:",omitzero"`  // the puzzle of the day, if they looked at it since
	Left     map[string]Tried `json:",omitempty"` // unsolved puzzles that may still count, by the key of the game
	Theme    string           `json:",omitempty"` // the theme asked for; "" for any
	Place    PlaceID          `json:",omitempty"` // where the puzzle was shown
	At       time.Time        `json:",omitzero"`  // when
}

// Tried is somebody's progress with a puzzle.
type Tried struct {
	Game    string `json:",omitempty"`
	Number  int    `json:",omitempty"` // from 0
	Turn    int    `json:",omitempty"` // moves found
	Counted bool   `json:",omitempty"` // it has changed their Standing, or will not
	Helped  int    `json:",omitempty"` // how often they asked for help with its next move
	Solved  bool   `json:",omitempty"`
	Hinted  bool   `json:",omitempty"` // they got help with it
	Missed  string `json:",omitempty"` // how its moves were found, as in [Solver.Marks]; "" if not noted
}

// Waits is the puzzle of a game that is still to be solved; false if there is none.
func (t *Training) Waits(game string) (Tried, bool) {
	if t.Game == game && !t.Solved {
		return t.Tried, true
	}
	left, waits := t.Left[game]
	return left, waits
}

// Turns switches to a puzzle of a game. The previous one is kept if it may still count; this one does not count, unless
// it was kept.
func (t *Training) Turns(game string, number int) {
	if t.Game == game && t.Number == number {
		return
	}
	next := Tried{Game: game, Number: number, Counted: true}
	if left := t.Left[game]; left.Game != "" && left.Number == number {
		next = left
		delete(t.Left, game)
	}
	if t.Game != "" && !t.Counted && !t.Solved {
		if t.Left == nil {
			t.Left = map[string]Tried{}
		}
		t.Left[t.Game] = t.Tried
	}
	t.Tried = next
}

// Bits are sets of puzzles, one bit for each, by the key of the game.
type Bits map[string][]byte

// Has reports whether a puzzle of a game is in the set.
func (b Bits) Has(game string, number int) bool {
	of := b[game]
	return number/8 < len(of) && of[number/8]>>(number%8)&1 != 0
}

// Count is the number of puzzles of a game in the set.
func (b Bits) Count(game string) (n int) {
	for _, eight := range b[game] {
		n += bits.OnesCount8(eight)
	}
	return n
}

// Mark adds a puzzle of a game to the set, or removes it.
func (b *Bits) Mark(game string, number int, is bool) {
	if *b == nil {
		*b = Bits{}
	}
	of := (*b)[game]
	for len(of) <= number/8 {
		of = append(of, 0)
	}
	bit := byte(1) << (number % 8)
	if of[number/8] &^= bit; is {
		of[number/8] |= bit
	}
	(*b)[game] = of
}

func (b *Bits) join(other Bits) {
	for game, of := range other {
		for number := range 8 * len(of) {
			if other.Has(game, number) {
				b.Mark(game, number, true)
			}
		}
	}
}

// Join merges the training of two accounts of one person. The Standing is that with more puzzles, which is more
// certain.
func (t Training) Join(other Training) Training {
	if t.Standing.Games() < other.Standing.Games() {
		t.Standing = other.Standing
	}
	t.Seen.join(other.Seen)
	t.Found.join(other.Found)
	return t
}

// Session is a signed-in browser: whoever knows its secret acts as the person on pages, until it ends. The secret
// itself is not stored.
type Session struct {
	Hash   []byte // SHA-256 of the secret
	Person PersonID
	Ends   time.Time
}

// sessionsOf begins the index keys of a person's sessions.
const sessionsOf = "passof/"

func (p *Session) index() (x Index) {
	x.Add(Key(sessionsOf, p.Person, p.Hash))
	return x
}

// SessionsOf are a person's sessions, in no particular order.
func (r Reader) SessionsOf(p PersonID) ([]Session, error) {
	prefix := Key(sessionsOf, p)
	return r.Sessions().All(collect(r.kv.Scan(kv.Prefix(prefix)), 0, func(item kv.Item) ([]byte, bool) { return item.Key[len(prefix):], true }))
}

// DropSessions removes all sessions of a person.
func (w Writer) DropSessions(p PersonID) error {
	all, err := w.SessionsOf(p)
	for _, session := range all {
		err = errors.Join(err, w.Sessions().Delete(session.Hash))
	}
	return err
}

// Secret is a key shared by all processes with this database, and known to nobody else. It is made at the first call.
func (s *Store) Secret(ctx context.Context) ([]byte, error) {
	const size = 32
	read := func(r Reader) (key []byte, err error) {
		err = get(r.kv, Key("meta/secret"), &key)
		return key, err
	}
	key, err := Read(ctx, s, read)
	if !errors.Is(err, ErrNotFound) {
		return key, err
	}
	err = s.Update(ctx, func(w Writer) error {
		if key, err = read(w.Reader); !errors.Is(err, ErrNotFound) {
			return err // another process was first
		}
		key = make([]byte, size)
		_, _ = rand.Read(key) // never fails
		return Put(w.out, Key("meta/secret"), key)
	})
	return key, err
}

// Place is a room in which games are played.
type Place struct {
	ID       PlaceID
	Address  Address   // no ID if it was forgotten
	Server   ServerID  `json:",omitempty"` // to which it belongs; 0 for a private chat
	Gone     time.Time `json:",omitzero"`  // since when nothing can be said there; zero if it can
	Tried    time.Time `json:",omitzero"`  // when that was last found out; zero if it may be tried again at once
	LossTold time.Time `json:",omitzero"`  // when its players were last told that it is gone
	Owner    PersonID  `json:",omitempty"` // the only person who sees it; 0 if others see it too, or not known
}

// Server is a community: a Discord server, or a Telegram group.
type Server struct {
	ID       ServerID
	Address  Address
	Locale   string         `json:",omitempty"` // its language on the platform, else that of whoever was met there first
	Settings ServerSettings `json:",omitzero"`
	Into     ServerID       `json:",omitempty"` // the server that has taken this one over, which then exists no more
}

// Hides reports whether the server shows a person on no leaderboard.
func (s *Server) Hides(p PersonID) bool { return slices.Contains(s.Settings.Hidden, p) }

// LeavesOut reports whether the server's leaderboards leave out a game.
func (s *Server) LeavesOut(g GameID) bool { return slices.Contains(s.Settings.Annulled, g) }

// ServerSettings are what a server's managers have chosen; the zero ServerSettings are
// the defaults.
type ServerSettings struct {
	Look
	Private         bool       `json:",omitempty"` // only its members see its games, not everyone who opens pages
	Turning, Motion bool       `json:",omitempty"` // shared boards turn to the player to move; some moves are shown as animations
	Game            string     `json:",omitempty"` // of challenges that name none
	Days            int        `json:",omitempty"` // likewise
	Hidden          []PersonID `json:",omitempty"` // people left out of its leaderboards
	Annulled        []GameID   `json:",omitempty"` // games that its leaderboards leave out
	Threads         string     `json:",omitempty"` // "off": games are played in the channel
	Rooms           []string   `json:",omitempty"` // ids of the channels in which games may be begun; none for all
	Season          Season     `json:",omitzero"`
	Puzzles         Puzzles    `json:",omitzero"`
	Zone            string     `json:",omitempty"` // IANA name of the time zone of times shown there; "" for UTC
	Language        string     `json:",omitempty"` // ISO 639 code of its language; "" for that of the Locale
}

func (s *Server) into() (ServerID, bool) { return s.Into, s.Into != 0 }

// ServerAt is the server at an address, or at the one it has moved to; or ErrNotFound.
func (r Reader) ServerAt(a Address) (Server, error) { return at(r.Servers(), serverAt, a) }

func (s *Server) replaced(w Writer, was *Server) error {
	if s.Into == 0 && slices.Equal(was.Settings.Hidden, s.Settings.Hidden) && slices.Equal(was.Settings.Annulled, s.Settings.Annulled) {
		return nil
	}
	return w.RemakeBoards()
}

// TakeIn merges a server into another, which gets its games and leagues, and its ladders where it has none.
func (w Writer) TakeIn(s Server, into ServerID) error {
	leagues, err := w.LeaguesIn(s.ID)
	for _, l := range leagues {
		l.Server = into
		err = errors.Join(err, w.Leagues().Put(l))
	}
	ladders, err2 := w.LaddersIn(s.ID)
	for _, l := range ladders {
		there, err3 := w.LadderOf(into, l.Variant)
		if l.Server = into; len(there.Rungs) == 0 {
			err3 = errors.Join(err3, w.Ladders().Put(l))
		}
		err = errors.Join(err, err3)
	}
	return errors.Join(err, err2, w.Servers().Put(Server{ID: s.ID, Into: into}))
}

// Became is the address that an address has moved to; itself if to none.
func (r Reader) Became(a Address) (Address, error) {
	for {
		var to Address
		if moved, err := find(r.kv, Key("moved/", a), &to); !moved {
			return a, err
		}
		a = to
	}
}

// Move gives the place and the server of one address to another, unless that has its own.
func (w Writer) Move(from, to Address) error {
	// The target moves no further, so that there is no cycle.
	return errors.Join(w.out.Delete(Key("moved/", to)), Put(w.out, Key("moved/", from), to))
}

// at is the record that a kind of key leads to, for an address or the one it has moved to.
func at[K ~uint64, V any](t Table[K, V], kind string, a Address) (v V, err error) {
	id, err := t.r.pointer(Key(kind, a))
	if errors.Is(err, ErrNotFound) {
		a, err = t.r.Became(a)
		if err == nil {
			id, err = t.r.pointer(Key(kind, a))
		}
	}
	if err != nil {
		return v, err
	}
	return t.Get(K(id))
}

// PlacesIn are the places of a server.
func (r Reader) PlacesIn(s ServerID) ([]Place, error) {
	return r.Places().All(numbers[PlaceID](r, Key("in/", s)))
}

// PlaceAt is the place at an address, or at the one it has moved to; or ErrNotFound.
func (r Reader) PlaceAt(a Address) (Place, error) { return at(r.Places(), addresses, a) }

// replaced moves the challenges of the place to its server.
func (p *Place) replaced(w Writer, was *Place) error {
	if was.Server == p.Server {
		return nil
	}
	all, err := w.Challenges().All(w.ToldAt(p.ID))
	for _, c := range all {
		if c.Place == p.ID {
			err = errors.Join(err, w.Challenges().Put(c))
		}
	}
	return err
}

// ForgetPlace forgets the address of a place where nothing can be said any more: games may still refer to its number.
func (w Writer) ForgetPlace(p Place, at time.Time) error {
	if p.Address.ID == "" {
		return nil
	}
	p.Address.ID, p.Gone, p.Tried = "", at, at
	return w.Places().Put(p)
}

// Visit is the place at an address, in the server at another; both are made if new. The zero Address is no server. If
// nothing could be said there, it may be tried again at once.
func (w Writer) Visit(a, server Address) (Place, error) {
	p, err := w.PlaceAt(a)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return p, err
	}
	was := p
	if p.ID == 0 {
		if p.ID, err = next[PlaceID](w, OfPlace); err != nil {
			return p, err
		}
		if p.Address, err = w.Became(a); err != nil {
			return p, err
		}
	}
	if p.Server, err = w.join(server); err != nil {
		return p, err
	}
	p.Tried = time.Time{}
	if p == was {
		return p, nil
	}
	return p, w.Places().Put(p)
}

// join is the number of the server at an address.
func (w Writer) join(a Address) (ServerID, error) {
	if a == (Address{}) {
		return 0, nil
	}
	s, err := w.ServerAt(a)
	if !errors.Is(err, ErrNotFound) {
		return s.ID, err
	}
	if a, err = w.Became(a); err != nil {
		return 0, err
	}
	id, err := next[ServerID](w, OfServer)
	if err != nil {
		return 0, err
	}
	return id, w.Servers().Put(Server{ID: id, Address: a})
}
