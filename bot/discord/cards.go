package discord

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// What people come back to is laid out with Discord's newer components: lists whose lines have buttons, and pictures
// between text and buttons. Where Discord refuses them, the same is said in text with rows of buttons. Boards are
// not laid out: their buttons are taken off by an edit that need not know their text, and who is called
// stands above them.

// Bounds of a message that is laid out.
const (
	maxParts = 40   // with those within others
	maxShown = 4000 // characters
)

// laysOut reports whether a note is laid out.
func (a *Adapter) laysOut(n *message.Message) bool {
	return !a.flat.Load() && n.Board == nil && n.Replay == nil &&
		(n.Chart != nil || slices.ContainsFunc(n.Buttons, func(b message.Button) bool { return b.Line > 0 }))
}

// layOut lays out a post of which all of a note has become; what cannot be stays as it is.
func (a *Adapter) layOut(ctx context.Context, p *post, n *message.Message, accounts map[storage.PersonID]string) error {
	if n.File != nil || adapter.Length(p.unframed) > maxShown {
		return nil
	}
	said := n.Text
	if len(n.Brief) > 0 && len(p.Attached) > 0 {
		said = n.Brief
	}
	lines, beside, others := adapter.Lines(said), map[int]message.Button{}, []message.Button(nil)
	for _, b := range n.Buttons {
		if _, taken := beside[b.Line]; b.Line == 0 || b.Line > len(lines) || taken {
			others = append(others, b)
		} else {
			beside[b.Line] = b
		}
	}
	whole, err := a.arrange(ctx, p, n, lines, beside, others, accounts)
	if parts(&whole) > maxParts {
		whole, err = a.arrange(ctx, p, n, lines, nil, n.Buttons, accounts)
	}
	if c := int(colorOf(n)); c != 0 {
		whole.AccentColor = &c
	}
	p.Layout = []discordgo.Container{whole}
	p.Flags = p.Flags&^discordgo.MessageFlagsSuppressEmbeds | discordgo.MessageFlagsIsComponentsV2
	return err
}

// parts is how many there are of what is laid out.
func parts(whole *discordgo.Container) int {
	n := 1
	for _, c := range whole.Components {
		n++
		switch c := c.(type) {
		case discordgo.Section:
			n += len(c.Components) + 1
		case discordgo.ActionsRow:
			n += len(c.Components)
		}
	}
	return n
}

// arrange puts lines, some of them with buttons beside them, above the picture and other buttons of a note.
func (a *Adapter) arrange(ctx context.Context, p *post, n *message.Message, lines []words.Text, beside map[int]message.Button, others []message.Button, accounts map[storage.PersonID]string) (whole discordgo.Container, err error) {
	add := func(c discordgo.MessageComponent) { whole.Components = append(whole.Components, c) }
	var text []string
	flush := func() {
		if said := strings.TrimSpace(strings.Join(text, "\n")); said != "" {
			add(discordgo.TextDisplay{Content: said})
		}
		text = nil
	}
	for i, line := range lines {
		said := markdown(line, accounts)
		b, has := beside[i+1]
		if !has {
			text = append(text, said)
			continue
		}
		flush()
		rows, err := a.rows(ctx, []message.Button{b})
		if err != nil {
			return whole, err
		}
		add(discordgo.Section{Components: []discordgo.MessageComponent{discordgo.TextDisplay{Content: cmp.Or(said, "·")}}, Accessory: rows[0].Components[0]})
	}
	flush()
	if n.Pictured() && len(p.Attached) > 0 {
		add(discordgo.MediaGallery{Items: []discordgo.MediaGalleryItem{{
			Media: discordgo.UnfurledMediaItem{URL: "attachment://" + p.Attached[0].Filename}, Description: &p.Attached[0].Description,
		}}})
	}
	rows, err := a.rows(ctx, others)
	for _, r := range rows {
		add(r)
	}
	return whole, err
}

// MarshalJSON implements [json.Marshaler].
func (p payload) MarshalJSON() ([]byte, error) {
	type plain payload
	if p.Layout == nil {
		return json.Marshal(plain(p))
	}
	laid := struct {
		plain
		Content    json.RawMessage       `json:"content,omitempty"`
		Embeds     json.RawMessage       `json:"embeds,omitempty"`
		Components []discordgo.Container `json:"components"`
	}{plain: plain(p), Components: p.Layout}
	if p.Edits { // what there may have been has to go
		laid.Content, laid.Embeds = json.RawMessage("null"), json.RawMessage("[]")
	}
	return json.Marshal(laid)
}

// flatten is a payload that is not laid out.
func (p payload) flatten() payload {
	if p.Layout == nil {
		return p
	}
	p.Layout, p.Flags = nil, p.Flags&^discordgo.MessageFlagsIsComponentsV2
	if len(p.Embeds) == 0 {
		p.Flags |= discordgo.MessageFlagsSuppressEmbeds
	}
	return p
}

// flattens reports whether a message is to be sent again without its layout, since Discord has refused that: then
// no other has one.
func (a *Adapter) flattens(ctx context.Context, p *post, err error) bool {
	if p.Layout == nil || status(err) != http.StatusBadRequest || code(err) == discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged {
		return false
	}
	if !a.flat.Swap(true) {
		a.failed(ctx, slog.LevelWarn, "messages can't be laid out: they are plain from now on", err)
	}
	p.payload = p.flatten()
	return true
}

// keyGreeted begins the names under which servers are noted that the bot has said hello to.
const keyGreeted = "greeted/"

// joined is a server of which an event tells.
type joined struct {
	ID     string
	Locale string    `json:"preferred_locale"`
	System string    `json:"system_channel_id"`
	Owner  string    `json:"owner_id"`
	At     time.Time `json:"joined_at"`
}

// greetServer says hello in a server that the bot has just joined, once: in its system channel, or else privately to
// who has invited the bot.
func (a *Adapter) greetServer(ctx context.Context, g *joined) {
	defer a.rescue(ctx, "hello")
	const lately = 10 * time.Minute
	if time.Since(g.At) > lately || a.state.Get(ctx, keyGreeted+g.ID) != "" {
		return
	}
	l, _ := phrase.Match(g.Locale)
	hello, nonce := bot.Joined(l), "j"+g.ID
	var err error
	if g.System != "" {
		_, err = a.write(ctx, g.System, "", nonce, hello)
	}
	if g.System == "" || err != nil && !passing(err) {
		var private string
		if private, err = a.privately(ctx, a.inviter(ctx, g)); err == nil {
			_, err = a.write(ctx, private, "", nonce, hello)
		}
	}
	a.failed(ctx, slog.LevelInfo, "no hello in a server", err)
	a.state.Set(ctx, keyGreeted+g.ID, "yes")
}

// inviter is who has added the bot to a server, if it may know that, else its owner.
func (a *Adapter) inviter(ctx context.Context, g *joined) string {
	const added = 28
	var log struct {
		Entries []struct {
			By     string `json:"user_id"`
			Target string `json:"target_id"`
		} `json:"audit_log_entries"`
	}
	err := a.call(ctx, http.MethodGet, fmt.Sprintf("guilds/%s/audit-logs?action_type=%d", g.ID, added), nil, &log)
	me := a.self(ctx)
	for _, e := range log.Entries {
		if err == nil && me != nil && e.Target == me.User {
			return e.By
		}
	}
	return g.Owner
}
