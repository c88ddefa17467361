// Package draft writes what the bot says as Discord's messages: markdown, cards, rows of buttons and
// files. It sends nothing.
package draft

import (
	"bytes"
	"context"
	"path"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/render/diagram"
	"chimera/render/text"
	"chimera/rules/phrase"
)

// Post is a message as Discord wants it written.
type Post struct {
	Content    string                           `json:"content"`
	Embeds     []Card                           `json:"embeds"`
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

// Message is a Post with its files.
type Message struct {
	Post
	files []*discordgo.File
	board *diagram.Diagram // that a picture among these shows, or nil

	unframed string // what a card says, as a text

	language phrase.Language
}

// Pack is what a button carries that does something, in at most so many characters.
type Pack func(ctx context.Context, do string, most int) (string, error)

// Of is a note as messages: pictures, files and buttons come with the last. accounts are those of
// people whom it mentions.
func Of(ctx context.Context, n bot.Note, accounts map[bot.PersonID]string, pack Pack) (all []Message, err error) {
	all = pages(n.Text, accounts)
	if c := colorOf(&n); c != 0 && len(all) == 1 {
		all[0].frame(n.Text, accounts, c)
	}
	last := &all[len(all)-1]
	last.language = n.Language
	if last.Components, err = Rows(ctx, n.Buttons, pack); err != nil {
		return nil, err
	}
	return all, last.attach(ctx, n)
}

// Words are a short text that mentions nobody, in a language.
func Words(t bot.Text, l phrase.Language) Message { return sentence(Format(t.In(l), nil)) }

// pages are a text as messages, one at least. accounts are those of people whom it mentions.
func pages(t bot.Text, accounts map[bot.PersonID]string) (all []Message) {
	length := func(s bot.Span) int { return adapter.Length(formatSpan(s, accounts)) }
	for _, page := range adapter.Pages(t, maxContent, length) {
		p := sentence(Format(page, accounts))
		p.Mentions = allow(page.People(), accounts)
		all = append(all, p)
	}
	if len(all) == 0 {
		return []Message{sentence("")}
	}
	return all
}

// frame makes a card of a message's text.
func (p *Message) frame(t bot.Text, accounts map[bot.PersonID]string, c color) {
	p.unframed, p.Embeds = p.Content, make([]Card, 1)
	p.Content, p.Embeds[0] = cardOf(t, accounts, c)
	p.Flags &^= discordgo.MessageFlagsSuppressEmbeds
}

// ToNobody lets nobody be told of a message.
func ToNobody() discordgo.MessageAllowedMentions {
	return discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}}
}

// allow lets people be told of a message that mentions them.
func allow(people []bot.PersonID, accounts map[bot.PersonID]string) discordgo.MessageAllowedMentions {
	const most = 100
	m := ToNobody()
	for _, id := range people {
		if account := accounts[id]; account != "" && len(m.Users) < most {
			m.Users = append(m.Users, account)
		}
	}
	return m
}

// attach adds the pictures and the file of a note.
func (p *Message) attach(ctx context.Context, n bot.Note) error {
	switch {
	case n.Replay != nil:
		film, alt, err := n.Moving(ctx)
		if err != nil {
			return err
		}
		p.add("game.gif", "image/gif", alt, bytes.NewBuffer(film))
	case n.Pictured():
		picture, name, err := n.Still(ctx)
		if err != nil {
			return err
		}
		alt := n.Alt()
		p.add(name, "image/"+path.Ext(name)[1:], alt, bytes.NewBuffer(picture))
		if len(p.Embeds) > 0 {
			p.Embeds[0].Image = &image{"attachment://" + name, adapter.Clip(alt, maxAlt)}
		}
	}
	p.board = n.Board
	if n.File != nil {
		p.add(n.File.Name, "text/plain; charset=utf-8", "", bytes.NewBufferString(n.File.Content))
	}
	return nil
}

func (p *Message) add(name, kind, alt string, data *bytes.Buffer) {
	p.Attached = append(p.Attached, attachment{len(p.files), name, adapter.Clip(alt, maxAlt)})
	p.files = append(p.files, &discordgo.File{Name: name, ContentType: kind, Reader: data})
}

// sentence is a message of mere words, which are Discord's markdown.
func sentence(text string) Message {
	return Message{Post: Post{Content: text, Flags: discordgo.MessageFlagsSuppressEmbeds, Mentions: ToNobody(), Embeds: []Card{}, Components: []discordgo.ActionsRow{}, Attached: []attachment{}}}
}

// Files are those of a message, to be read from their beginnings.
func (p *Message) Files() []*discordgo.File {
	var files []*discordgo.File
	for _, f := range p.files {
		if b, ok := f.Reader.(*bytes.Buffer); ok {
			files = append(files, &discordgo.File{Name: f.Name, ContentType: f.ContentType, Reader: bytes.NewReader(b.Bytes())})
		}
	}
	return files
}

// Plainly is a message without its files, where only those were refused: with the board in
// characters, and why there is no picture.
func (p *Message) Plainly(why bot.Text) Message {
	plain := *p
	plain.files, plain.Attached = nil, []attachment{}
	missing := Format(why.In(p.language), nil)
	if p.board != nil {
		missing = "```\n" + text.Text(*p.board) + text.Legend(*p.board).Text(p.language) + "```" + missing
	}
	missing = "\n" + missing
	plain.Content = adapter.Clip(plain.Content, maxContent-adapter.Length(missing)) + missing
	return plain
}

// WithoutCard is a message that says as a text what its card says: without Embed Links there are
// no cards.
func (p *Message) WithoutCard() Message {
	plain := *p
	if len(p.Embeds) == 0 {
		return plain
	}
	plain.Content, plain.Embeds = p.unframed, []Card{}
	plain.Flags |= discordgo.MessageFlagsSuppressEmbeds
	return plain
}

// Edit is a message as it replaces another.
func (p *Message) Edit() Post {
	replacing := p.Post
	replacing.Flags &^= discordgo.MessageFlagsEphemeral // cannot be changed
	return replacing
}
