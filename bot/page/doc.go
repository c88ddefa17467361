// Package page is what pages show that chats show in other forms: agendas, leaderboards, profiles, rules, and cards to
// be passed on. It makes them of the same words and counts as the commands do, and lets nobody see
// more than those would.
package page

import "chimera/bot/ask"

// Views are what people ask to see on pages. They are safe for concurrent use.
type Views struct{ *ask.Desk }

// Stranger is somebody of whom nothing is known but which language they read, as a message without
// words.
func (Views) Stranger(locale string) ask.Message {
	return ask.Message{From: ask.Person{Locale: locale}, Alone: true, Outside: true}
}
