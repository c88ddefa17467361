package discord

import (
	"context"
	"fmt"
	"strings"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/message"
)

// The verbs of buttons that open a form in which somebody types something about a game: on phones it has
// more room than the line of a slash command.
const (
	verbType = "type" // a move
	verbPlan = "plan" // conditional moves
)

// form is what Discord calls a modal.
type form struct {
	Title    string  `json:"title"`
	CustomID string  `json:"custom_id"`
	Parts    []entry `json:"components"`
}

// entry is a line to fill in, with its name.
type entry struct {
	Type  discordgo.ComponentType `json:"type"`
	Label string                  `json:"label"`
	Line  line                    `json:"component"`
}

type line struct {
	Type        discordgo.ComponentType  `json:"type"`
	CustomID    string                   `json:"custom_id"`
	Style       discordgo.TextInputStyle `json:"style"`
	Placeholder string                   `json:"placeholder"`
	Longest     int                      `json:"max_length"`
	Required    bool                     `json:"required"`
}

// labelComponent names another component.
const labelComponent discordgo.ComponentType = 18

// opensForm reports whether a press opens a form.
func opensForm(i *interaction) bool {
	verb := verbOf(i.Data.CustomID)
	return i.Type == discordgo.InteractionMessageComponent && (verb == verbType || verb == verbPlan)
}

// open opens the form of a press.
func (a *Adapter) open(ctx context.Context, q *reply) {
	defer a.rescue(ctx, "form")
	verb, example := verbOf(q.i.Data.CustomID), "Nf3"
	if verb == verbPlan {
		example = "e5 then Nf3, if Nc6 then Bb5"
	}
	l := a.bot.Language(ctx, a.saidBy(ctx, q.i))
	q.first(ctx, replied, discordgo.InteractionResponseModal, form{
		Title: book.Say("label." + verb).Text(l), CustomID: q.i.Data.CustomID,
		Parts: []entry{{labelComponent, book.Say("label." + verb + "-line").Text(l), line{
			Type: discordgo.TextInputComponent, CustomID: "text", Style: discordgo.TextInputShort, Placeholder: example, Longest: maxField, Required: true,
		}}},
	}, post{})
}

// filledIn is a form that was filled in, as a command.
func filledIn(i *interaction) string {
	verb, game, _ := strings.Cut(i.Data.CustomID, " ")
	text := map[string]string{verbType: "move", verbPlan: "if"}[verb] + " #" + game
	for _, p := range i.Data.Components {
		text += " " + p.Component.Value
	}
	return text
}

// withForms adds the buttons that open forms to a player's notes: to the first page of a picker,
// and to what else can be done in a game.
func withForms(notes []message.Message) []message.Message {
	for i := range notes {
		n := &notes[i]
		verbs := map[string]bool{}
		for _, b := range n.Buttons {
			verbs[verbOf(b.Do)] = true
		}
		verb := ""
		switch {
		case !n.Step || !verbs["back"]:
			continue
		case verbs["pick"]:
			verb = verbType
		case n.Plans:
			verb = verbPlan
		default:
			continue
		}
		opens := message.Button{Label: book.Say("label." + verb).Text(n.Language), Do: fmt.Sprint(verb, " ", n.Game()), Turns: true}
		n.Buttons = append(n.Buttons[:len(n.Buttons):len(n.Buttons)], opens)
	}
	return notes
}
