package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"chimera/bot/message"
	"chimera/bot/words"
)

// People sign in with the fragment of an address, which browsers do not send: the secret of a link that the
// bot gave them, or Telegram's signed data about who opens a Mini App. The page at the address removes the
// fragment and posts it; the answer sets a cookie, which no script can read. Asking for the page changes
// nothing, so that programs may look at links beforehand. Without scripts, people paste the link into the
// form. Each browser gets a cookie of its own, not the link's secret. Somebody who is signed in is asked
// before they become somebody else.

// signPath is where people sign in.
const signPath = "/in"

// signingPage is what they see there.
type signingPage struct {
	page
	Game uint64 // to which it leads, 0 for none
	Link string // that was shown, where they are asked whether they mean it
}

func gameAsked(r *http.Request) uint64 {
	n, _ := strconv.ParseUint(r.FormValue("game"), 10, 64)
	return n
}

// signing shows the page on which people sign in.
func (s *Site) signing(w http.ResponseWriter, r *http.Request) error {
	return s.signingWith(w, r, http.StatusOK, "")
}

// signingWith shows it with a sentence, "" for none.
func (s *Site) signingWith(w http.ResponseWriter, r *http.Request, status int, sentence string) error {
	p := signingPage{page: s.titled(r, "sign-in"), Game: gameAsked(r)}
	if sentence != "" {
		p.Notes = []message.Message{{Text: words.Text{{Words: book.Say(sentence).Text(p.Language)}}}}
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
	words, err := url.ParseQuery(shown)
	framed := err == nil && words.Has("tgWebAppData")
	var who message.Account
	var mark, secret string
	var ok bool
	switch {
	case !framed:
		var m message.Incoming
		m, ok, err = s.bot.Visitor(r.Context(), shown)
		who = m.From
	case s.auth.telegram != nil:
		who, mark, ok = s.auth.telegram(words.Get("tgWebAppData"))
	}
	from := g.from
	if ok {
		from = who.Address.Platform + " " + who.Address.ID
	}
	if !s.auth.may("sign "+from, signRate, signBurst) {
		s.refuse(w, r, http.StatusTooManyRequests, "too-many")
		return nil
	}
	if ok && s.asks(r, g, who) {
		title := s.titled(r, "sign-in-as", "name", who.Name, "old", g.message.From.Name)
		return show(w, http.StatusOK, "sign-sure", signingPage{page: title, Game: gameAsked(r), Link: shown})
	}
	switch {
	case ok && framed:
		secret, ok, err = s.bot.SignIn(r.Context(), who, mark)
	case ok:
		secret, ok, err = s.bot.SignInBy(r.Context(), shown)
	}
	switch {
	case err != nil:
		return err
	case !ok && framed:
		return s.signingWith(w, r, http.StatusForbidden, "bad-word")
	case !ok:
		return s.signingWith(w, r, http.StatusForbidden, "bad-link")
	}
	return s.signedIn(w, r, secret, framed)
}

// asks reports whether the visitor is signed in as somebody else, and has not said that they mean to
// change that.
func (s *Site) asks(r *http.Request, g guest, who message.Account) bool {
	if !g.known || r.PostFormValue("sure") != "" {
		return false
	}
	now, _ := s.bot.Asker(r.Context(), g.message)
	then, _ := s.bot.Asker(r.Context(), message.Incoming{From: who})
	return now.Me.ID != then.Me.ID || now.Me.ID == 0
}

// signedIn sets the cookie in the place of those that there were, and leads on to the game.
func (s *Site) signedIn(w http.ResponseWriter, r *http.Request, secret string, framed bool) error {
	if err := s.leave(w, r); err != nil {
		return err
	}
	http.SetCookie(w, s.auth.signed(secret, framed))
	if g, _ := r.Context().Value(guestKey{}).(guest); g.ended || r.PostFormValue("sure") != "" { // somebody else was here
		forget(w)
	}
	to := "/"
	if game := gameAsked(r); game != 0 {
		to = "/game/" + strconv.FormatUint(game, 10) // which leads on, if they may see it
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
	return nil
}

// leave ends the sessions of the browser's cookies.
func (s *Site) leave(w http.ResponseWriter, r *http.Request) error {
	for _, framed := range []bool{true, false} {
		c, err := r.Cookie(s.auth.cookie(framed))
		if err != nil {
			continue
		}
		if err := s.bot.Users.EndSession(r.Context(), c.Value); err != nil {
			return err
		}
	}
	s.dropCookies(w, r)
	return nil
}

// dropCookies removes the cookies by which the browser was signed in.
func (s *Site) dropCookies(w http.ResponseWriter, r *http.Request) {
	for _, framed := range []bool{true, false} {
		if _, err := r.Cookie(s.auth.cookie(framed)); err == nil {
			over := s.auth.signed("", framed)
			over.MaxAge = -1
			http.SetCookie(w, over)
		}
	}
}

// signOut signs the browser out.
func (s *Site) signOut(w http.ResponseWriter, r *http.Request) error {
	if err := s.leave(w, r); err != nil {
		return err
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// cookie is the name of the session's cookie; Telegram's frame has its own. Over https, no other host can
// set it.
func (a *auth) cookie(framed bool) string {
	name := "chimera"
	if framed {
		name += "-telegram"
	}
	if a.secure() {
		name = "__Host-" + name
	}
	return name
}

// cookieFor is how long a browser keeps the cookie at most; its session may end before.
const cookieFor = 30 * 24 * time.Hour

// signed is the cookie with a secret. It is sent when somebody follows a link from another site, but not
// with other requests of that site; in Telegram's frame it is sent with all requests, and only there.
func (a *auth) signed(secret string, framed bool) *http.Cookie {
	c := &http.Cookie{
		Name: a.cookie(framed), Value: secret, Path: "/", MaxAge: int(cookieFor.Seconds()),
		HttpOnly: true, Secure: a.secure(), SameSite: http.SameSiteLaxMode,
	}
	if framed && a.secure() {
		c.SameSite, c.Partitioned = http.SameSiteNoneMode, true
	}
	return c
}

// mayFrame is who may show a page in a frame: Telegram the page on which people sign in, and those that
// they see from there.
func (s *Site) mayFrame(r *http.Request) string {
	if s.auth == nil || s.auth.telegram == nil {
		return "'none'"
	}
	if _, err := r.Cookie(s.auth.cookie(true)); err == nil || r.URL.Path == signPath {
		return "https://web.telegram.org"
	}
	return "'none'"
}
