package discord

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Discord's bounds, in characters.
const (
	maxContent = 2000
	maxTitle   = 256 // of a card
	maxLabel   = 80
	maxAlt     = 1024
	maxData    = 100
	maxOption  = 100
)

// payload is a message in Discord's format: as text, unless it has a layout or a card. The library's own type has
// neither a nonce nor the alt text of pictures.
type payload struct {
	Content    string                           `json:"content"` // also of a card
	Embeds     []card                           `json:"embeds"`
	Flags      discordgo.MessageFlags           `json:"flags"`
	Mentions   discordgo.MessageAllowedMentions `json:"allowed_mentions"`
	Components []discordgo.ActionsRow           `json:"components"`  // never nil, so that an edit removes them; embeds likewise
	Attached   []attachment                     `json:"attachments"` // likewise
	Reference  *discordgo.MessageReference      `json:"message_reference,omitempty"`
	Nonce      string                           `json:"nonce,omitempty"`
	Enforce    bool                             `json:"enforce_nonce,omitempty"`

	Layout []discordgo.Container `json:"-"` // everything but the files, nil for none
	Card   *card                 `json:"-"` // nil likewise
	Above  string                `json:"-"` // the text that stands above the card
	Edits  bool                  `json:"-"` // it replaces another
}

type attachment struct {
	ID          int    `json:"id,string"`
	Filename    string `json:"filename"`
	Description string `json:"description,omitempty"`
}

// card is an embed; its colour tells at a glance how things stand.
type card struct {
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Color       int    `json:"color,omitempty"`
	Image       *image `json:"image,omitempty"`
}

type image struct {
	URL         string `json:"url"`
	Description string `json:"description,omitempty"`
}

// Colours of cards' edges.
const (
	colorTurn     = 0x3B82F6 // somebody is to move
	colorCheck    = 0xDC2626
	colorOver     = 0x6B7280
	colorQuestion = 0xF59E0B // somebody is asked
)

// post is a payload with its files.
type post struct {
	payload
	files    []file
	board    *diagram.Diagram // the board shown by a picture among the files, or nil
	language phrase.Language
}

// drafts are the messages of a note, at least one; pictures, files and buttons come with the last. Commands are named
// in the language of the reader's client. laid says that it replaces a message with a layout, so that it needs one too.
func (a *Adapter) drafts(ctx context.Context, n message.Message, commands phrase.Language, laid bool) (all []post, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	accounts := a.bot.Users.AccountsOn(ctx, n.Text.People(), Platform)
	if me := a.self(ctx); me != nil && a.ids.Load() == nil {
		a.learnIDs(ctx, me.Application)
	}
	n.Text, n.Brief = a.clickable(n.Text, commands), a.clickable(n.Brief, commands)
	if a.opens() && n.Game() != 0 { // a link that opens it for each reader as themselves
		n.AddPage()
	}
	length := func(s words.Span) int { return adapter.Length(formatSpan(s, accounts)) }
	for _, page := range adapter.Pages(n.Text, maxContent, length) {
		p := sentence(markdown(page, accounts))
		const most = 100
		for _, id := range page.People() {
			if account := accounts[id]; account != "" && len(p.Mentions.Users) < most {
				p.Mentions.Users = append(p.Mentions.Users, account)
			}
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		all = []post{sentence("")}
	}
	last := &all[len(all)-1]
	last.language, last.board = n.Language, n.Board
	if c := colorOf(&n); c != 0 && len(all) == 1 {
		above, framed := cardOf(n.Text, accounts, c, n.Board != nil)
		if n.Board != nil || framed.Title != "" || framed.Description != "" {
			last.Above, last.Card = above, &framed
		}
	}
	last.Components = a.rows(ctx, n.Buttons)
	if err = last.attach(ctx, n); err == nil && len(all) == 1 && (laid || a.laysOut(&n)) {
		a.layOut(ctx, last, &n, accounts)
	}
	return all, err
}

// sentence is a message of text alone, in Discord's markdown, that mentions nobody.
func sentence(text string) post {
	return post{payload: payload{Content: text, Mentions: toNobody(), Embeds: []card{}, Components: []discordgo.ActionsRow{}, Attached: []attachment{}}}
}

// plainPost is a short text that mentions nobody, in a language.
func plainPost(t words.Text, l phrase.Language) post { return sentence(markdown(t.In(l), nil)) }

// toNobody prevents a message from notifying anybody.
func toNobody() discordgo.MessageAllowedMentions {
	return discordgo.MessageAllowedMentions{Parse: []discordgo.AllowedMentionType{}}
}

// attach adds the pictures and the file of a note.
func (p *post) attach(ctx context.Context, n message.Message) error {
	if n.Shows() {
		picture, name, alt, err := n.Picture(ctx)
		if err != nil {
			return err
		}
		p.add(file{name, "image/" + path.Ext(name)[1:], picture}, alt)
		if p.Card != nil && n.Replay == nil {
			p.Card.Image = &image{"attachment://" + name, p.Attached[0].Description}
		}
	}
	if n.File != nil {
		p.add(file{n.File.Name, "text/plain; charset=utf-8", []byte(n.File.Content)}, "")
	}
	return nil
}

func (p *post) add(f file, alt string) {
	p.Attached = append(p.Attached, attachment{len(p.files), f.name, adapter.Clip(alt, maxAlt)})
	p.files = append(p.files, f)
}

// withoutFiles takes refused files off a message: it shows the board in characters, and says why there is no picture.
func (p *post) withoutFiles(why words.Text) {
	p.files, p.Attached = nil, []attachment{}
	missing := markdown(why.In(p.language), nil)
	if p.board != nil {
		missing = "```\n" + message.InCharacters(*p.board, p.language) + "```" + missing
	}
	missing = "\n" + missing
	p.Content = adapter.Clip(p.Content, maxContent-adapter.Length(missing)) + missing
}

// colorOf is the colour of a note's card, 0 if it has none: boards have one, and public questions.
func colorOf(n *message.Message) int {
	asks, goesOn := false, len(n.Buttons) == 0
	for _, b := range n.Buttons {
		switch message.VerbOf(b.Do) {
		case "join", "call-off", "agree-draw", "agree-takeback", "claim":
			asks = true
		case "pick", "play", "play-game", "resign":
			goesOn = true
		}
	}
	switch {
	case n.Board == nil && asks && !n.Step:
		return colorQuestion
	case n.Board == nil:
		return 0
	case !goesOn:
		return colorOver
	case slices.ContainsFunc(n.Board.Marks, func(m diagram.Mark) bool { return m.Kind == diagram.Check }):
		return colorCheck
	}
	return colorTurn
}

// cardOf is a text as a card of a colour, and the text above it, since Discord notifies nobody of cards: lines with
// mentions, the state of a board, and before these the title, with what comes before it, such as a result. The title is
// the first bold beginning of a line, and part of the card if there is no other text above.
func cardOf(t words.Text, accounts map[storage.PersonID]string, c int, board bool) (above string, e card) {
	e.Color = c
	lines := adapter.Lines(t)
	var cut int // where the title stands in its line
	titled := slices.IndexFunc(lines, func(line words.Text) bool {
		cut = slices.IndexFunc(line, func(s words.Span) bool { return s.Words != "" })
		return cut >= 0 && line[cut].Style == words.Bold && line[cut].Person == 0 && adapter.Length(line[cut].Words) <= maxTitle
	})
	last := len(lines) - 1
	told := len(t.People()) > 0 || board && last > titled
	var said, rest []string
	for i, line := range lines {
		if i == titled && !told {
			if e.Title, line = line[cut].Words, line[cut+1:]; len(line) > 0 {
				line[0].Words = strings.TrimLeftFunc(line[0].Words, func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(":.,", c) })
			}
		}
		text := strings.TrimSpace(markdown(line, accounts))
		if told && i <= titled || len(line.People()) > 0 || board && told && i == last {
			said = append(said, text)
		} else {
			rest = append(rest, text)
		}
	}
	e.Description = strings.TrimSpace(strings.Join(rest, "\n"))
	return strings.Join(said, "\n"), e
}

// Bounds of buttons and menus.
const (
	maxRows    = 5
	perRow     = 5
	maxMenu    = 25 // choices
	fewChoices = 10 // up to this many are buttons, more a menu
	fewTold    = 5  // the same, if they have descriptions
)

// rows lays buttons out. Those that lead to other pages stand in a row of their own.
func (a *Adapter) rows(ctx context.Context, buttons []message.Button) []discordgo.ActionsRow {
	all := []discordgo.ActionsRow{}
	choices := slices.DeleteFunc(slices.Clone(buttons), func(b message.Button) bool { return !b.Choice })
	told := slices.ContainsFunc(choices, func(b message.Button) bool { return b.About != "" })
	if len(choices) > words.Either(told, fewTold, fewChoices) {
		buttons = slices.DeleteFunc(slices.Clone(buttons), func(b message.Button) bool { return b.Choice })
		for some := range slices.Chunk(choices, maxMenu) {
			menu := discordgo.SelectMenu{MenuType: discordgo.StringSelectMenu, CustomID: fmt.Sprint("choose ", len(all))}
			for _, b := range some {
				menu.Options = append(menu.Options, discordgo.SelectMenuOption{
					Label: cmp.Or(adapter.Clip(b.Label, maxOption), "·"), Value: a.state.Pack(ctx, b.Do, maxData), Description: adapter.Clip(b.About, maxOption),
				})
			}
			all = append(all, discordgo.ActionsRow{Components: []discordgo.MessageComponent{menu}})
		}
	}
	menus, seen, turning := len(all), map[string]bool{}, false
	for _, b := range buttons {
		made := discordgo.Button{Style: style(b), Label: cmp.Or(adapter.Clip(b.Label, maxLabel), "·"), URL: b.Opens}
		if b.Opens == "" {
			made.CustomID = a.state.Pack(ctx, b.Do, maxData)
		}
		data := made.URL + made.CustomID
		if data == "" || seen[data] {
			continue // Discord refuses a message with two alike
		}
		seen[data] = true
		last := len(all) - 1
		if last < menus || len(all[last].Components) == perRow || b.Turns && !turning && len(all) < maxRows {
			if len(all) == maxRows {
				break
			}
			all = append(all, discordgo.ActionsRow{})
			last++
		}
		turning = b.Turns
		all[last].Components = append(all[last].Components, made)
	}
	return all
}

// style is how a button looks, by what it does.
func style(b message.Button) discordgo.ButtonStyle {
	switch verb := message.VerbOf(b.Do); {
	case b.Opens != "":
		return discordgo.LinkButton
	case b.Turns:
		return discordgo.SecondaryButton
	case verb == "resign":
		return discordgo.DangerButton
	case verb == "play", verb == "join", verb == "rematch", verb == "claim", strings.HasPrefix(verb, "agree-"), strings.HasSuffix(verb, "-yes"), strings.HasSuffix(b.Do, " - - 0"):
		return discordgo.PrimaryButton
	}
	return discordgo.SecondaryButton
}

// markdown is a text as Discord's markdown. accounts are those of people whom it mentions.
func markdown(t words.Text, accounts map[storage.PersonID]string) string {
	return strings.Join(phrase.Each(t, func(s words.Span) string { return formatSpan(s, accounts) }), "")
}

func formatSpan(s words.Span, accounts map[storage.PersonID]string) string {
	switch {
	case accounts[s.Person] != "":
		return "<@" + accounts[s.Person] + ">"
	case s.Person != 0:
		return "@" + escape(s.Words)
	case !s.Moment.IsZero():
		return fmt.Sprintf("<t:%d:f> (<t:%[1]d:R>)", s.Moment.Unix())
	case s.Words == "":
		return ""
	case s.Style == words.Bold:
		return "**" + escape(s.Words) + "**"
	case s.Style == words.Link:
		return "<" + s.Words + ">"
	case (s.Style == words.Code || s.Style == words.Same) && strings.Contains(s.Words, "`"):
		return "`` " + s.Words + " ``"
	case s.Style == words.Code, s.Style == words.Same:
		return "`" + s.Words + "`"
	}
	return escape(s.Words)
}

// marks are the signs with a meaning in markdown; those of headings and lists have it only where a line begins.
var marks = regexp.MustCompile("[\\\\*_~`|<>\\[\\]@]|(?m:^)[-#+](?:[ #]|\\z)")

// escape escapes all signs with a meaning in markdown.
func escape(text string) string { return marks.ReplaceAllString(text, `\$0`) }

//go:embed words
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// say is a sentence of the book.
func say(key string, parts ...any) words.Text { return words.Text{{Phrase: book.Say(key, parts...)}} }

// channelNamed mentions a channel. Discord spells that as <#id>, like an address.
func channelNamed(id string) words.Span { return words.Span{Words: "#" + id, Style: words.Link} }

// permits are the permissions that the bot needs, with the keys of their names.
var permits = map[int64]string{ //nolint:gochecknoglobals // never written
	discordgo.PermissionViewChannel:           "view-channel",
	discordgo.PermissionSendMessages:          "send-messages",
	discordgo.PermissionSendMessagesInThreads: "send-in-threads",
	discordgo.PermissionCreatePublicThreads:   "create-threads",
	discordgo.PermissionAttachFiles:           "attach-files",
	discordgo.PermissionManageThreads:         "manage-threads",
}

// without says what is impossible for lack of some permissions.
func without(key string, needed []int64, parts ...any) words.Text {
	names := phrase.Each(needed, func(p int64) phrase.Phrase { return book.Say("permission." + permits[p]) })
	return say("without."+key, append(parts, "permissions", phrase.And(names))...)
}

// shutOut says why the bot cannot write in a channel.
func shutOut(channel string, why error) words.Text {
	switch code(why) {
	case discordgo.ErrCodeMissingAccess:
		return without("seeing", []int64{discordgo.PermissionViewChannel}, "channel", channelNamed(channel))
	case discordgo.ErrCodeMissingPermissions:
		return without("posting", []int64{discordgo.PermissionSendMessages, discordgo.PermissionSendMessagesInThreads, discordgo.PermissionAttachFiles}, "channel", channelNamed(channel))
	}
	return say("channel-gone")
}

// lacks are the wanted permissions that a set of permissions does not have.
func lacks(has int64, wanted ...int64) []int64 {
	return slices.DeleteFunc(wanted, func(p int64) bool { return has&(p|discordgo.PermissionAdministrator) != 0 })
}

// manages reports whether permissions let somebody change the server's settings.
func manages(has int64) bool {
	return has&(discordgo.PermissionAdministrator|discordgo.PermissionManageGuild) != 0
}

// Messages that people come back to are laid out with Discord's newer components: lists whose lines have buttons, and
// pictures between text and buttons. If Discord refuses them, text with rows of buttons says the same. Boards are not
// laid out: so an edit can take off their buttons without knowing their text, and mentions stand above them.

// Bounds of a message that is laid out.
const (
	maxParts = 40   // including nested ones
	maxShown = 4000 // characters
)

// laysOut reports whether a note is laid out.
func (a *Adapter) laysOut(n *message.Message) bool {
	return !a.flat.Load() && n.Board == nil && n.Replay == nil &&
		(n.Chart != nil || slices.ContainsFunc(n.Buttons, func(b message.Button) bool { return b.Line > 0 }))
}

// layOut lays out a post that holds all of a note; if it cannot, the post stays as it is.
func (a *Adapter) layOut(ctx context.Context, p *post, n *message.Message, accounts map[storage.PersonID]string) {
	if n.File != nil || adapter.Length(p.Content) > maxShown {
		return
	}
	said := words.Either(len(n.Brief) > 0 && len(p.Attached) > 0, n.Brief, n.Text)
	lines, beside, others := adapter.Lines(said), map[int]message.Button{}, []message.Button(nil)
	for _, b := range n.Buttons {
		if _, taken := beside[b.Line]; b.Line == 0 || b.Line > len(lines) || taken {
			others = append(others, b)
		} else {
			beside[b.Line] = b
		}
	}
	whole := a.arrange(ctx, p, n, lines, beside, others, accounts)
	if parts(&whole) > maxParts {
		whole = a.arrange(ctx, p, n, lines, nil, n.Buttons, accounts)
	}
	if c := colorOf(n); c != 0 {
		whole.AccentColor = &c
	}
	p.Layout = []discordgo.Container{whole}
}

// parts counts the components of a layout.
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

// arrange puts lines, some with buttons beside them, above the picture and other buttons of a note.
func (a *Adapter) arrange(ctx context.Context, p *post, n *message.Message, lines []words.Text, beside map[int]message.Button, others []message.Button, accounts map[storage.PersonID]string) (whole discordgo.Container) {
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
		rows := a.rows(ctx, []message.Button{b})
		add(discordgo.Section{Components: []discordgo.MessageComponent{discordgo.TextDisplay{Content: cmp.Or(said, "·")}}, Accessory: rows[0].Components[0]})
	}
	flush()
	if n.Pictured() && len(p.Attached) > 0 {
		add(discordgo.MediaGallery{Items: []discordgo.MediaGalleryItem{{
			Media: discordgo.UnfurledMediaItem{URL: "attachment://" + p.Attached[0].Filename}, Description: &p.Attached[0].Description,
		}}})
	}
	for _, r := range a.rows(ctx, others) {
		add(r)
	}
	return whole
}

// MarshalJSON implements [json.Marshaler].
func (p payload) MarshalJSON() ([]byte, error) {
	type plain payload
	switch {
	case p.Layout == nil && p.Card == nil:
		p.Flags |= discordgo.MessageFlagsSuppressEmbeds
		return json.Marshal(plain(p))
	case p.Layout == nil:
		p.Content, p.Embeds = p.Above, []card{*p.Card}
		return json.Marshal(plain(p))
	}
	p.Flags |= discordgo.MessageFlagsIsComponentsV2
	laid := struct {
		plain
		Content    json.RawMessage       `json:"content,omitempty"`
		Embeds     json.RawMessage       `json:"embeds,omitempty"`
		Components []discordgo.Container `json:"components"`
	}{plain: plain(p), Components: p.Layout}
	if p.Edits { // the old text and cards have to go
		laid.Content, laid.Embeds = json.RawMessage("null"), json.RawMessage("[]")
	}
	return json.Marshal(laid)
}

// flattens reports whether to send a message again without its layout, since Discord refused that: from then on no
// message has one.
func (a *Adapter) flattens(ctx context.Context, p *post, err error) bool {
	if p.Layout == nil || status(err) != http.StatusBadRequest || code(err) == discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged {
		return false
	}
	if !a.flat.Swap(true) {
		a.failed(ctx, slog.LevelWarn, "messages can't be laid out: they are plain from now on", err)
	}
	p.Layout = nil
	return true
}

// keyGreeted begins the keys under which servers are stored that the bot has greeted.
const keyGreeted = "greeted/"

// joined is the server of an event.
type joined struct {
	ID     string
	Locale string    `json:"preferred_locale"`
	System string    `json:"system_channel_id"`
	Owner  string    `json:"owner_id"`
	At     time.Time `json:"joined_at"` // zero in an update
}

// greetServer greets a server that the bot has just joined, once: in its system channel, or else privately to the
// person who invited the bot.
func (a *Adapter) greetServer(ctx context.Context, g *joined) {
	defer a.rescue(ctx, "hello")
	const lately = 10 * time.Minute
	if time.Since(g.At) > lately || a.state.Get(ctx, keyGreeted+g.ID) != "" {
		return
	}
	l, _ := phrase.Match(g.Locale)
	hello, nonce := bot.Joined(l), "j"+g.ID
	asking := adapter.Retry{First: a.pace.retry, Tries: 4, Pause: a.await, Verdict: a.verdict}
	err := asking.Do(ctx, func() (err error) {
		if g.System != "" {
			_, err = a.write(ctx, g.System, "", nonce, hello)
		}
		if g.System == "" || err != nil && !passing(err) {
			var private string
			if private, err = a.privately(ctx, a.inviter(ctx, g)); err == nil {
				_, err = a.write(ctx, private, "", nonce, hello)
			}
		}
		return err
	})
	a.failed(ctx, slog.LevelInfo, "no hello in a server", err)
	if !passing(err) {
		a.state.Set(ctx, keyGreeted+g.ID, "yes")
	}
}

// inviter is who added the bot to a server, if the bot may know that, else the owner.
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
