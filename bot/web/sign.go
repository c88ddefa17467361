package web

import (
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"chimera/bot/message"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/storage"
)

// People sign in with the fragment of an address, which browsers do not send: the secret of a link that the bot gave
// them, or Telegram's signed data about who opens a Mini App. The page removes the fragment and posts it; the answer
// sets a cookie that no script can read. A GET of the page changes nothing, so programs may preview links. Without
// scripts, people paste the link into the form. Each browser gets a cookie of its own, not the link's secret. Somebody
// who is signed in is asked before they become somebody else.
//
// In Discord's frame, the page gets a code from Discord (activity.js) and posts that. For somebody whom the bot has not
// met, the cookie itself says who they are; they are stored when they first do something.

// frame is where pages are shown: in a window of their own, or in a platform's frame.
type frame string

const (
	inWindow   frame = ""
	inTelegram frame = "telegram"
	inDiscord  frame = "discord"
)

var frames = []frame{inTelegram, inDiscord, inWindow} //nolint:gochecknoglobals // never written

// frameID is the parameter that Discord adds to the address of a page in its frame.
const frameID = "frame_id"

// ancestors are the sites that may show pages in each frame.
var ancestors = map[frame]string{ //nolint:gochecknoglobals // never written
	inTelegram: "https://web.telegram.org",
	inDiscord:  "https://discord.com https://*.discord.com https://*.discordsays.com",
}

// signPath is where people sign in.
const signPath = "/in"

// signingPage is the page on which people sign in.
type signingPage struct {
	page
	Game   uint64 // the game that it leads to, 0 for none
	Link   string // the proof to confirm, if they are signed in as somebody else
	Client string // the pages' application ID in Discord's frame, else ""
	Self   string // its address
}

func gameAsked(r *http.Request) uint64 {
	n, _ := strconv.ParseUint(r.FormValue("game"), 10, 64)
	return n
}

// signingWith shows the page on which people sign in.
func (s *Site) signingWith(w http.ResponseWriter, r *http.Request, status int, notes []message.Message) error {
	p := signingPage{page: s.titled(r, "sign-in"), Game: gameAsked(r), Self: r.URL.RequestURI()}
	p.Notes = notes
	if s.frameOf(r) == inDiscord {
		p.Client = s.auth.discord.Application(r.Context())
	}
	return show(w, status, "sign", p)
}

// signIn sets a cookie for somebody who proves who they are.
func (s *Site) signIn(w http.ResponseWriter, r *http.Request) error {
	g, _ := r.Context().Value(guestKey{}).(guest)
	shown := strings.TrimSpace(r.PostFormValue("link"))
	if _, behind, whole := strings.Cut(shown, "#"); whole {
		shown = behind
	}
	proof, err := url.ParseQuery(shown)
	f := inWindow
	var who message.Account
	var mark, secret string
	var ok bool
	game := storage.GameID(gameAsked(r))
	switch {
	case err == nil && proof.Has("tgWebAppData"):
		if f = inTelegram; s.auth.telegram != nil {
			who, mark, ok = s.auth.telegram(proof.Get("tgWebAppData"))
			said, _ := url.ParseQuery(proof.Get("tgWebAppData"))
			start, _ := strconv.ParseUint(strings.TrimPrefix(said.Get("start_param"), "g"), 10, 64) // 0 if the link leads to no game
			game = cmp.Or(storage.GameID(start), game)
		}
	case err == nil && proof.Has("discord_code"):
		if f = inDiscord; s.auth.discord != nil {
			mark = proof.Get("discord_code")
			who, game, ok = s.auth.discord.SignIn(r.Context(), mark, proof.Get("instance"), proof.Get("game"))
		}
	default:
		var m message.Incoming
		m, ok, err = s.bot.Visitor(r.Context(), shown)
		who = m.From
	}
	from := words.Either(ok, who.Address.Platform+" "+who.Address.ID, g.from)
	if (ok || f != inDiscord) && !s.auth.may("sign "+from, signRate, signBurst) { // many people share the addresses of Discord's proxies
		s.refuse(w, r, http.StatusTooManyRequests, "too-many")
		return nil
	}
	if ok && f != inDiscord && s.asks(r, g, who) {
		title := s.titled(r, "sign-in-as", "name", who.Name, "old", g.message.From.Name)
		return show(w, http.StatusOK, "sign-sure", signingPage{page: title, Game: gameAsked(r), Link: shown})
	}
	met := ok && f == inTelegram
	if ok && f == inDiscord {
		met, err = s.bot.Users.Met(r.Context(), who.Address)
		secret = s.pass(who)
	}
	switch {
	case err != nil:
	case met:
		secret, err = s.bot.SignIn(r.Context(), who, mark)
	case ok && f == inWindow:
		secret, err = s.bot.Users.AnotherSession(r.Context(), shown)
	}
	switch {
	case !ok && err == nil, storage.Missing(err), errors.Is(err, user.ErrShownBefore):
		no := book.Say(map[frame]string{inWindow: "bad-link", inTelegram: "bad-word", inDiscord: "bad-code"}[f]).Text(s.page(r).Language)
		return s.signingWith(w, r, http.StatusForbidden, []message.Message{{Text: words.Text{{Words: no}}}})
	case err != nil:
		return err
	}
	if err := s.leave(w, r); err != nil {
		return err
	}
	http.SetCookie(w, s.auth.signed(secret, f))
	if g.ended || r.PostFormValue("sure") != "" { // somebody else was here
		forget(w)
	}
	to := "/game/" + strconv.FormatUint(uint64(game), 10) // this redirects to its own address if they may see it
	return seeOther(w, r, words.Either(game == 0, "/", to))
}

// asks reports whether the visitor is signed in as somebody else, and has not confirmed that they want to change that.
func (s *Site) asks(r *http.Request, g guest, who message.Account) bool {
	if !g.known || r.PostFormValue("sure") != "" {
		return false
	}
	now, _ := s.bot.Asker(r.Context(), g.message)
	then, _ := s.bot.Asker(r.Context(), message.Incoming{From: who})
	return now.Me.ID != then.Me.ID || now.Me.ID == 0
}

// pass is the signed content of a cookie for somebody whom the bot has never met.
func (s *Site) pass(who message.Account) string {
	text, _ := json.Marshal(unmet{who, time.Now().Add(cookieFor)}) // this cannot fail
	said := base64.RawURLEncoding.EncodeToString(text)
	return unmetIs + said + "." + base64.RawURLEncoding.EncodeToString(s.sum(unmetIs, said))
}

// unmet is the data in a pass.
type unmet struct {
	Who  message.Account
	Ends time.Time
}

// unmetIs begins a pass.
const unmetIs = "new."

// unmet is the person that a pass is for; false if it is none, is forged or has expired.
func (s *Site) unmet(pass string) (message.Account, bool) {
	rest, is := strings.CutPrefix(pass, unmetIs)
	said, sum, _ := strings.Cut(rest, ".")
	signed, err := base64.RawURLEncoding.DecodeString(sum)
	if !is || err != nil || !hmac.Equal(signed, s.sum(unmetIs, said)) {
		return message.Account{}, false
	}
	var u unmet
	text, _ := base64.RawURLEncoding.DecodeString(said)
	err = json.Unmarshal(text, &u)
	return u.Who, err == nil && time.Now().Before(u.Ends)
}

// meet stores somebody who does something for the first time, and signs them in.
func (s *Site) meet(w http.ResponseWriter, r *http.Request, who message.Account) (message.Incoming, error) {
	secret, err := s.bot.SignIn(r.Context(), who, rand.Text())
	if err != nil {
		return message.Incoming{}, err
	}
	http.SetCookie(w, s.auth.signed(secret, inDiscord))
	m, _, err := s.bot.Visitor(r.Context(), secret)
	return m, err
}

// leave ends the sessions of the browser's cookies.
func (s *Site) leave(w http.ResponseWriter, r *http.Request) error {
	for _, secret := range s.auth.cookies(r) {
		if err := s.bot.Users.EndSession(r.Context(), secret); err != nil {
			return err
		}
	}
	s.dropCookies(w, r)
	return nil
}

// dropCookies removes the cookies by which the browser was signed in.
func (s *Site) dropCookies(w http.ResponseWriter, r *http.Request) {
	for f := range s.auth.cookies(r) {
		over := s.auth.signed("", f)
		over.MaxAge = -1
		http.SetCookie(w, over)
	}
}

// signOut signs the browser out.
func (s *Site) signOut(w http.ResponseWriter, r *http.Request) error {
	if err := s.leave(w, r); err != nil {
		return err
	}
	return seeOther(w, r, "/")
}

// cookie is the name of the session's cookie; each frame has its own. Over https, no other host can set it.
func (a *auth) cookie(f frame) string {
	name := "chimera"
	if f != inWindow {
		name += "-" + string(f)
	}
	if a.secure() {
		name = "__Host-" + name
	}
	return name
}

// cookies are the sessions' cookies in a request: their frames, and the secrets in them. Those of frames come first.
func (a *auth) cookies(r *http.Request) iter.Seq2[frame, string] {
	return func(yield func(frame, string) bool) {
		for _, f := range frames {
			if c, err := r.Cookie(a.cookie(f)); err == nil && !yield(f, c.Value) {
				return
			}
		}
	}
}

// cookieFor is how long a browser keeps the cookie at most; its session may end before.
const cookieFor = 30 * 24 * time.Hour

// signed is the cookie with a secret. It is sent when somebody follows a link from another site, but not
// with other requests of that site; in a frame it is sent with all requests, and only there.
func (a *auth) signed(secret string, f frame) *http.Cookie {
	c := &http.Cookie{
		Name: a.cookie(f), Value: secret, Path: "/", MaxAge: int(cookieFor.Seconds()),
		HttpOnly: true, Secure: a.secure(), SameSite: http.SameSiteLaxMode,
	}
	if f != inWindow && a.secure() {
		c.SameSite, c.Partitioned = http.SameSiteNoneMode, true
	}
	return c
}

// frameOf is where the visitor sees pages: Discord adds a parameter to the address, otherwise the cookie tells.
func (s *Site) frameOf(r *http.Request) frame {
	if s.auth == nil {
		return inWindow
	}
	if s.auth.discord != nil && r.URL.Query().Has(frameID) {
		return inDiscord
	}
	for f := range s.auth.cookies(r) {
		return f
	}
	return inWindow
}

// mayFrame are the sites that may show a page in a frame, for the Content-Security-Policy: a platform, if the visitor
// signs in there or is signed in there.
func (s *Site) mayFrame(r *http.Request) string {
	f := s.frameOf(r)
	if f == inWindow && r.URL.Path == signPath {
		f = inTelegram
	}
	if s.auth == nil || f == inWindow || f == inTelegram && s.auth.telegram == nil || f == inDiscord && s.auth.discord == nil {
		return "'none'"
	}
	return ancestors[f]
}
