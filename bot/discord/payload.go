package discord

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/adapt"
	"chimera/render/diagram"
	"chimera/rules/phrase"
)

// post is a message that the bot writes.
type post struct {
	Content    string                           `json:"content"`
	Embeds     []card                           `json:"embeds"`
	Flags      discordgo.MessageFlags           `json:"flags"`
	Mentions   discordgo.MessageAllowedMentions `json:"allowed_mentions"`
	Components []discordgo.ActionsRow           `json:"components"`  // never nil, so that an edit can take them away; so are embeds
	Attached   []attachment                     `json:"attachments"` // likewise
	Reference  *discordgo.MessageReference      `json:"message_reference,omitempty"`
	Nonce      string                           `json:"nonce,omitempty"`
	Enforce    bool                             `json:"enforce_nonce,omitempty"`
}

type attachment struct {
	ID          int    `json:"id,string"`
	Filename    string `json:"filename"`
	Description string `json:"description,omitempty"`
}

// payload is a post with its files.
type payload struct {
	post
	files []*discordgo.File
	board *diagram.Diagram // that a picture among these shows, or nil

	unframed string // what a card says, as a text

	language phrase.Language
}

// payloads are a note as messages: pictures, files and buttons come with the last.
func (a *Adapter) payloads(ctx context.Context, n bot.Note) (all []payload, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	accounts := a.services.Places.AccountsOn(ctx, n.Text.People(), Platform)
	n.Text = a.clickable(n.Text, n.Language)
	all = pages(n.Text, accounts)
	if c := colorOf(&n); c != 0 && len(all) == 1 {
		all[0].frame(n.Text, accounts, c)
	}
	last := &all[len(all)-1]
	last.language = n.Language
	if last.Components, err = a.rows(ctx, n.Buttons); err != nil {
		return nil, err
	}
	return all, last.attach(ctx, n)
}

// inWords is a short text that mentions nobody, in a language.
func inWords(t bot.Text, l phrase.Language) payload { return sentence(format(t.In(l), nil)) }

// pages are a text as messages, one at least. accounts are those of people whom it mentions.
func pages(t bot.Text, accounts map[bot.PersonID]string) (all []payload) {
	length := func(s bot.Span) int { return adapt.Length(formatSpan(s, accounts)) }
	for _, page := range adapt.Pages(t, maxContent, length) {
		p := sentence(format(page, accounts))
		p.Mentions = allow(page.People(), accounts)
		all = append(all, p)
	}
	if len(all) == 0 {
		return []payload{sentence("")}
	}
	return all
}

// frame makes a card of a payload's text.
func (p *payload) frame(t bot.Text, accounts map[bot.PersonID]string, c color) {
	p.unframed, p.Embeds = p.Content, make([]card, 1)
	p.Content, p.Embeds[0] = cardOf(t, accounts, c)
	p.Flags &^= discordgo.MessageFlagsSuppressEmbeds
}

// toNobody lets nobody be told of a message.
func toNobody() discordgo.MessageAllowedMentions {
	return discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}}
}

// allow lets people be told of a message that mentions them.
func allow(people []bot.PersonID, accounts map[bot.PersonID]string) discordgo.MessageAllowedMentions {
	const most = 100
	m := toNobody()
	for _, id := range people {
		if account := accounts[id]; account != "" && len(m.Users) < most {
			m.Users = append(m.Users, account)
		}
	}
	return m
}

// attach adds the pictures and the file of a note.
func (p *payload) attach(ctx context.Context, n bot.Note) error {
	switch {
	case n.Replay != nil:
		film, alt, err := n.Moving(ctx)
		if err != nil {
			return err
		}
		p.add("game.gif", "image/gif", alt, bytes.NewBuffer(film))
	case n.Pictured():
		picture, name, alt, err := n.Still(ctx)
		if err != nil {
			return err
		}
		p.add(name, "image/"+path.Ext(name)[1:], alt, bytes.NewBuffer(picture))
		if len(p.Embeds) > 0 {
			p.Embeds[0].Image = &image{"attachment://" + name, adapt.Clip(alt, maxAlt)}
		}
	}
	p.board = n.Board
	if n.File != nil {
		p.add(n.File.Name, "text/plain; charset=utf-8", "", bytes.NewBufferString(n.File.Content))
	}
	return nil
}

func (p *payload) add(name, kind, alt string, data *bytes.Buffer) {
	p.Attached = append(p.Attached, attachment{len(p.files), name, adapt.Clip(alt, maxAlt)})
	p.files = append(p.files, &discordgo.File{Name: name, ContentType: kind, Reader: data})
}

// A message has at most so many rows of so many buttons.
const (
	maxRows = 5
	perRow  = 5
)

// So few choices are buttons, and fewer where there is more to tell of them; others stand in menus.
const (
	fewChoices = 10
	fewTold    = 5
)

// menus are buttons without those that are choices, where they are too many, and the menus that
// these stand in instead.
func (a *Adapter) menus(ctx context.Context, buttons []bot.Button) (menus []discordgo.ActionsRow, rest []bot.Button, err error) {
	const most = 25 // of a menu
	isChoice := func(b bot.Button) bool { return b.Choice }
	choices := slices.DeleteFunc(slices.Clone(buttons), func(b bot.Button) bool { return !isChoice(b) })
	told := slices.ContainsFunc(choices, func(b bot.Button) bool { return b.About != "" })
	if len(choices) <= fewTold || len(choices) <= fewChoices && !told {
		return nil, buttons, nil
	}
	for some := range slices.Chunk(choices, most) {
		menu := discordgo.SelectMenu{MenuType: discordgo.StringSelectMenu, CustomID: fmt.Sprint("choose ", len(menus))}
		for _, b := range some {
			value, err := a.memory.Pack(ctx, b.Do, maxData)
			if err != nil {
				return nil, nil, err
			}
			menu.Options = append(menu.Options, discordgo.SelectMenuOption{
				Label: cmp.Or(adapt.Clip(b.Label, maxOption), "·"), Value: value, Description: adapt.Clip(b.About, maxOption),
			})
		}
		menus = append(menus, discordgo.ActionsRow{Components: []discordgo.MessageComponent{menu}})
	}
	return menus, slices.DeleteFunc(slices.Clone(buttons), isChoice), nil
}

// rows lays buttons out. Those that lead to other pages stand in a row of their own.
func (a *Adapter) rows(ctx context.Context, buttons []bot.Button) ([]discordgo.ActionsRow, error) {
	menus, buttons, err := a.menus(ctx, buttons)
	if err != nil {
		return nil, err
	}
	rows := append([]discordgo.ActionsRow{}, menus...)
	seen := map[string]bool{}
	turning := false
	for _, b := range buttons {
		data, err := b.Opens, error(nil)
		if data == "" {
			data, err = a.memory.Pack(ctx, b.Do, maxData)
		}
		if err != nil {
			return nil, err
		}
		if data == "" || seen[data] {
			continue // no two of a message may be the same
		}
		seen[data] = true
		last := len(rows) - 1
		if last < len(menus) || len(rows[last].Components) == perRow || b.Turns && !turning && len(rows) < maxRows {
			if len(rows) == maxRows {
				break
			}
			rows = append(rows, discordgo.ActionsRow{})
			last++
		}
		turning = b.Turns
		if b.Opens != "" {
			rows[last].Components = append(rows[last].Components, discordgo.Button{Style: discordgo.LinkButton, Label: adapt.Clip(b.Label, maxLabel), URL: b.Opens})
			continue
		}
		rows[last].Components = append(rows[last].Components, discordgo.Button{
			Style: style(b), Label: cmp.Or(adapt.Clip(b.Label, maxLabel), "·"), CustomID: data,
		})
	}
	return rows, nil
}

// style is how a button looks, by what it does.
func style(b bot.Button) discordgo.ButtonStyle {
	switch verb := verbOf(b.Do); {
	case b.Turns:
		return discordgo.SecondaryButton
	case verb == "resign":
		return discordgo.DangerButton
	case verb == "play", verb == "join", verb == "rematch", verb == "claim", strings.HasPrefix(verb, "agree-"), strings.HasSuffix(verb, "-yes"), strings.HasSuffix(b.Do, " - - 0"):
		return discordgo.PrimaryButton
	}
	return discordgo.SecondaryButton
}

// sentence is a payload of mere words, which are Discord's markdown.
func sentence(text string) payload {
	return payload{post: post{Content: text, Flags: discordgo.MessageFlagsSuppressEmbeds, Mentions: toNobody(), Embeds: []card{}, Components: []discordgo.ActionsRow{}, Attached: []attachment{}}}
}

// again are the files of a payload, to be read from their beginnings.
func (p *payload) again() []*discordgo.File {
	var files []*discordgo.File
	for _, f := range p.files {
		if b, ok := f.Reader.(*bytes.Buffer); ok {
			files = append(files, &discordgo.File{Name: f.Name, ContentType: f.ContentType, Reader: bytes.NewReader(b.Bytes())})
		}
	}
	return files
}
