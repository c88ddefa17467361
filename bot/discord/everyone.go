package discord

import (
	"context"
	"net/http"
	"regexp"
	"slices"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/message"
)

// verbEveryone begins the press that shows everyone the answer to the command that follows it.
const verbEveryone = "everyone "

// forEveryone reports whether others may want to see the answer to a command too.
func forEveryone(i *interaction) bool {
	return (i.GuildID != "" || i.private()) && i.Type == discordgo.InteractionApplicationCommand &&
		slices.Contains([]string{"board", "compare", "profile", "replay", "top"}, i.Data.Name)
}

// shows reports whether there is more in a note than words.
func shows(n *message.Message) bool { return n.Pictured() || n.Replay != nil }

// withEveryone puts a button below an answer with a picture that shows it to everyone.
func withEveryone(command string, notes []message.Message) []message.Message {
	for i := range notes {
		if n := &notes[i]; shows(n) {
			show := message.Button{Label: book.Say("label.show-everyone").Text(n.Language), Do: verbEveryone + command}
			n.Buttons = append(slices.Clone(n.Buttons), show)
			break
		}
	}
	return notes
}

var accountSign = regexp.MustCompile(`<@([0-9]+)>`)

// addNamed adds the people whom a command names and who are not known yet.
func (a *Adapter) addNamed(ctx context.Context, command string, named map[string]message.Account) {
	for _, found := range accountSign.FindAllStringSubmatch(command, -1) {
		if _, known := named[found[0]]; known {
			continue
		}
		var u discordgo.User
		if err := a.call(ctx, http.MethodGet, "users/"+found[1], nil, &u); err != nil {
			a.log.InfoContext(ctx, "discord: person not known", "err", a.clean(err))
			continue
		}
		named[found[0]] = person(&u)
	}
}
