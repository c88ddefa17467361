package bot

// Views are what people ask to see on pages. They are safe for concurrent use.
type Views struct{ *Desk }

// Stranger is somebody of whom nothing is known but which language they read, as a message without
// words.
func (Views) Stranger(locale string) Message {
	return Message{From: Person{Locale: locale}, Alone: true, Outside: true}
}
