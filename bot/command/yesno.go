package command

import (
	"slices"
	"strings"
)

//nolint:gochecknoglobals // never written
var (
	yeses = []string{"yes", "y", "yep", "yeah", "ok", "okay", "sure", "ja", "jo", "oui", "sí", "si", "sim", "да", "ага"}
	noes  = []string{"no", "n", "nope", "nein", "non", "não", "nao", "нет", "не"}
)

// YesOrNo reads whether all that a text says is yes, or no; false if it says something else.
func YesOrNo(text string) (yes, ok bool) {
	word := strings.ToLower(strings.TrimRight(text, " !.,"))
	yes = slices.Contains(yeses, word)
	return yes, yes || slices.Contains(noes, word)
}
