package web

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Reader reads Telegram's signed data about who opens a Mini App: the person, and a mark that recognizes the same data
// if it is shown again; false if the signature is wrong or too old.
type Reader func(initData string) (who message.Account, mark string, ok bool)

// Activity asks Discord about the people to whom it shows the pages in a frame.
type Activity interface {
	// Application is the pages' application ID, "" if it is not known yet.
	Application(ctx context.Context) string

	// SignIn is the person who got a code in an instance of the pages, and the game that they came for, 0 for none.
	// link is the custom ID in the address that they followed, or "". ok is false if they are not in that instance.
	SignIn(ctx context.Context, code, instance, link string) (who message.Account, game storage.GameID, ok bool)
}

// auth tells who requests are from where people sign in, and limits how much each may ask for.
type auth struct {
	url      string // of the pages, without a slash at its end
	telegram Reader
	discord  Activity
	proxies  []netip.Prefix                    // whose X-Forwarded-For is believed
	unnamed  atomic.Pointer[netip.Addr]        // the last other sender of X-Forwarded-For
	asked    *lru.Cache[string, *rate.Limiter] // what is left, by person and by address
	callers  callers
}

// How many requests are allowed at once, and each second after that. It is many, as a list of games asks for a picture
// of each. Several people may share an address, so those who are signed in count each for themself.
const (
	personBurst, personRate     = 300, 10
	strangerBurst, strangerRate = 60, 2   // all who are not signed in, by address
	signPageBurst, signPageRate = 600, 20 // likewise, on the page where people sign in
	signBurst, signRate         = 20, 0.2 // to sign in: by person or, if the proof is bad, by address

	// askersKept is for how many people and addresses this is remembered. Others start afresh.
	askersKept = 8192
)

// host is the host in the pages' address.
func (a *auth) host() string {
	_, host, _ := strings.Cut(a.url, "://")
	return host
}

// secure reports whether the pages are served over https.
func (a *auth) secure() bool { return strings.HasPrefix(a.url, "https://") }

// may counts a request of somebody; false if they have none left.
func (a *auth) may(who string, each rate.Limit, burst int) bool {
	left := rate.NewLimiter(each, burst)
	if before, known, _ := a.asked.PeekOrAdd(who, left); known {
		left = before
	}
	a.asked.Get(who) // this makes them the last to be forgotten
	return left.Allow()
}

// guest is the person a request is from.
type guest struct {
	message message.Incoming
	known   bool
	unmet   bool   // the bot knows nothing of them yet
	ended   bool   // they were signed in, but no longer are
	who     string // the person or, for a stranger, the address
	from    string // their address
}

type guestKey struct{}

// admitted finds out who requests are from, and refuses those of people who ask too often.
func (s *Site) admitted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g, err := s.identify(r)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		g.from = s.source(r)
		each, burst := rate.Limit(personRate), personBurst
		switch {
		case g.known:
		case r.URL.Path == signPath:
			g.who, each, burst = "signing "+g.from, signPageRate, signPageBurst
		default:
			g.who, each, burst = "stranger "+g.from, strangerRate, strangerBurst
		}
		if !s.auth.may(g.who, each, burst) {
			s.refuse(w, r, http.StatusTooManyRequests, "too-many")
			return
		}
		if g.unmet && r.Method == http.MethodPost && !slices.Contains([]string{signPath, "/out", "/language"}, r.URL.Path) {
			if g.message, err = s.meet(w, r, g.message.From); err != nil {
				s.fail(w, r, err)
				return
			}
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), guestKey{}, g)))
	})
}

// identify finds out by its cookies who a request is from; those of frames come first.
func (s *Site) identify(r *http.Request) (guest, error) {
	ended := false
	for _, secret := range s.auth.cookies(r) {
		if who, ok := s.unmet(secret); ok {
			met, err := s.bot.Users.Met(r.Context(), who.Address)
			if err != nil {
				return guest{}, err
			}
			if !met {
				m := message.Incoming{Place: storage.Address{Platform: platform, ID: "new " + who.Address.ID}, From: who, Alone: true, Outside: true, Picks: true}
				return guest{message: m, known: true, unmet: true, who: "person " + who.Address.Platform + " " + who.Address.ID}, nil
			}
			ended = true // those the bot has met have sessions, which they can end
			continue
		}
		m, known, err := s.bot.Visitor(r.Context(), secret)
		if err != nil {
			return guest{}, err
		}
		if known {
			return guest{message: m, known: true, who: "person " + m.From.Address.Platform + " " + m.From.Address.ID}, nil
		}
		ended = true
	}
	return guest{message: s.bot.Stranger(language(r)), ended: ended}, nil
}

// lasts reports whether the visitor is still signed in, or had no session when they made the request.
func (s *Site) lasts(r *http.Request) bool {
	if before, _ := r.Context().Value(guestKey{}).(guest); !before.known || before.unmet {
		return true
	}
	now, err := s.identify(r)
	return err == nil && now.known
}

// source is where a request comes from, as limits count it. Proxies that are configured are believed when they say for
// whom they ask; the first other one that says so is logged.
func (s *Site) source(r *http.Request) string {
	at := peer(r.RemoteAddr)
	forwarded := r.Header.Values("X-Forwarded-For")
	if from := at; len(forwarded) > 0 && !s.auth.trusts(from) && s.auth.unnamed.Swap(&from) == nil {
		s.log.WarnContext(r.Context(), "web: "+s.Unnamed())
	}
	for _, said := range slices.Backward(strings.Split(strings.Join(forwarded, ","), ",")) {
		before, err := netip.ParseAddr(strings.TrimSpace(said))
		if err != nil || !s.auth.trusts(at) {
			break
		}
		at = before.Unmap()
	}
	return household(at)
}

// Unnamed tells which proxy that is not configured last sent X-Forwarded-For, and what to do; "" if none has.
func (s *Site) Unnamed() string {
	if at := s.auth.unnamed.Load(); at != nil {
		return fmt.Sprintf("X-Forwarded-For from %v is not believed, so all who come through it count as one: if that is your proxy, set CHIMERA_WEB_PROXIES=%[1]v", at)
	}
	return ""
}

// trusts reports whether an address is that of a configured proxy.
func (a *auth) trusts(at netip.Addr) bool {
	return slices.ContainsFunc(a.proxies, func(p netip.Prefix) bool { return p.Contains(at) })
}

// peer is the address of the other end of a connection.
func peer(address string) netip.Addr {
	at, _ := netip.ParseAddrPort(address)
	return at.Addr().Unmap().WithZone("")
}

// household is an IPv4 address, or the network of an IPv6 address, which belongs to one household.
func household(at netip.Addr) string {
	const bits = 64
	network, err := at.WithZone("").Prefix(bits)
	return words.Either(err == nil && at.Is6(), network.String(), at.String())
}

// callers counts the open connections.
type callers struct {
	mutex sync.Mutex
	all   int
	of    map[string]int                 // by address
	idle  *lru.Cache[net.Conn, struct{}] // the longest idle first
}

// How many connections there may be at once: in all, and from one address. The latter does not count for addresses that
// may be a proxy: configured ones, this machine and private networks.
const (
	maxCallers = 4096
	maxFromOne = 512
)

// connected counts connections. It closes a new one if its address has too many. If there are too many in all, it
// closes the one that has been idle for longest, which is the new one if all others are in use.
func (a *auth) connected(c net.Conn, state http.ConnState) {
	at := peer(c.RemoteAddr().String())
	from := household(at)
	a.callers.mutex.Lock()
	defer a.callers.mutex.Unlock()
	switch state {
	case http.StateNew:
		a.callers.all++
		a.callers.of[from]++
		near := a.trusts(at) || at.IsLoopback() || at.IsPrivate()
		a.callers.idle.Add(c, struct{}{})
		if a.callers.of[from] > maxFromOne && !near {
			_ = c.Close()
		} else if a.callers.all > maxCallers {
			longest, _, _ := a.callers.idle.RemoveOldest()
			_ = longest.Close()
		}
	case http.StateIdle:
		a.callers.idle.Add(c, struct{}{})
	case http.StateActive:
		a.callers.idle.Remove(c)
	case http.StateClosed, http.StateHijacked:
		a.callers.idle.Remove(c)
		a.callers.all--
		if a.callers.of[from]--; a.callers.of[from] == 0 {
			delete(a.callers.of, from)
		}
	}
}

// visitor is the author of a request, as a message without text; false for a stranger, who sees only what is public.
func (s *Site) visitor(r *http.Request) (message.Incoming, bool) {
	if s.here != nil {
		return s.here.message(r, words.Either(r.FormValue(asWhom) == s.here.seats[guestSeat].ID, guestSeat, hostSeat)), true
	}
	g, _ := r.Context().Value(guestKey{}).(guest)
	return g.message, g.known
}

// mover is the visitor or, at one screen, the guest beside them if a game waits for them.
func (s *Site) mover(r *http.Request, id storage.GameID) (message.Incoming, error) {
	m, _ := s.visitor(r)
	if s.here == nil || r.FormValue("as") != "" {
		return m, nil
	}
	turn, err := s.bot.Turn(r.Context(), id)
	if err == nil && turn.Mover == s.here.ids[guestSeat] && s.here.plays(turn) {
		m = s.here.message(r, guestSeat)
	}
	return m, err
}

// other is a message from the person who plays a game at this screen with the author of m; false if nobody does.
func (s *Site) other(r *http.Request, id storage.GameID, m message.Incoming) (message.Incoming, bool) {
	if s.here == nil || r.URL.Query().Has(asWhom) {
		return m, false
	}
	turn, err := s.bot.Turn(r.Context(), id)
	seat := words.Either(m.From.Address == s.here.seats[hostSeat], guestSeat, hostSeat)
	return s.here.message(r, seat), err == nil && s.here.plays(turn)
}

// boardView is a game as the mover sees it.
func (s *Site) boardView(r *http.Request, id storage.GameID, wanted bot.BoardOptions) (*bot.BoardView, message.Incoming, []message.Message, error) {
	m, err := s.mover(r, id)
	if err != nil {
		return nil, m, nil, err
	}
	if s.here != nil && r.FormValue(asWhom) == "" && m.From.Address == s.here.seats[guestSeat] {
		turn, err := s.bot.Turn(r.Context(), id)
		if err != nil {
			return nil, m, nil, err
		}
		wanted.Flip = wanted.Flip == turn.Turning // else the board stays as it is
	}
	view, notes, err := s.bot.BoardView(r.Context(), m, id, wanted)
	return view, m, notes, err
}

// maxKey is how long the key of a form may be.
const maxKey = 64

// once is a message id with which a form is carried out only once, however often it is sent; "" for a form without a
// key. No other message has the same id, neither of other people nor in the visitor's chats.
func once(r *http.Request, m message.Incoming) string {
	key := r.PostFormValue("key")
	return words.Either(key == "" || len(key) > maxKey, "", "page/"+m.From.Address.ID+"/"+key)
}

// local is the two people who sit at one screen.
type local struct {
	users *user.Users
	seats [2]storage.Address  // of host and guest
	ids   [2]storage.PersonID // likewise
	names sync.Map            // they have chosen, by seat; "" for none
}

func sitDown(ctx context.Context, b *bot.Bot) (*local, error) {
	l := &local{users: b.Users}
	for i, seat := range []string{"host", "guest"} {
		l.seats[i] = storage.Address{Platform: platform, ID: seat}
		known, _ := b.Asker(ctx, message.Incoming{From: message.Account{Address: l.seats[i]}})
		met, err := l.call(ctx, i, known.Me.Name)
		if err != nil {
			return nil, err
		}
		l.ids[i] = met.ID
	}
	return l, nil
}

// plays reports whether both who sit here play a game.
func (l *local) plays(t bot.Turn) bool {
	return t.Players == l.ids || t.Players == [2]storage.PersonID{l.ids[1], l.ids[0]}
}

// The seats.
const (
	hostSeat = iota
	guestSeat
)

// account is the person on a seat. Without a name, they are called by the seat, in the language of the request.
func (l *local) account(r *http.Request, seat int) message.Account {
	in, _ := phrase.Match(language(r))
	chosen, _ := l.names.Load(seat)
	return message.Account{Address: l.seats[seat], Name: cmp.Or(chosen.(string), book.Say(l.seats[seat].ID).Text(in)), Locale: string(in)}
}

// call gives the person on a seat a name; an empty one, or that of the seat in any language, removes it.
func (l *local) call(ctx context.Context, seat int, name string) (storage.Person, error) {
	of := book.Say(l.seats[seat].ID)
	if name = storage.SafeName(name); name == storage.Nobody || slices.ContainsFunc(phrase.Languages(), func(in phrase.Language) bool { return of.Text(in) == name }) {
		name = ""
	}
	l.names.Store(seat, name)
	return l.users.Meet(ctx, l.seats[seat], cmp.Or(name, of.Text(phrase.English)))
}

// message is a message from the person on a seat; nobody else sees the answer.
func (l *local) message(r *http.Request, seat int) message.Incoming {
	return message.Incoming{
		Place: storage.Address{Platform: platform, ID: "screen"}, Server: storage.Address{Platform: platform, ID: "screen"},
		From: l.account(r, seat), Manager: true, Alone: true, Picks: true,
		People: map[string]message.Account{"@guest": l.account(r, guestSeat)},
	}
}

// beginHere begins a game between the two who sit here, under the names that the form gives them.
func (s *Site) beginHere(r *http.Request, game, color string) ([]message.Message, error) {
	called := [2]string{strings.TrimSpace(r.PostFormValue("white")), strings.TrimSpace(r.PostFormValue("black"))}
	for side, name := range called {
		if name != "" {
			called[side] = storage.SafeName(name)
		}
	}
	if called[storage.Black] == s.here.account(r, hostSeat).Name {
		color = "black"
	}
	say := func(seat int, text ...string) []message.Message {
		m := s.here.message(r, seat)
		m.ID, m.Text = once(r, m), strings.Join(text, " ")
		notes, _ := s.bot.Handle(r.Context(), m) // an error has its note
		return notes
	}
	notes := say(hostSeat, "challenge @guest", game, cmp.Or(color, "white"), "0d unrated")
	if id := begun(notes); id != 0 {
		notes = say(guestSeat, "accept", words.Hash(id))
	}
	if id := begun(notes); id != 0 {
		return notes, s.bot.Match.Call(r.Context(), id, called, r.PostFormValue("turn") != "")
	}
	return notes, nil
}
