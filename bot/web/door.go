package web

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"chimera/bot"
)

// Reader reads Telegram's word on who opens a Mini App: about whom it is, and by what it is known if it is
// said again; false if it is not Telegram's, or too old.
type Reader func(initData string) (who bot.Person, mark string, ok bool)

// door is where people come in who sign in.
type door struct {
	url      string // by which they reach the pages, without a slash at its end
	telegram Reader
	asked    *lru.Cache[string, *rate.Limiter] // what they may still ask for, by person and by address
}

// How often pages are asked for: so many at once, and so many each second from then on. A list of all games
// that one person may play asks for a picture of each. Several people may come from one address.
const (
	personBurst, personRate   = 300, 10
	addressBurst, addressRate = 600, 20
	signBurst, signRate       = 20, 0.2 // likewise to sign in, from an address

	// askersKept is of how many people and addresses that is known: of others it begins anew.
	askersKept = 8192
)

func newDoor(url string, telegram Reader) (*door, error) {
	asked, err := lru.New[string, *rate.Limiter](askersKept)
	return &door{url, telegram, asked}, err
}

// host is that of the pages' address.
func (d *door) host() string {
	_, host, _ := strings.Cut(d.url, "://")
	return host
}

// secure reports whether nobody between people and pages can read along.
func (d *door) secure() bool { return strings.HasPrefix(d.url, "https://") }

// may takes from what somebody may ask for; false if there is nothing left of it.
func (d *door) may(who string, each rate.Limit, burst int) bool {
	left := rate.NewLimiter(each, burst)
	if before, known, _ := d.asked.PeekOrAdd(who, left); known {
		left = before
	}
	d.asked.Get(who) // they are known for longer than others
	return left.Allow()
}

// guest is whoever a request is from.
type guest struct {
	message bot.Message
	known   bool
	who     string // they, or for a stranger their address
}

type guestKey struct{}

// admitted lets those in who do not ask too often, and finds out who they are.
func (s *Site) admitted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address := "address " + source(r)
		if !s.door.may(address, addressRate, addressBurst) {
			s.refuse(w, r, http.StatusTooManyRequests, "too-many")
			return
		}
		g, err := s.identify(r)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		if !g.known {
			g.who = address
		}
		if g.known && !s.door.may(g.who, personRate, personBurst) {
			s.refuse(w, r, http.StatusTooManyRequests, "too-many")
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), guestKey{}, g)))
	})
}

// identify finds out by the cookies of a request who it is from.
func (s *Site) identify(r *http.Request) (guest, error) {
	for _, name := range []string{s.door.cookie(true), s.door.cookie(false)} {
		c, err := r.Cookie(name)
		if err != nil {
			continue
		}
		m, known, err := s.bot.Visitor(r.Context(), c.Value)
		if err != nil {
			return guest{}, err
		}
		if known {
			return guest{m, true, "person " + m.From.Address.Platform + " " + m.From.Address.ID}, nil
		}
	}
	return guest{message: s.bot.Stranger(language(r))}, nil
}

// lasts reports whether whoever was signed in when they made a request still is.
func (s *Site) lasts(r *http.Request) bool {
	before, _ := r.Context().Value(guestKey{}).(guest)
	if !before.known {
		return true
	}
	now, err := s.identify(r)
	return err == nil && now.known
}

// source is the address that a request comes from: an IP address, or the network that one household
// has of IPv6. A proxy beside the program or in its own network says for whom it asks.
func source(r *http.Request) string {
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	at, err := netip.ParseAddr(host)
	forwarded := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(forwarded) - 1; i >= 0 && err == nil && near(at); i-- {
		before, err := netip.ParseAddr(strings.TrimSpace(forwarded[i]))
		if err != nil {
			break
		}
		at = before
	}
	at = at.Unmap()
	const household = 64
	if at.Is6() {
		if network, err := at.WithZone("").Prefix(household); err == nil {
			return network.String()
		}
	}
	return at.String()
}

// near reports whether an address is of this machine, or of its own network.
func near(at netip.Addr) bool { return at.Unmap().IsLoopback() || at.Unmap().IsPrivate() }
