package bot

import (
	"cmp"
	"strings"

	"chimera/render"
	"chimera/storage"
)

// sizes are those that boards can be chosen to have.
var sizes = map[string]int{ //nolint:gochecknoglobals // never written
	"small": render.Small, "medium": render.Medium, "large": render.Large,
}

// applyTheme gives the pictures of a note the look that was chosen, by the person who sees
// it alone, else by the server; and a place to be drawn.
func (b *Bot) applyTheme(n *Note, person storage.Settings, server storage.ServerSettings) {
	theme, _ := render.ParseTheme(strings.ToLower(cmp.Or(person.Theme, server.Theme)))
	if n.Size == 0 {
		n.Size = sizes[strings.ToLower(cmp.Or(person.Size, server.Size))]
	}
	n.studio = b.studio
	if n.Board != nil {
		n.Board.Theme = theme
	}
	if n.Chart != nil {
		n.Chart.Theme = theme
	}
	for i := range n.Replay {
		n.Replay[i].Theme = theme
	}
}
