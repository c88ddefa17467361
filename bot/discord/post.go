package discord

import (
	"bytes"
	"context"
	"path"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/render/text"
	"chimera/rules/phrase"
	"chimera/storage"
)

// payload is a message as Discord wants it written.
type payload struct {
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

// post is a payload with its files.
type post struct {
	payload
	files []*discordgo.File
	board *diagram.Diagram // that a picture among these shows, or nil

	unframed string // the text of the card

	language phrase.Language
}

// packer makes the data of a button from what it does, in at most that many characters.
type packer func(ctx context.Context, do string, most int) (string, error)

// postsOf is a note as messages; pictures, files and buttons come with the last. accounts are those of the
// people it mentions.
func postsOf(ctx context.Context, n message.Message, accounts map[storage.PersonID]string, pack packer) (all []post, err error) {
	all = pages(n.Text, accounts)
	if c := colorOf(&n); c != 0 && len(all) == 1 {
		all[0].frame(n.Text, accounts, c)
	}
	last := &all[len(all)-1]
	last.language = n.Language
	if last.Components, err = rowsOf(ctx, n.Buttons, pack); err != nil {
		return nil, err
	}
	return all, last.attach(ctx, n)
}

// plainPost is a short text that mentions nobody, in a language.
func plainPost(t words.Text, l phrase.Language) post { return sentence(markdown(t.In(l), nil)) }

// pages are a text as messages, one at least. accounts are those of people whom it mentions.
func pages(t words.Text, accounts map[storage.PersonID]string) (all []post) {
	length := func(s words.Span) int { return adapter.Length(formatSpan(s, accounts)) }
	for _, page := range adapter.Pages(t, maxContent, length) {
		p := sentence(markdown(page, accounts))
		p.Mentions = allow(page.People(), accounts)
		all = append(all, p)
	}
	if len(all) == 0 {
		return []post{sentence("")}
	}
	return all
}

// frame makes a card of a message's text.
func (p *post) frame(t words.Text, accounts map[storage.PersonID]string, c color) {
	p.unframed, p.Embeds = p.Content, make([]card, 1)
	p.Content, p.Embeds[0] = cardOf(t, accounts, c)
	p.Flags &^= discordgo.MessageFlagsSuppressEmbeds
}

// toNobody notifies nobody of a message.
func toNobody() discordgo.MessageAllowedMentions {
	return discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}}
}

// allow notifies people of a message that mentions them.
func allow(people []storage.PersonID, accounts map[storage.PersonID]string) discordgo.MessageAllowedMentions {
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
func (p *post) attach(ctx context.Context, n message.Message) error {
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

func (p *post) add(name, kind, alt string, data *bytes.Buffer) {
	p.Attached = append(p.Attached, attachment{len(p.files), name, adapter.Clip(alt, maxAlt)})
	p.files = append(p.files, &discordgo.File{Name: name, ContentType: kind, Reader: data})
}

// sentence is a message of text alone, in Discord's markdown.
func sentence(text string) post {
	return post{payload: payload{Content: text, Flags: discordgo.MessageFlagsSuppressEmbeds, Mentions: toNobody(), Embeds: []card{}, Components: []discordgo.ActionsRow{}, Attached: []attachment{}}}
}

// newFiles are the files of a message, to be read from their beginnings.
func (p *post) newFiles() []*discordgo.File {
	var files []*discordgo.File
	for _, f := range p.files {
		if b, ok := f.Reader.(*bytes.Buffer); ok {
			files = append(files, &discordgo.File{Name: f.Name, ContentType: f.ContentType, Reader: bytes.NewReader(b.Bytes())})
		}
	}
	return files
}

// plainly is a message whose files were refused: with the board in characters, and why there is no picture.
func (p *post) plainly(why words.Text) post {
	plain := *p
	plain.files, plain.Attached = nil, []attachment{}
	missing := markdown(why.In(p.language), nil)
	if p.board != nil {
		missing = "```\n" + text.Text(*p.board) + text.Legend(*p.board).Text(p.language) + "```" + missing
	}
	missing = "\n" + missing
	plain.Content = adapter.Clip(plain.Content, maxContent-adapter.Length(missing)) + missing
	return plain
}

// withoutCard is a message that says as text what its card says, for where Embed Links is missing.
func (p *post) withoutCard() post {
	plain := *p
	if len(p.Embeds) == 0 {
		return plain
	}
	plain.Content, plain.Embeds = p.unframed, []card{}
	plain.Flags |= discordgo.MessageFlagsSuppressEmbeds
	return plain
}

// edit is a message as it replaces another.
func (p *post) edit() payload {
	replacing := p.payload
	replacing.Flags &^= discordgo.MessageFlagsEphemeral // cannot be changed
	return replacing
}
