package web

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules/phrase"
	"chimera/storage"
)

// startPage is where games begin.
type startPage struct {
	page
	Games  []bot.Course
	First  *bot.Course // the course whose next lesson is shown
	Learns bool        // the visitor has done lessons
	Task   [2]string   // of that lesson
	Today  struct {    // the puzzle of the day
		Game, Asks, Picture string
		Row                 int // days in a row on which the visitor has solved it
		Over, Solved        bool
	}
	Going []bot.AgendaLine // games in progress, the most urgent first
	More  int              // how many others are in progress
}

// mostGoing is how many games in progress the page on which games begin shows.
const mostGoing = 4

func (s *Site) start(w http.ResponseWriter, r *http.Request) error {
	if s.frameOf(r) == inDiscord && r.URL.Query().Has(frameID) {
		return seeOther(w, r, signPath+"?"+r.URL.RawQuery)
	}
	return s.startWith(w, r, http.StatusOK, nil)
}

func (s *Site) startWith(w http.ResponseWriter, r *http.Request, status int, notes []message.Message) (err error) {
	p := startPage{page: s.page(r)}
	p.Title, p.Notes = "Chimera", notes
	if p.Games, err = s.bot.Courses(r.Context(), p.asker.Msg); err != nil {
		return err
	}
	p.Learns = slices.ContainsFunc(p.Games, func(c bot.Course) bool { return c.Done > 0 })
	first := slices.IndexFunc(p.Games, func(c bot.Course) bool { return c.Done > 0 && c.Done < c.All })
	if first < 0 {
		first = slices.IndexFunc(p.Games, func(c bot.Course) bool { return c.Key != "chess" && c.Done < c.All }) // first a game that differs from chess
	}
	p.First = &p.Games[max(first, 0)]
	message.SetLook(&p.First.Board, p.Boards)
	p.Task = lastApart(s.bot.Games.Variant(p.First.Key).Course[p.First.Next-1].Task().Text(p.Language))
	day := s.bot.Training.Today()
	today := s.bot.Training.OfDay(day)
	p.Today.Game, p.Today.Picture = s.bot.Games.Variant(today.Game()).Title().Text(p.Language), today.Game()+"/"+strconv.Itoa(today.Number())
	p.Today.Asks = today.Asks().In(p.Language).Plain()
	found, err := s.bot.Training.OnDay(r.Context(), p.asker.Me.ID, day)
	if err != nil {
		return err
	}
	p.Today.Row, p.Today.Over, p.Today.Solved = found.Row(day), found.Over(), found.Last == day
	if p.Signed {
		agenda, err := s.bot.Agenda(r.Context(), p.asker.Msg)
		if err != nil {
			return err
		}
		p.Going = append(agenda.Mine, agenda.Theirs...)
		begun := func(l bot.AgendaLine) bool { return len(l.Item.Game.Moves) > 0 || l.Item.Game.Runs() } // others are perhaps not played
		slices.SortStableFunc(p.Going, func(a, b bot.AgendaLine) int { return match.First(begun(a), begun(b)) })
		p.More = max(0, len(p.Going)-mostGoing)
		p.Going = p.Going[:len(p.Going)-p.More]
	}
	return show(w, status, "start", p)
}

// playPage asks for the opponent and terms of a new game.
type playPage struct {
	page
	bot.Course
	Games  []bot.Course    // the games that two at one screen can choose
	Levels []phrase.Phrase // from the lowest
	Level  int             // the one chosen at first
	Faces  []option
	Called string // the visitor's name
}

func (s *Site) play(w http.ResponseWriter, r *http.Request) (err error) {
	p := playPage{page: s.page(r), Levels: words.Levels()}
	if p.Games, err = s.bot.Courses(r.Context(), p.asker.Msg); err != nil {
		return err
	}
	i := slices.IndexFunc(p.Games, func(c bot.Course) bool { return c.Key == r.PathValue("game") })
	if i < 0 {
		return bot.ErrNothing
	}
	p.Course = p.Games[i]
	p.Title = p.Name
	if p.Level, err = s.bot.Games.MyLevel(r.Context(), p.asker.Me.ID, p.Key); err != nil {
		return err
	}
	p.Level = max(p.Level, 0)
	p.Faces = phrase.Each(match.Faces(s.bot.Games.Variant(p.Key)), func(key string) option { return option{key, words.Called(key).Text(p.Language)} })
	if n, err := strconv.Atoi(r.FormValue("level")); err == nil {
		p.Level = n
	}
	p.Called = p.asker.Msg.From.Name
	return show(w, http.StatusOK, "play", p)
}

// begin begins a game.
func (s *Site) begin(w http.ResponseWriter, r *http.Request) (err error) {
	word := func(name string) string { return strings.Join(strings.Fields(r.PostFormValue(name)), "") }
	var notes []message.Message
	if against := word("against"); s.here != nil && against == s.here.seats[guestSeat].ID {
		if notes, err = s.beginHere(r, word("game"), word("color")); err != nil {
			return err
		}
	} else {
		m, _ := s.visitor(r)
		m.ID, m.Once, m.Text = once(r, m), true, strings.Join([]string{"play", word("game"), against, word("color"), word("face")}, " ")
		notes, _ = s.bot.Handle(r.Context(), m) // an error has its note
	}
	id := begun(notes)
	if id == 0 {
		return s.startWith(w, r, http.StatusUnprocessableEntity, notes)
	}
	return seeOther(w, r, s.GamePath(id))
}

// languageCookie remembers the language that strangers and people at one screen have chosen, and lookCookie whether the
// browser shows pages "dark" or "light" rather than as its system does.
const languageCookie, lookCookie = "language", "look"

// remember has a browser remember a choice.
func (s *Site) remember(w http.ResponseWriter, name, value string) {
	const kept = 400 * 24 * time.Hour
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: int(kept.Seconds()),
		HttpOnly: true, Secure: s.auth != nil && s.auth.secure(), SameSite: http.SameSiteLaxMode,
	})
}

// speak changes the language of the pages for the visitor, and leads back to the page where they were.
func (s *Site) speak(w http.ResponseWriter, r *http.Request) error {
	l, ok := phrase.Match(r.PostFormValue("language"))
	if !ok {
		return bot.ErrNothing
	}
	m, known := s.visitor(r)
	chosen, askers := string(l), []message.Incoming{m}
	if !known || s.here != nil {
		s.remember(w, languageCookie, chosen)
		chosen = "auto"
	}
	if s.here != nil {
		askers = []message.Incoming{s.here.message(r, hostSeat), s.here.message(r, guestSeat)}
	}
	for _, m := range words.If(known, askers...) {
		m.Text = "settings language " + chosen
		_, _ = s.bot.Handle(r.Context(), m) // the page shows the result
	}
	to, err := url.Parse(r.PostFormValue("to"))
	if err != nil || to.Host != "" || to.Scheme != "" || !strings.HasPrefix(to.Path, "/") {
		to = &url.URL{Path: "/"}
	}
	return seeOther(w, r, to.RequestURI())
}

// shown draws what is special in a game, or where it is learned, as [bot.Bot.Shown] does.
func (s *Site) shown(w http.ResponseWriter, r *http.Request) error {
	theme, ok := diagram.ParseTheme(r.PathValue("theme"))
	if !ok {
		return bot.ErrNothing
	}
	look := storage.Look{Theme: theme.String(), Pieces: r.FormValue("pieces"), Coords: cmp.Or(r.FormValue("coords"), "off")}
	picture, err := s.bot.Shown(r.PathValue("game"), r.PathValue("what"), look)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	_, _ = w.Write(picture) // an error means that the visitor has gone
	return nil
}

// begun is the game of the first answer that reports success, or 0.
func begun(notes []message.Message) storage.GameID {
	for _, n := range notes {
		if n.Ack {
			return n.About
		}
	}
	return 0
}

// gamesPage is the visitor's games and challenges.
type gamesPage struct {
	page
	*bot.Agenda
	Ended *bot.Archive // the last games
}

// gamesWith shows the visitor's games together with the answers to what they did there.
func (s *Site) gamesWith(w http.ResponseWriter, r *http.Request, status int, notes []message.Message) error {
	p := gamesPage{page: s.titled(r, "games-title")}
	p.Notes = notes
	var err, err2 error
	p.Agenda, err = s.bot.Agenda(r.Context(), p.asker.Msg)
	if p.Ended, err2 = s.lastOf(r, p.asker, p.asker.Me.ID); err != nil || err2 != nil {
		return cmp.Or(err, err2)
	}
	return show(w, status, "games", p)
}

// lastOf are somebody's last ended games, as far as the visitor may see them.
func (s *Site) lastOf(r *http.Request, visitor bot.Request, id storage.PersonID) (*bot.Archive, error) {
	return s.bot.FindGames(r.Context(), visitor.Msg, bot.ArchiveAsked{Of: id, Result: "over", HowMany: 6, LookedThru: archiveSearched})
}

// thumbnail draws the board of a game as the visitor sees it. Its address names the revision of the game,
// so that it can be kept.
func (s *Site) thumbnail(w http.ResponseWriter, r *http.Request, id storage.GameID) error {
	m, _ := s.visitor(r)
	n, err := s.bot.Thumbnail(r.Context(), m, id)
	if err != nil {
		return err
	}
	d := *n.Board
	d.Bars, d.Coords = nil, diagram.NoCoords
	return sendDrawing(w, "private, max-age=86400", d, render.Small, s.bot.Language(r.Context(), m))
}

// settingsPage is the visitor's settings.
type settingsPage struct {
	page
	Parts  []settingsPart
	Links  bool   // people sign in with links
	Called string // the visitor's name, which can be changed at one screen
}

// settingsPart is settings under a heading.
type settingsPart struct {
	Key      string
	Settings []bot.Choosable
}

type option struct{ Value, Name string }

// The settings in the page's groups. At one screen, only the first three are shown, since there are no chats.
var settingParts = []struct { //nolint:gochecknoglobals // never written
	key   string
	names []string
}{
	{"settings-boards", []string{user.SetTheme, user.SetPieces, user.SetCoords, user.SetBars}},
	{"settings-play", []string{user.SetBanter, user.SetBoards}},
	{"settings-you", []string{user.SetLanguage, user.SetTimezone}},
	{"settings-told", []string{user.SetReminders, user.SetQuiet, user.SetClaim, user.SetVacation}},
	{"settings-chats", []string{user.SetConfirm, user.SetChat, user.SetSize, user.SetWords}},
}

// settingsWith shows the visitor's settings together with the answers to what they have chosen.
func (s *Site) settingsWith(w http.ResponseWriter, r *http.Request, status int, notes []message.Message) error {
	p := settingsPage{page: s.titled(r, "settings"), Links: s.auth != nil}
	p.Notes, p.Called = notes, p.asker.Msg.From.Name
	all := s.bot.Settings(r.Context(), p.asker.Msg, false)
	for _, part := range words.Either(s.here == nil, settingParts, settingParts[:3]) {
		shown := settingsPart{Key: part.key}
		for _, name := range part.names {
			i := slices.IndexFunc(all, func(c bot.Choosable) bool { return c.Name == name })
			if i < 0 {
				continue
			}
			c := all[i]
			if typed := chosen(r)(name); typed != "" && status != http.StatusOK { // what was not understood can be corrected
				c.Value = typed
			}
			if name == user.SetLanguage && s.here != nil {
				c.Value = cmp.Or(spoken(r), c.Value)
			}
			shown.Settings = append(shown.Settings, c)
		}
		p.Parts = append(p.Parts, shown)
	}
	return show(w, status, "settings", p)
}

// optionsOf are the values of a setting by their names.
func optionsOf(c bot.Choosable, l phrase.Language) (all []option) {
	values := c.Values
	if len(values) > 0 && !slices.Contains(values, c.Value) {
		values = append([]string{c.Value}, values...)
	}
	for _, value := range values {
		name := value
		if slices.Contains(phrase.Languages(), phrase.Language(value)) {
			name = book.Say("its-name").Text(phrase.Language(value))
		}
		if key := "value-" + value; book.Has(key) {
			name = book.Say(key).Text(l)
		} else if from, to, hours := strings.Cut(value, "-"); hours {
			name = from + ":00 – " + to + ":00"
		}
		all = append(all, option{value, name})
	}
	return all
}

// chosen gives a form's value for a setting by its name. If there are several, they are ticked boxes, and the last one,
// the value for none, is left out.
func chosen(r *http.Request) func(name string) string {
	return func(name string) string {
		all := r.PostForm[name]
		return strings.Join(all[:max(min(len(all), 1), len(all)-1)], ",")
	}
}

// choose carries out a form of settings.
func (s *Site) choose(w http.ResponseWriter, r *http.Request) error {
	m, _ := s.visitor(r)
	if r.PostFormValue("links") != "" {
		m.Text = "settings " + user.SetLinks + " " + r.PostFormValue("links")
		notes, _ := s.bot.Handle(r.Context(), m) // an error has its note
		return s.startWith(w, r, http.StatusOK, notes)
	}
	notes, done := s.bot.Choose(r.Context(), m, false, chosen(r))
	if s.here != nil { // both have the same settings
		_, _ = s.bot.Choose(r.Context(), s.here.message(r, guestSeat), false, chosen(r))
		if r.PostForm.Has("name") {
			_, err := s.here.call(r.Context(), hostSeat, r.PostFormValue("name"))
			done = done || err == nil
		}
		s.remember(w, languageCookie, spoken(r))
	}
	if look := r.PostFormValue(lookCookie); look != "" {
		s.remember(w, lookCookie, look)
		done = true
	}
	status := http.StatusOK
	if len(notes) > 0 {
		status = http.StatusUnprocessableEntity
	} else if done {
		w.Header().Set("Clear-Site-Data", `"cache"`) // drawings of boards look otherwise now
		l := s.bot.Language(r.Context(), m)
		notes = []message.Message{{Text: words.Text{{Words: book.Say("settings-saved").Text(l)}}, Language: l}}
	}
	return s.settingsWith(w, r, status, notes)
}
