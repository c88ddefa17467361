package bot

// PressVerbs are what buttons can do.
func PressVerbs() (verbs []string) {
	for _, p := range allPresses() {
		verbs = append(verbs, p.verb)
	}
	return verbs
}

// ZoneLike is the time zone that a text names.
func ZoneLike(text string) string { return zoneLike(text) }
