package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"chimera/bot"
)

// People sign in by what stands behind the # of an address, which browsers send to nobody: the secret
// of a link that the bot gave them, or Telegram's word on who opens a Mini App. The page at the address
// takes it out of there and posts it; the answer has it as a cookie, which no script can read. Asking
// for the page does nothing, so that whoever looks at links beforehand may. Without scripts people put
// the link into the form themselves.

// signPage is where people sign in.
type signPage struct {
	page
	Game uint64 // to which it leads, 0 for none
}

func gameAsked(r *http.Request) uint64 {
	n, _ := strconv.ParseUint(r.FormValue("game"), 10, 64)
	return n
}

// signing shows the page on which people sign in.
func (s *Site) signing(w http.ResponseWriter, r *http.Request) {
	s.signingWith(w, r, http.StatusOK, "")
}

// signingWith shows it with a sentence, "" for none.
func (s *Site) signingWith(w http.ResponseWriter, r *http.Request, status int, sentence string) {
	p := signPage{page: s.pageFor(r), Game: gameAsked(r)}
	p.Title = book.Say("sign-in").Text(p.Language)
	if sentence != "" {
		p.Notes = []said{{Text: markup(bot.Text{{Words: book.Say(sentence).Text(p.Language)}})}}
	}
	s.show(w, r, status, "sign", p)
}

// signIn gives whoever shows who they are a cookie that says so.
func (s *Site) signIn(w http.ResponseWriter, r *http.Request) {
	if !s.door.may("sign "+source(r), signRate, signBurst) {
		s.refuse(w, r, http.StatusTooManyRequests, "too-many")
		return
	}
	shown := strings.TrimSpace(r.PostFormValue("link"))
	if _, behind, whole := strings.Cut(shown, "#"); whole {
		shown = behind
	}
	if words, err := url.ParseQuery(shown); err == nil && words.Has("tgWebAppData") {
		s.signInBy(w, r, words.Get("tgWebAppData"))
		return
	}
	switch _, known, err := s.bot.Visitor(r.Context(), shown); {
	case err != nil:
		s.fail(w, r, err)
	case !known:
		s.signingWith(w, r, http.StatusForbidden, "bad-link")
	default:
		s.signedIn(w, r, shown, false)
	}
}

// signInBy does it by Telegram's word, which is good once.
func (s *Site) signInBy(w http.ResponseWriter, r *http.Request, initData string) {
	p, mark, ok := bot.Person{}, "", false
	if s.door.telegram != nil {
		p, mark, ok = s.door.telegram(initData)
	}
	secret := ""
	if ok {
		var err error
		if secret, ok, err = s.bot.SignIn(r.Context(), p, mark); err != nil {
			s.fail(w, r, err)
			return
		}
	}
	if !ok {
		s.signingWith(w, r, http.StatusForbidden, "bad-word")
		return
	}
	s.signedIn(w, r, secret, true)
}

// signedIn sets the cookie, and leads on to the game.
func (s *Site) signedIn(w http.ResponseWriter, r *http.Request, secret string, framed bool) {
	http.SetCookie(w, s.door.signed(secret, framed))
	to := "/"
	if game := gameAsked(r); game != 0 {
		to = "/game/" + strconv.FormatUint(game, 10)
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// signOut ends what the browser's cookies have said.
func (s *Site) signOut(w http.ResponseWriter, r *http.Request) {
	for _, framed := range []bool{true, false} {
		c, err := r.Cookie(s.door.cookie(framed))
		if err != nil {
			continue
		}
		if err := s.bot.Passes.End(r.Context(), c.Value); err != nil {
			s.fail(w, r, err)
			return
		}
		over := s.door.signed("", framed)
		over.MaxAge = -1
		http.SetCookie(w, over)
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// cookie is the name of the cookie that says who somebody is; framed is that of Telegram's frame. No
// other host can set it where that cannot be read on the way.
func (d *door) cookie(framed bool) string {
	name := "chimera"
	if framed {
		name += "-telegram"
	}
	if d.secure() {
		name = "__Host-" + name
	}
	return name
}

// cookieFor is how long a browser keeps it at most: what it says may end before.
const cookieFor = 30 * 24 * time.Hour

// signed is the cookie with a secret. It comes along when somebody follows a link to a page from
// elsewhere, but with nothing that elsewhere does; in Telegram's frame with all that is done there,
// and there alone.
func (d *door) signed(secret string, framed bool) *http.Cookie {
	c := &http.Cookie{
		Name: d.cookie(framed), Value: secret, Path: "/", MaxAge: int(cookieFor.Seconds()),
		HttpOnly: true, Secure: d.secure(), SameSite: http.SameSiteLaxMode,
	}
	if framed && d.secure() {
		c.SameSite, c.Partitioned = http.SameSiteNoneMode, true
	}
	return c
}

// mayFrame is who may show a page within one of theirs: Telegram those on which it signs people in, and
// those that they see from there.
func (s *Site) mayFrame(r *http.Request) string {
	if s.door == nil || s.door.telegram == nil {
		return "'none'"
	}
	if _, err := r.Cookie(s.door.cookie(true)); err == nil || r.URL.Path == "/in" {
		return "https://web.telegram.org"
	}
	return "'none'"
}
