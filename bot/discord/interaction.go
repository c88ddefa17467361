package discord

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
)

// Kinds of answers to interactions.
const (
	answerMessage = 4
	answerWait    = 5
	answerLater   = 6 // to a button, without a sign of it
	answerChange  = 7
	answerChoices = 8
)

// patience is how long an answer may take before Discord is told to wait; it wants to
// hear something within three seconds.
const patience = 1500 * time.Millisecond

// interaction answers a command, a button or a question for choices.
func (a *Adapter) interaction(ctx context.Context, i *discordgo.Interaction) {
	said, ok := asked(i)
	if !ok {
		return
	}
	switch i.Type {
	case discordgo.InteractionApplicationCommand:
		said.Text = a.commandText(i.ApplicationCommandData(), &said)
		a.carryOut(ctx, i, said)
	case discordgo.InteractionMessageComponent:
		said.Press = i.MessageComponentData().CustomID
		a.carryOut(ctx, i, said)
	case discordgo.InteractionApplicationCommandAutocomplete:
		a.suggest(ctx, i, said)
	default: // pings come by another way, and there are no forms
	}
}

// asked is who asks, and where.
func asked(i *discordgo.Interaction) (bot.Message, bool) {
	said := bot.Message{
		ID: i.ID, Place: room(i.ChannelID), Server: server(i.GuildID), Private: i.GuildID == "", People: map[string]bot.Person{},
	}
	switch {
	case i.Member != nil && i.Member.User != nil:
		said.From = bot.Person{Address: account(i.Member.User.ID), Name: called(i.Member.User, i.Member)}
		said.Manager = i.Member.Permissions&(discordgo.PermissionManageGuild|discordgo.PermissionAdministrator) != 0
	case i.User != nil:
		said.From = bot.Person{Address: account(i.User.ID), Name: called(i.User, nil)}
	default:
		return said, false
	}
	return said, true
}

// carryOut does what was asked for and answers; if that takes long, after a word that it
// does.
func (a *Adapter) carryOut(ctx context.Context, i *discordgo.Interaction, said bot.Message) {
	done := make(chan []bot.Note, 1)
	go func() {
		notes, _ := a.bot.Handle(ctx, said) // an error has been logged, and has its note
		done <- notes
	}()
	waited := false
	var notes []bot.Note
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case notes = <-done:
	case <-timer.C:
		waited = true
		kind := answerWait
		if i.Type == discordgo.InteractionMessageComponent {
			kind = answerLater
		}
		a.respond(ctx, i, map[string]any{"type": kind, "data": map[string]any{"flags": ephemeral}}, nil)
		notes = <-done
	}
	a.answer(ctx, i, notes, waited)
	a.post.Wake()
}

// answer says notes to the asker: the first as the answer, others after it.
func (a *Adapter) answer(ctx context.Context, i *discordgo.Interaction, notes []bot.Note, waited bool) {
	button := i.Type == discordgo.InteractionMessageComponent
	private := i.Message != nil && i.Message.Flags&discordgo.MessageFlagsEphemeral != 0
	answered := waited && button
	for _, n := range notes {
		if n.Ack && !answered && !waited {
			a.acknowledge(ctx, i, button, private)
			answered = true
			continue
		}
		before, last, files, err := a.make(ctx, n)
		if err != nil {
			a.log.ErrorContext(ctx, "discord: not answered", "err", err)
			continue
		}
		last.Flags = ephemeral
		all := append(before, last)
		for k, b := range all {
			b.Flags = ephemeral
			var with []*discordgo.File
			if k == len(all)-1 {
				with = files
			}
			if answered || waited {
				a.followUp(ctx, i, b, with)
				continue
			}
			kind := answerMessage
			if button && private && n.Step {
				kind = answerChange
			}
			a.respond(ctx, i, map[string]any{"type": kind, "data": b}, with)
			answered = true
		}
	}
	if !answered && !waited {
		a.acknowledge(ctx, i, button, private)
	}
}

// acknowledge answers where everyone hears of what was done.
func (a *Adapter) acknowledge(ctx context.Context, i *discordgo.Interaction, button, private bool) {
	data := body{Content: "Done.", Components: []row{}, Mentions: mentions{Parse: []string{}}, Flags: ephemeral}
	switch {
	case button && private: // the picker has led to its end
		a.respond(ctx, i, map[string]any{"type": answerChange, "data": map[string]any{"content": "Done.", "components": []row{}, "attachments": []attachment{}}}, nil)
	case button:
		a.respond(ctx, i, map[string]any{"type": answerLater}, nil)
	default:
		a.respond(ctx, i, map[string]any{"type": answerMessage, "data": data}, nil)
	}
}

func (a *Adapter) respond(ctx context.Context, i *discordgo.Interaction, answer any, files []*discordgo.File) {
	kind, data, err := encode(answer, files)
	if err == nil {
		endpoint := discordgo.EndpointInteractionResponse(i.ID, i.Token)
		_, err = a.rest.RequestRaw(http.MethodPost, endpoint, kind, data, "interactions", 0, discordgo.WithContext(ctx))
	}
	if err != nil {
		a.log.WarnContext(ctx, "discord: interaction not answered", "err", verdict(err))
	}
}

func (a *Adapter) followUp(ctx context.Context, i *discordgo.Interaction, b body, files []*discordgo.File) {
	kind, data, err := encode(b, files)
	if err == nil {
		endpoint := discordgo.EndpointFollowupMessage(i.AppID, i.Token)
		_, err = a.rest.RequestRaw(http.MethodPost, endpoint, kind, data, "followups", 0, discordgo.WithContext(ctx))
	}
	if err != nil {
		a.log.WarnContext(ctx, "discord: interaction not answered", "err", verdict(err))
	}
}

// commandText is a slash command as somebody would write it.
func (a *Adapter) commandText(data discordgo.ApplicationCommandInteractionData, said *bot.Message) string {
	if data.TargetID != "" { // the menu of a person
		said.People["@"+data.TargetID] = a.resolved(data, data.TargetID)
		return "challenge @" + data.TargetID
	}
	words := []string{data.Name}
	for _, o := range data.Options {
		if o != nil {
			words = append(words, a.optionWords(data, o, said)...)
		}
	}
	return strings.Join(words, " ")
}

func (a *Adapter) optionWords(data discordgo.ApplicationCommandInteractionData, o *discordgo.ApplicationCommandInteractionDataOption, said *bot.Message) []string {
	value := fmt.Sprint(o.Value)
	switch {
	case o.Type == discordgo.ApplicationCommandOptionUser:
		said.People["@"+value] = a.resolved(data, value)
		return []string{"@" + value}
	case o.Type == discordgo.ApplicationCommandOptionBoolean:
		return booleans[o.Name+" "+value]
	case o.Name == "days":
		return []string{strings.TrimSuffix(value, ".0") + "d"}
	case o.Name == "ply":
		return []string{strings.TrimSuffix(value, ".0")}
	case o.Name == "game" && isNumber(value):
		return []string{"#" + strings.TrimPrefix(value, "#")}
	case o.Name == "scope" && value == "server":
		return nil
	case o.Name == "period" && value == "ever":
		return nil
	}
	return []string{value}
}

// booleans are the words for options that are true or false.
var booleans = map[string][]string{ //nolint:gochecknoglobals // never written
	"rated true": {"rated"}, "rated false": {"unrated"}, "flip true": {"flip"}, "zones true": {"zones"}, "here true": {"here"},
}

func isNumber(text string) bool {
	digits := strings.TrimPrefix(text, "#")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

func (a *Adapter) resolved(data discordgo.ApplicationCommandInteractionData, id string) bot.Person {
	name := id
	if data.Resolved != nil {
		if u := data.Resolved.Users[id]; u != nil {
			name = called(u, data.Resolved.Members[id])
		}
	}
	return bot.Person{Address: account(id), Name: name}
}

// suggest answers with what fits what has been typed.
func (a *Adapter) suggest(ctx context.Context, i *discordgo.Interaction, said bot.Message) {
	data := i.ApplicationCommandData()
	choices := []map[string]string{}
	for _, o := range data.Options {
		if o == nil {
			continue
		}
		if !o.Focused {
			if o.Name == "game" && isNumber(fmt.Sprint(o.Value)) {
				said.Text = "#" + strings.TrimPrefix(fmt.Sprint(o.Value), "#")
			}
			continue
		}
		for _, text := range a.bot.Suggest(ctx, said, o.Name, fmt.Sprint(o.Value)) {
			choices = append(choices, map[string]string{"name": clip(text, maxCustom), "value": clip(text, maxCustom)})
		}
	}
	a.respond(ctx, i, map[string]any{"type": answerChoices, "data": map[string]any{"choices": choices}}, nil)
}
