package web

import (
	"net/http"
	"slices"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/rules/phrase"
)

// settingsPage is what the visitor has chosen.
type settingsPage struct {
	page
	Parts []settingsPart
	Links bool // they have links that sign them in
}

// settingsPart is settings under a heading.
type settingsPart struct {
	Key      string
	Settings []setting
}

type setting struct {
	bot.Choosable
	Options []option
}

type option struct{ Value, Name string }

// The settings as the page groups them.
var settingParts = []struct { //nolint:gochecknoglobals // never written
	key   string
	names []string
}{
	{"settings-boards", []string{user.SetTheme, user.SetCoords, user.SetBars, user.SetSize, user.SetWords}},
	{"settings-you", []string{user.SetLanguage, user.SetTimezone, user.SetBoards, user.SetConfirm, user.SetChat, user.SetBanter}},
	{"settings-told", []string{user.SetReminders, user.SetQuiet, user.SetClaim, user.SetVacation}},
}

// settingsWith shows the visitor's settings, and what was said to them who have chosen some.
func (s *Site) settingsWith(w http.ResponseWriter, r *http.Request, status int, notes []message.Message) error {
	m, _ := s.visitor(r)
	p := settingsPage{page: s.titled(r, "settings"), Links: s.auth != nil}
	p.Notes = notes
	all := s.bot.Settings(r.Context(), m)
	for _, part := range settingParts {
		shown := settingsPart{Key: part.key}
		for _, name := range part.names {
			for _, c := range all {
				if c.Name == name {
					if typed := r.PostFormValue(name); typed != "" && status != http.StatusOK { // what was not understood can be mended
						c.Value = typed
					}
					shown.Settings = append(shown.Settings, setting{c, optionsOf(c, p.Language)})
				}
			}
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
		}
		all = append(all, option{value, name})
	}
	return all
}

// choose does with the settings what the visitor has chosen.
func (s *Site) choose(w http.ResponseWriter, r *http.Request) error {
	m, _ := s.visitor(r)
	if r.PostFormValue("links") != "" {
		m.Text = "settings " + user.SetLinks + " " + r.PostFormValue("links")
		notes, _ := s.bot.Handle(r.Context(), m) // an error has its note
		return s.startWith(w, r, http.StatusOK, notes)
	}
	notes, done := s.bot.Choose(r.Context(), m, r.PostFormValue)
	status := http.StatusOK
	switch {
	case len(notes) > 0:
		status = http.StatusUnprocessableEntity
	case done:
		l := s.bot.Language(r.Context(), m)
		notes = []message.Message{{Text: words.Text{{Words: book.Say("settings-saved").Text(l)}}, Language: l}}
	}
	return s.settingsWith(w, r, status, notes)
}
