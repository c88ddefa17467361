package diagram

import (
	"slices"
	"sync"
)

// Theme is a choice of colors. The zero Theme is the usual one.
type Theme uint8

// The themes. In each, pieces and marks stand out from the squares by lightness, so
// that they are seen without telling red from green.
const (
	Wood     Theme = iota // brown squares
	Night                 // walnut, for dark rooms and dark chats
	Contrast              // white and blue, with strong lines
	Print                 // white and grey, for paper
)

// ByTheme makes what there is one of for each theme, when that is first asked for.
func ByTheme[T any](of func(Theme) T) func(Theme) T {
	var all [Print + 1]func() T
	for _, t := range Themes() {
		all[t] = sync.OnceValue(func() T { return of(t) })
	}
	return func(t Theme) T { return all[t]() }
}

// Themes are all themes, in the order in which people see them.
func Themes() []Theme { return []Theme{Wood, Night, Contrast, Print} }

// String is the name of a theme in small letters.
func (t Theme) String() string { return [...]string{"wood", "night", "contrast", "print"}[t] }

// ParseTheme is the theme of that name, if there is one.
func ParseTheme(name string) (Theme, bool) {
	i := slices.IndexFunc(Themes(), func(t Theme) bool { return t.String() == name })
	return Theme(max(i, 0)), i >= 0
}
