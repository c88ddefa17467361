package discord

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/discord/gateway"
	"chimera/bot/message"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// interaction is a command, a press or the like: the parts that the bot needs.
type interaction struct {
	ID            string
	ApplicationID string `json:"application_id"`
	Type          discordgo.InteractionType
	Token         string
	GuildID       string `json:"guild_id"`
	GuildLocale   string `json:"guild_locale"`
	ChannelID     string `json:"channel_id"`
	Locale        string // of the person's client
	Channel       *discordgo.Channel
	Context       discordgo.InteractionContextType
	Owners        map[string]json.RawMessage `json:"authorizing_integration_owners"` // where the bot is installed: "0" for a server, or a chat with the bot, "1" for a person
	Permissions   *int64                     `json:"app_permissions,string"`         // of the bot, in this channel
	Member        *discordgo.Member
	User          *discordgo.User
	Message       *posted
	Data          *struct {
		Name       string
		CustomID   string     `json:"custom_id"`
		Values     []string   // that were chosen from a menu
		Components []struct { // of a form that was filled in
			Component struct {
				Type   discordgo.ComponentType
				Name   string `json:"custom_id"`
				Value  any
				Values []string
			}
		}
		TargetID string `json:"target_id"`
		Options  []*option
		Resolved struct{ Users map[string]*discordgo.User }
	}
}

// private reports whether it happened in a private chat among people.
func (i *interaction) private() bool { return i.Context == discordgo.InteractionContextPrivateChannel }

// away reports whether the bot is not a member where it happened.
func (i *interaction) away() bool {
	_, member := i.Owners["0"] // the server in which it was installed
	return i.private() || i.GuildID != "" && len(i.Owners) > 0 && !member
}

// inThread reports whether it happened in a thread.
func (i *interaction) inThread() bool { return i.Channel != nil && i.Channel.IsThread() }

// late is the age up to which an interaction that comes after an outage can still be answered.
const late = 3 * time.Second

// interaction takes a command, a press, or a request to complete a command.
func (a *Adapter) interaction(ctx context.Context, i *interaction, e gateway.Event) {
	if i.ChannelID == "" && i.Channel != nil {
		i.ChannelID = i.Channel.ID
	}
	if i.Member != nil && i.Member.User != nil {
		i.User = i.Member.User
	}
	if i.User == nil || !areIDs(i.ID, i.ChannelID, cmp.Or(i.GuildID, "1"), i.User.ID) || i.Data == nil {
		e.Done() // it is from nobody, from nowhere or about nothing
		return
	}
	if len(i.Data.Values) > 0 {
		i.Data.CustomID = i.Data.Values[0] // a choice counts as a press
	}
	q := newReply(a, i, time.Now())
	made, _ := discordgo.SnowflakeTimestamp(i.ID) // it is a number
	// An age beyond a day is a wrong id or clock.
	if age := q.at.Sub(made); e.Late && age > late && age < day {
		// Another process has answered it, or nobody can any more. To a command, the other process may have only promised
		// an answer, which is given now.
		q.stage, q.late = words.Either(q.pressed(), lost, promised), true
	}
	verb := message.VerbOf(i.Data.CustomID)
	switch i.Type {
	case discordgo.InteractionApplicationCommandAutocomplete:
		a.work.Add(i.ID, func() { a.complete(ctx, q) })
	case discordgo.InteractionApplicationCommand, discordgo.InteractionMessageComponent, discordgo.InteractionModalSubmit:
		if i.Type == discordgo.InteractionMessageComponent && (verb == verbType || verb == verbPlan) {
			a.work.Add(i.ID, func() { a.openForm(ctx, q, verb) })
			break
		}
		carryOut := func() {
			q.hurry(ctx)
			a.take(i.ChannelID, e, func() { a.carryOut(ctx, q, e) })
		}
		var first func(context.Context, *reply) bool // tried first; if false, the interaction is carried out
		switch {
		case a.opens() && q.stage == unanswered && message.VerbOf(i.Data.CustomID) == message.OpenPage && a.refused(i.ChannelID+toLaunch) == nil:
			first = a.launch
		case !q.pressed() && i.Data.Name == "challenge" && len(i.Data.Options) == 0 && !a.formless.Load():
			first = a.askTerms // no option is filled in
		case verb == verbFill && i.Type == discordgo.InteractionMessageComponent:
			first = a.askSettings
		default:
			carryOut()
			return
		}
		a.work.Add(i.ID, func() {
			if !first(ctx, q) {
				carryOut()
				return
			}
			e.Done()
		})
		return
	default: // other kinds do not come from this bot
	}
	e.Done() // if it is sent again, nobody waits for it any more
}

// saidBy is an interaction as a message to the bot, without its text or press.
func (a *Adapter) saidBy(ctx context.Context, i *interaction) message.Incoming {
	where := a.roomOf(ctx, i.ChannelID)
	m := message.Incoming{
		ID: "i" + i.ID, Place: address(where.place), Server: address(i.GuildID), Private: i.GuildID == "" && !i.private(), Alone: true, Fills: true, Awaits: true,
		From: a.person(i.User), Spoken: i.GuildLocale, ReplyTo: where.game,
	}
	m.From.Locale = i.Locale
	if i.inThread() {
		m.Within = address(i.Channel.ParentID)
	} else if i.Channel != nil {
		m.Within = address(i.Channel.ID)
	}
	if i.Member != nil {
		m.Manager = manages(i.Member.Permissions)
	}
	if i.private() { // it is a group, and all its people may choose for it
		m.Server, m.Group, m.Manager = m.Place, true, true
	}
	return m
}

// carryOut does what an interaction wants, and answers it.
func (a *Adapter) carryOut(ctx context.Context, q *reply, e gateway.Event) {
	ctx = storage.AsOfNow(ctx)
	q.answered = a.post.Answering()
	a.handOver(ctx, q, e.Again)
	said := a.saidBy(ctx, q.i)
	var notes, refused []message.Message
	switch q.i.Type {
	case discordgo.InteractionModalSubmit:
		switch message.VerbOf(q.i.Data.CustomID) {
		case verbTerms:
			q.i.Data.Name, q.i.Data.Options = "challenge", filledTerms(q.i)
			said.Filled = true
			said.Text, said.People, _ = a.filledIn(ctx, q.i) // no field can be wrong
		case verbFill:
			chosen := said
			chosen.ID = "" // it is several messages
			all, here := a.inFill(ctx, q.i, chosen)
			refused, _ = a.bot.Choose(ctx, chosen, here, filledSettings(q.i, all))
			said.Press = strings.TrimPrefix(q.i.Data.CustomID, verbFill+" ")
		default:
			said.Text = inForm(q.i)
		}
	case discordgo.InteractionMessageComponent:
		press := a.state.Unpack(ctx, q.i.Data.CustomID)
		if command, ok := strings.CutPrefix(press, verbEveryone); ok {
			said.Text, said.People, said.Public, said.Alone = command, map[string]message.Account{}, true, false
			a.addNamed(ctx, command, said.People)
		} else {
			said.Press = strings.TrimPrefix(press, verbFill+" ") // where no form can be opened
		}
	default:
		typed, named, fault := a.filledIn(ctx, q.i)
		if said.Text, said.People, said.Filled = typed, named, true; fault != nil {
			notes = []message.Message{{Text: fault.In(a.bot.Language(ctx, said))}}
		}
	}
	if notes == nil {
		if !q.i.away() {
			a.readFrom(ctx, q.i.ChannelID, q.i.ID)
		}
		notes = append(warn(q.i, a.handle(ctx, said)), refused...)
	}
	q.wait(ctx, notes)
	a.addForms(notes)
	q.addEveryone(said.Text, notes)
	a.work.Add(q.i.ID, func() {
		defer e.Done()
		defer q.answered()
		defer a.rescue(ctx, "answer")
		q.answer(ctx, notes, said.Public)
		a.bot.Metrics.Answer(Platform, q.at)
		if len(notes) == 1 && notes[0].Soon != nil {
			a.work.Add("soon "+q.i.ID, func() { q.answerSoon(notes[0].Soon) })
		}
	})
}

// warn adds to the answers, if the bot may not show the outcome there, that others will not see it.
func warn(i *interaction, notes []message.Message) []message.Message {
	if i.Permissions == nil || i.GuildID == "" || i.away() {
		return notes
	}
	speak := words.Either[int64](i.inThread(), discordgo.PermissionSendMessagesInThreads, discordgo.PermissionSendMessages)
	acks := slices.IndexFunc(notes, func(n message.Message) bool { return n.Ack })
	if missing := lacks(*i.Permissions, discordgo.PermissionViewChannel, speak); len(missing) > 0 && acks >= 0 {
		more := message.Message{To: notes[acks].To, Text: without("showing", missing)}
		more.Speak(notes[acks].Language)
		return append(notes, more)
	}
	return notes
}

// Verbs of buttons that open a form to type something about a game: on phones it has more room than the line of a slash
// command.
const (
	verbType = "type" // a move
	verbPlan = "plan" // conditional moves
)

// openForm opens the form that a press asks for, which has one line with a label.
func (a *Adapter) openForm(ctx context.Context, q *reply, verb string) {
	defer a.rescue(ctx, "form")
	example := words.Either(verb == verbPlan, "e5 then Nf3, if Nc6 then Bb5", "Nf3")
	l := a.bot.Language(ctx, a.saidBy(ctx, q.i))
	line := map[string]any{
		"type": discordgo.TextInputComponent, "custom_id": "text", "style": discordgo.TextInputShort,
		"placeholder": example, "max_length": maxField, "required": true,
	}
	a.openParts(ctx, q, book.Say("label."+verb).Text(l), q.i.Data.CustomID, []any{labelled(book.Say("label."+verb+"-line").Text(l), "", line)})
}

// verbTerms is the verb of the form for a challenge's terms.
const verbTerms = "terms"

// Kinds of form parts that the library does not know.
const (
	partLabel    discordgo.ComponentType = 18 // labels another part
	partRadio    discordgo.ComponentType = 21
	partChecks   discordgo.ComponentType = 22
	partCheckbox discordgo.ComponentType = 23
)

// askTerms opens a form for a challenge's terms; false if that fails.
func (a *Adapter) askTerms(ctx context.Context, q *reply) bool {
	defer a.rescue(ctx, "form")
	said := a.saidBy(ctx, q.i)
	l := a.bot.Language(ctx, said)
	var parts []any
	for _, arg := range bot.CommandNamed("challenge").Args {
		part := map[string]any{"custom_id": arg.Name, "required": false}
		var options []map[string]any
		add := func(label, value string) {
			options = append(options, map[string]any{"label": adapter.Clip(label, maxOption), "value": value})
		}
		switch arg.Kind {
		case bot.ArgPerson:
			part["type"] = discordgo.UserSelectMenuComponent
		case bot.ArgVariant:
			part["type"] = discordgo.SelectMenuComponent
			for _, v := range a.games() {
				add(v.title.Text(l), v.Value)
			}
		case bot.ArgFlag:
			part = map[string]any{"type": partCheckbox, "custom_id": arg.Name, "default": true}
		default:
			part["type"] = partRadio
			for _, word := range arg.Words {
				add(arg.Choice(word).Text(l), word)
			}
			for _, s := range a.bot.Suggest(ctx, said, "challenge", arg.Name, "", "") {
				add(s.Label, s.Value)
			}
		}
		if options != nil {
			part["options"] = options
		}
		parts = append(parts, labelled(arg.Title().Text(l), arg.About().Text(l), part))
	}
	return a.openParts(ctx, q, words.Label("begin-new").Text(l), verbTerms, parts)
}

// labelled is a part of a form with a label and a description.
func labelled(label, about string, part map[string]any) any {
	const short, long = 45, 100
	named := map[string]any{"type": partLabel, "label": adapter.Clip(label, short), "component": part}
	if about != "" {
		named["description"] = adapter.Clip(about, long)
	}
	return named
}

// openParts opens a form of several parts, which only the first answer can do; false if that fails.
func (a *Adapter) openParts(ctx context.Context, q *reply, title, id string, parts []any) bool {
	if q.stage != unanswered {
		return false
	}
	err := q.send(ctx, http.MethodPost, q.callback(), map[string]any{"type": discordgo.InteractionResponseModal, "data": map[string]any{
		"title": title, "custom_id": id, "components": parts,
	}}, &post{})
	if status(err) == http.StatusBadRequest && code(err) != discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged {
		if !a.formless.Swap(true) {
			a.failed(ctx, slog.LevelWarn, "there are no forms with more than text", err)
		}
		return false
	}
	a.failed(ctx, slog.LevelInfo, "form not opened", err)
	return true
}

// verbFill begins the press that opens a form with all settings of a list; the press that shows the list again follows
// it.
const verbFill = "fill"

// inFill are the settings of such a form, and whether they are those of the server. A form has five parts at most: of the
// server's, those are left out whose values all have buttons.
func (a *Adapter) inFill(ctx context.Context, i *interaction, said message.Incoming) (all []bot.Choosable, here bool) {
	list := message.VerbOf(strings.TrimPrefix(i.Data.CustomID, verbFill+" "))
	here = strings.HasSuffix(list, "-here")
	return slices.DeleteFunc(a.bot.Settings(ctx, said, here), func(s bot.Choosable) bool {
		return s.OfBoards != strings.HasPrefix(list, "settings-boards") || here && (s.Name == user.SetRooms || s.Name == user.SetLanguage)
	}), here
}

// ticked reports whether a setting is one of two values, of which the first is ticked.
func ticked(s bot.Choosable) bool { return len(s.Values) == 2 }

// askSettings opens the settings form of a press; false if that fails, or if the asker may not choose them.
func (a *Adapter) askSettings(ctx context.Context, q *reply) bool {
	defer a.rescue(ctx, "form")
	said := a.saidBy(ctx, q.i)
	all, here := a.inFill(ctx, q.i, said)
	if here && !said.Manager {
		return false
	}
	l := a.bot.Language(ctx, said)
	called := func(value string) string { return words.SettingValue(value, a.bot.Games.Variants()).Text(l) }
	var parts []any
	var ticks []map[string]any
	for _, s := range all {
		part := map[string]any{"custom_id": s.Name, "required": false}
		switch {
		case ticked(s):
			ticks = append(ticks, map[string]any{"value": s.Name, "label": s.Title + ": " + called(s.Values[0]), "default": s.Value == s.Values[0]})
			continue
		case slices.Contains(s.Values, s.Value):
			part["type"], part["options"] = discordgo.SelectMenuComponent, phrase.Each(s.Values, func(value string) any {
				return map[string]any{"value": value, "label": adapter.Clip(called(value), maxOption), "default": value == s.Value}
			})
		default:
			part["type"], part["style"], part["value"], part["max_length"] = discordgo.TextInputComponent, discordgo.TextInputShort, s.Value, maxField
		}
		parts = append(parts, labelled(s.Title, "", part))
	}
	if ticks != nil {
		group := map[string]any{"type": partChecks, "custom_id": verbFill, "options": ticks, "min_values": 0, "required": false}
		parts = append(parts, labelled(book.Say("label.switched-on").Text(l), "", group))
	}
	return a.openParts(ctx, q, words.Label("begin-settings").Text(l), q.i.Data.CustomID, parts)
}

// filledSettings are the values of a form for some settings, by their names; "" for one that is not in it.
func filledSettings(i *interaction, all []bot.Choosable) func(name string) string {
	filled := map[string]string{}
	for _, p := range i.Data.Components {
		c := p.Component
		text, _ := c.Value.(string)
		filled[c.Name] = text + strings.Join(c.Values, "")
		for _, s := range all {
			if c.Name == verbFill && ticked(s) {
				filled[s.Name] = words.Either(slices.Contains(c.Values, s.Name), s.Values[0], s.Values[1])
			}
		}
	}
	return func(name string) string { return filled[name] }
}

// filledTerms are the terms filled in for a challenge.
func filledTerms(i *interaction) (all []*option) {
	for _, p := range i.Data.Components {
		c := p.Component
		kind := words.Either(c.Type == discordgo.UserSelectMenuComponent, discordgo.ApplicationCommandOptionUser, discordgo.ApplicationCommandOptionString)
		o := &option{Name: c.Name, Type: kind, Value: c.Value}
		if len(c.Values) > 0 {
			o.Value = c.Values[0]
		}
		if o.Value != nil && o.Value != true { // games are rated unless said otherwise
			all = append(all, o)
		}
	}
	return all
}

// inForm is a filled-in form as a command.
func inForm(i *interaction) string {
	verb, game, _ := strings.Cut(i.Data.CustomID, " ")
	text := map[string]string{verbType: "move", verbPlan: "if"}[verb] + " #" + game
	for _, p := range i.Data.Components {
		value, _ := p.Component.Value.(string)
		text += " " + value
	}
	return text
}

// addForms adds the buttons that open forms to a player's notes: to the first page of a picker, to the page of a game's
// other actions, and to lists of settings.
func (a *Adapter) addForms(notes []message.Message) {
	for i := range notes {
		n := &notes[i]
		leadsOn, here := n.Step && n.Has("back"), words.Either(n.Has("setting-here"), "-here", "")
		switch {
		case n.Has("setting"+here) && !a.formless.Load():
			list := words.Either(n.Has("settings-boards"+here), "settings"+here+" 0 -", "settings-boards"+here+" 0 - boards")
			addButton(n, message.Button{Label: book.Say("label.fill").Text(n.Language), Do: verbFill + " " + list})
		case leadsOn && n.Has("pick"):
			addButton(n, message.Button{Label: book.Say("label.type").Text(n.Language), Do: fmt.Sprint(verbType, " ", n.Game()), Turns: true})
		case leadsOn && n.Plans:
			addButton(n, message.Button{Label: book.Say("label.plan").Text(n.Language), Do: fmt.Sprint(verbPlan, " ", n.Game()), Turns: true})
		}
	}
}

// addButton adds a button to a note, which may share its buttons with another.
func addButton(n *message.Message, b message.Button) { n.Buttons = append(slices.Clip(n.Buttons), b) }

// verbEveryone begins the press that shows everyone the answer to the command after it.
const verbEveryone = "everyone "

// addEveryone puts a button below an answer with a picture that others may want to see too; it shows that answer to
// everyone.
func (q *reply) addEveryone(command string, notes []message.Message) {
	wanted := (q.i.GuildID != "" || q.i.private()) && !q.pressed() && slices.Contains([]string{"board", "compare", "profile", "replay", "top"}, q.i.Data.Name)
	if i := slices.IndexFunc(notes, func(n message.Message) bool { return n.Shows() }); wanted && i >= 0 {
		addButton(&notes[i], message.Button{Label: book.Say("label.show-everyone").Text(notes[i].Language), Do: verbEveryone + command})
	}
}

var accountSign = regexp.MustCompile(`<@([0-9]+)>`)

// addNamed adds the people named by a command who are not known yet.
func (a *Adapter) addNamed(ctx context.Context, command string, named map[string]message.Account) {
	for _, found := range accountSign.FindAllStringSubmatch(command, -1) {
		if _, known := named[found[0]]; known {
			continue
		}
		u, err := a.rest.User(found[1], discordgo.WithContext(ctx))
		if a.failed(ctx, slog.LevelInfo, "person not known", err); err == nil {
			named[found[0]] = a.person(u)
		}
	}
}

// The bot's pages are an Activity too: Discord shows them in a frame, to everyone in a channel who joins. A press on
// Open board launches it, as an instance whose number is in the page's address. The page asks Discord for a code, with
// which the bot finds out who is there; Discord itself says whether they are in the instance. If an Activity cannot be
// launched, the press is answered with a link, as on other platforms.

// launchActivity is the kind of answer that opens the Activity; the library does not know it.
const launchActivity discordgo.InteractionResponseType = 12

// entryPoint is the kind of the command that lists the Activity among a server's apps.
const entryPoint discordgo.ApplicationCommandType = 4

const (
	keyPressed  = "pressed/"  // the board that an account asked for last, when, and the instance that it was launched as
	keyInstance = "instance/" // the board last asked for in an instance

	pressedFor = 5 * time.Minute // after that, somebody who joins follows the others
)

// launch opens the Activity at the board that a press asks for; false if that cannot be.
func (a *Adapter) launch(ctx context.Context, q *reply) bool {
	defer a.rescue(ctx, "launch")
	var launched struct {
		Resource struct {
			Instance struct{ ID string } `json:"activity_instance"`
		}
	}
	game := strings.Fields(q.i.Data.CustomID)[1]
	note := func(instance string) {
		err := a.state.PutAbout(ctx, q.i.User.ID, keyPressed+q.i.User.ID, fmt.Append(nil, game, " ", q.at.Unix(), " ", instance))
		a.failed(ctx, slog.LevelWarn, "press not noted", err)
	}
	note("") // they may be there before Discord has answered
	trying, cancel := context.WithTimeout(ctx, a.pace.answer)
	defer cancel()
	err := a.call(trying, http.MethodPost, q.callback()+"?with_response=true", map[string]any{"type": launchActivity}, &launched)
	if err == nil {
		note(launched.Resource.Instance.ID)
		a.state.Set(ctx, keyInstance+launched.Resource.Instance.ID, game)
	} else if code(err) != discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged {
		a.refuse(q.i.ChannelID+toLaunch, err)
		a.unlaunched.Do(func() {
			a.failed(ctx, slog.LevelWarn, "the Activity can't be launched everywhere: links are given instead", err)
		})
		return false
	}
	return true
}

// Application is the id under which Discord knows the pages, "" if it is not known yet or there is no client secret.
func (a *Adapter) Application(ctx context.Context) string {
	if me := a.self(ctx); me != nil && a.secret != "" {
		return me.Application
	}
	return ""
}

var instanceName = regexp.MustCompile(`^[\w-]{1,100}$`)

// SignIn is who has got a code from Discord in an instance, and the game that they came for: that of the link they
// followed, else the board that they or others there asked for, 0 for none. ok is false if Discord does not confirm
// that they are there.
func (a *Adapter) SignIn(ctx context.Context, code, instance, link string) (who message.Account, game storage.GameID, ok bool) {
	application := a.Application(ctx)
	if application == "" || !instanceName.MatchString(instance) {
		return who, 0, false
	}
	u, err := a.userOf(ctx, application, code)
	var there struct{ Users []string }
	if err == nil {
		err = a.call(ctx, http.MethodGet, "applications/"+application+"/activity-instances/"+instance, nil, &there)
	}
	a.failed(ctx, slog.LevelInfo, "nobody signed in to the Activity", err)
	if err != nil || !slices.Contains(there.Users, u.ID) {
		return who, 0, false
	}
	asked := a.state.GetAll(ctx, keyPressed+u.ID, keyInstance+instance)
	pressed, rest, _ := strings.Cut(asked[0], " ")
	at, in, _ := strings.Cut(rest, " ")
	if when, _ := strconv.ParseInt(at, 10, 64); time.Since(time.Unix(when, 0)) > pressedFor || in != "" && in != instance {
		pressed = ""
	}
	n, _ := strconv.ParseUint(cmp.Or(link, pressed, asked[1]), 10, 64) // 0 if there is none
	who = a.person(u)
	who.Locale = u.Locale
	return who, storage.GameID(n), true
}

// userOf is the user to whom Discord gave a code.
func (a *Adapter) userOf(ctx context.Context, application, code string) (*discordgo.User, error) {
	var token struct {
		Secret string `json:"access_token"`
	}
	form := url.Values{"client_id": {application}, "client_secret": {a.secret}, "grant_type": {"authorization_code"}, "code": {code}}
	answer, err := a.session("").RequestRaw(http.MethodPost, discordgo.EndpointOAuth2+"token", "application/x-www-form-urlencoded", []byte(form.Encode()), "oauth2", 0, discordgo.WithContext(ctx))
	if err == nil {
		err = json.Unmarshal(answer, &token)
	}
	if err != nil {
		return nil, err
	}
	return a.session("Bearer "+token.Secret).User("@me", discordgo.WithContext(ctx))
}

// opens reports whether boards are opened inside Discord.
func (a *Adapter) opens() bool { return a.secret != "" && a.bot.Pages() != "" }
