package web

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"net/http"
	"strconv"
	"strings"

	"chimera/bot/event"
	"chimera/bot/message"
	"chimera/storage"
)

// addresses hides the numbers of games and people behind ten letters, from which nobody without the key can
// tell how many there are, or what follows. They are the digits of two halves of a number; in each of four
// rounds one half is moved on by a keyed hash of the other.
type addresses struct{ key []byte }

const (
	letters = "bcdfghjklmnpqrstvwxyz" // they form no words
	digits  = 5                       // of a half
	half    = 21 * 21 * 21 * 21 * 21
	rounds  = 4
)

// kinds of what has an address.
const (
	ofGames  = "game"
	ofPeople = "people"
)

// code is a number as it stands in addresses.
func (a addresses) code(kind string, n uint64) string {
	high, low := n/half%half, n%half
	for round := range rounds {
		high, low = low, (high+a.turn(kind, round, low))%half
	}
	var text [2 * digits]byte
	for i := range digits {
		text[i], text[digits+i] = letters[high%uint64(len(letters))], letters[low%uint64(len(letters))]
		high, low = high/uint64(len(letters)), low/uint64(len(letters))
	}
	return string(text[:])
}

// number is that of a code; false if nothing has it.
func (a addresses) number(kind, code string) (n uint64, ok bool) {
	if len(code) != 2*digits {
		return 0, false
	}
	var high, low uint64
	for i := digits - 1; i >= 0; i-- {
		h, l := strings.IndexByte(letters, code[i]), strings.IndexByte(letters, code[digits+i])
		if h < 0 || l < 0 {
			return 0, false
		}
		high, low = high*uint64(len(letters))+uint64(h), low*uint64(len(letters))+uint64(l) //nolint:gosec // they are places in a text
	}
	for round := rounds - 1; round >= 0; round-- {
		high, low = (low+half-a.turn(kind, round, high))%half, high
	}
	return high*half + low, true
}

// turn is by how much one half moves the other.
func (a addresses) turn(kind string, round int, by uint64) uint64 {
	return binary.BigEndian.Uint64(a.sum(kind, string(rune('0'+round)), strconv.FormatUint(by, 10))) % half
}

// sum is a hash of texts that nobody without the key can compute.
func (a addresses) sum(texts ...string) []byte {
	h := hmac.New(sha256.New, a.key)
	_, _ = h.Write([]byte(strings.Join(texts, " "))) // never fails
	return h.Sum(nil)
}

// GamePath is the path of a game's page.
func (a addresses) GamePath(id storage.GameID) string { return "/game/" + a.code(ofGames, uint64(id)) }

// PersonPath is the path of somebody's page.
func (a addresses) PersonPath(id storage.PersonID) string {
	return "/people/" + a.code(ofPeople, uint64(id))
}

// named is the number in an address, whether it stands there itself or as a code; false if there is none.
// Sentences have no room for larger ones.
func (a addresses) named(kind string, r *http.Request) (n uint64, coded, ok bool) {
	if n, ok = a.number(kind, r.PathValue("id")); ok {
		return n, true, n != 0
	}
	n, err := strconv.ParseUint(r.PathValue("id"), 10, 63)
	return n, false, err == nil && n != 0
}

// gameHandler answers a request that is about a game.
type gameHandler func(http.ResponseWriter, *http.Request, storage.GameID) error

// ofGame lets a handler answer at what belongs to a game. The game's number, as chats write it, leads on whoever
// may see the game; to others it is as if there were none.
func (s *Site) ofGame(handle gameHandler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		n, coded, ok := s.named(ofGames, r)
		id := storage.GameID(n)
		if !ok && strings.HasSuffix(r.URL.Path, "/"+r.PathValue("id")) {
			return errMissing
		}
		if !ok {
			return errNoFile
		}
		if !coded {
			m, _ := s.visitor(r)
			if _, err := s.bot.Revision(r.Context(), m, id); err == nil {
				return leadOn(w, r, s.GamePath(id))
			}
		}
		return handle(w, r, id)
	}
}

// hides reports whether an address has the code of no game, or of one that the visitor may not see: nothing that
// is said there tells the number.
func (s *Site) hides(r *http.Request, m message.Incoming) bool {
	n, coded, _ := s.named(ofGames, r)
	_, err := s.bot.Revision(r.Context(), m, storage.GameID(n))
	return coded && event.IsRefused(err, event.NoSuchGame)
}

// leadOn sends a request that has a number in its path to the same with a code.
func leadOn(w http.ResponseWriter, r *http.Request, path string) error {
	_, rest, _ := strings.Cut(r.URL.Path, r.PathValue("id"))
	w.Header().Set("Cache-Control", "no-store")
	to := *r.URL
	to.Path = path + rest
	http.Redirect(w, r, to.RequestURI(), http.StatusTemporaryRedirect)
	return nil
}
