package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Send says something at a place, or in the thread of the game that it is about.
func (a *Adapter) Send(ctx context.Context, d bot.Delivery) (outbox.Receipt, error) {
	if d.Renews() {
		return nil, a.renew(ctx, d)
	}
	if d.Begins() && d.Place.Owner == 0 {
		d.Note = a.calling(ctx, d)
	}
	if d.Reminds() && d.Entry.Game != 0 && d.Place.Owner != 0 && a.opens() && a.Application(ctx) != "" { // only they see the link
		at := fmt.Sprintf("https://discord.com/activities/%s?custom_id=%d", a.Application(ctx), d.Entry.Game)
		addButton(&d.Note, message.Button{Label: words.Label("open-board").Text(d.Note.Language), Opens: at})
	}
	known := a.state.GetAll(ctx, keyAway+d.Place.Address.ID, threadKey(d.Place.Address.ID, d.Entry.Game))
	if known[0] != "" {
		return a.sendAway(ctx, d)
	}
	where, err := a.threadFor(ctx, d, known[1])
	if err != nil {
		return nil, a.verdict(err)
	}
	if closed, err := a.closes(ctx, where, d); closed || err != nil {
		receipt := outbox.Receipt{}
		a.state.SetOffers(receipt, where.place, d.Entry.Game, nil)
		return receipt, a.verdict(err)
	}
	if d.Note.Board == nil && where.game == 0 {
		d.Note.Text = a.withThreads(ctx, d.Note.Text)
	}
	where, sent, err := a.writeIn(ctx, where, d)
	if err != nil {
		return nil, a.unsent(ctx, d, err)
	}
	if d.Ends() && where.game == d.Entry.Game {
		a.work.Add(where.channel, func() { // it may be archived after a day without a message
			defer a.rescue(ctx, "thread")
			const soon = 1440 // minutes
			err := a.call(context.WithoutCancel(ctx), http.MethodPatch, "channels/"+where.channel, map[string]any{"auto_archive_duration": soon}, nil)
			a.failed(ctx, slog.LevelInfo, "thread stays", err)
		})
	}
	return a.receipt(ctx, where, sent, d), nil
}

// writeIn writes a delivery's note in a room, or in the channel if a game's thread takes none, and returns where, and the id
// of its last message.
func (a *Adapter) writeIn(ctx context.Context, where room, d bot.Delivery) (at room, sent string, err error) {
	write := func() (string, error) {
		return a.write(ctx, where.channel, "", nonceOf("e", d)+".", also(d.Note, where.why))
	}
	sent, err = write()
	archived := code(err) == discordgo.ErrCodePerformedOperationOnArchivedThread
	unlocked := map[string]any{"archived": false, "locked": false} // a message alone does not bring each back
	if where.game != 0 && archived && a.call(ctx, http.MethodPatch, "channels/"+where.channel, unlocked, nil) == nil {
		sent, err = write()
	}
	switch no := code(err); {
	case where.game == 0 || err == nil:
		return where, sent, err
	case no == discordgo.ErrCodeUnknownChannel:
		a.closeThread(ctx, where)
		where = room{channel: where.place, place: where.place}
	case no == discordgo.ErrCodePerformedOperationOnArchivedThread: // this may pass, and so may the next
		where = room{channel: where.place, place: where.place, why: without("locked", []int64{discordgo.PermissionManageThreads})}
	case status(err) == http.StatusForbidden:
		where = room{channel: where.place, place: where.place, why: without("post-in-thread", []int64{discordgo.PermissionSendMessagesInThreads})}
	default:
		return where, sent, err
	}
	sent, err = write()
	return where, sent, err
}

// unsent is the verdict on a delivery that met an error. If the bot was shut out of the place, those whom it concerns are
// told privately.
func (a *Adapter) unsent(ctx context.Context, d bot.Delivery, err error) error {
	verdict := a.verdict(err)
	if never, is := errors.AsType[*outbox.Never](verdict); is && never.Gone && d.Place.Gone.IsZero() {
		people, unknown := a.bot.Users.Concerned(ctx, d.Entry.Game)
		a.failed(ctx, slog.LevelError, "people not known", unknown)
		if missed := a.tellPrivately(ctx, people, nonceOf("h", d), shutOut(d.Place.Address.ID, err)); missed != nil {
			return a.verdict(missed)
		}
	}
	return verdict
}

// nonceOf is the nonce of what is said for a delivery, of which there are several kinds; it has at most 25 characters.
func nonceOf(kind string, d bot.Delivery) string { return kind + strconv.FormatUint(d.Entry.ID, 36) }

// also is a note with more text, if there is any, in a line of its own.
func also(n message.Message, more words.Text) message.Message {
	n.Text = words.Join("\n", n.Text, more.In(n.Language))
	return n
}

// write writes a note into a channel, in reply to a message unless that is "", and returns the id of its last message.
// With the same nonce, it is written once even if tried again.
func (a *Adapter) write(ctx context.Context, channel, to, nonce string, n message.Message) (id string, err error) {
	drafts, err := a.drafts(ctx, n, n.Language, false)
	if err != nil {
		return "", err
	}
	for i, p := range drafts {
		var sent struct {
			ID     string
			Embeds []struct{}
		}
		if to != "" {
			p.Reference = &discordgo.MessageReference{MessageID: to, FailIfNotExists: new(bool)}
		}
		p.Nonce, p.Enforce = fmt.Sprint(nonce, i), true
		if a.refused(channel+withCard) != nil {
			p.Layout, p.Card = nil, nil
		}
		err := a.postTo(ctx, channel, &p, &sent)
		if a.flattens(ctx, &p, err) {
			err = a.postTo(ctx, channel, &p, &sent)
		}
		if code(err) == discordgo.ErrCodeCannotReplyWithoutPermissionToReadMessageHistory {
			to, p.Reference = "", nil // it may write here, but not reply
			err = a.postTo(ctx, channel, &p, &sent)
		}
		if code(err) == discordgo.ErrCodeMissingPermissions && (len(p.Attached) > 0 || p.Card != nil) { // perhaps refused only because of these
			p.Layout, p.Card = nil, nil
			if len(p.Attached) > 0 {
				p.withoutFiles(without("picture", []int64{discordgo.PermissionAttachFiles}))
			}
			err = a.postTo(ctx, channel, &p, &sent)
		}
		if err != nil {
			return "", err
		}
		if p.Card != nil && p.Layout == nil && len(sent.Embeds) == 0 {
			a.spellOut(ctx, channel, sent.ID, &p)
		}
		id = sent.ID
	}
	return id, nil
}

// receipt notes which game a message shows, and takes the buttons off messages that came before it.
func (a *Adapter) receipt(ctx context.Context, where room, sent string, d bot.Delivery) outbox.Receipt {
	game := d.Entry.Game
	if game == 0 || sent == "" {
		return nil
	}
	receipt, at := adapter.Shows(where.channel, sent, game), adapter.Ref{Channel: where.channel, ID: sent}
	if d.Talks() { // its button stays good
		return receipt
	}
	pressable := len(d.Note.Buttons) > 0
	shown := d.Note.Board != nil && pressable
	boards, open := a.state.Shown(ctx, where.place, game)
	if shown || !pressable && d.AnswersOffers() {
		for _, o := range open {
			a.sweep(where.place, o.Ref, outcome(where, d, o.About))
		}
		a.state.SetOffers(receipt, where.place, game, nil)
	} else if pressable && d.Asks() != "" {
		a.state.SetOffers(receipt, where.place, game, append(open, adapter.Offer{Ref: at, About: d.Asks()}))
	}
	if shown || pressable && d.Asks() == "" {
		for _, stale := range a.state.Posted(receipt, where.place, game, at, shown, boards) {
			a.sweep(where.place, stale, "")
		}
	}
	return receipt
}

// outcome is what the message of a challenge or an offer says about its end.
func outcome(where room, d bot.Delivery, asked string) string {
	key := cmp.Or(d.Outcome(), d.OfferOutcome(asked))
	inThread := say("challenge.accepted-in-thread", "thread", channelNamed(where.channel))
	said := words.Either(key == "accepted" && where.channel != where.place, inThread, say("challenge."+key))
	return markdown(said.In(d.Note.Language), nil)
}

// calling makes the first board of a game mention both players, in its title where that names them.
func (a *Adapter) calling(ctx context.Context, d bot.Delivery) message.Message {
	players, err := a.bot.Users.Concerned(ctx, d.Entry.Game)
	a.failed(ctx, slog.LevelError, "people not known", err)
	for _, p := range players {
		if _, here := p.On(Platform); !here || slices.Contains(d.Note.Text.People(), p.ID) {
			continue
		}
		named := words.Span{Words: p.Name, Person: p.ID}
		within := " " + p.Name + " ("
		i := slices.IndexFunc(d.Note.Text, func(s words.Span) bool { return strings.Contains(s.Words, within) })
		if i < 0 {
			d.Note = also(d.Note, words.Text{named})
			continue
		}
		before, after, _ := strings.Cut(d.Note.Text[i].Words, within)
		d.Note.Text = slices.Concat(d.Note.Text[:i], words.Text{{Words: before + " "}, named, {Words: " (" + after}}, d.Note.Text[i+1:])
	}
	return d.Note
}

// answer gives answers to a message.
func (a *Adapter) answer(ctx context.Context, m *posted, said message.Incoming, notes []message.Message) {
	defer a.rescue(ctx, "answer")
	if a.tired(m.Author.ID, ofPerson) || a.tired(m.GuildID, ofServer) {
		return
	}
	if said.Private {
		a.known.Remove(m.ChannelID) // they may take answers by now
	}
	alone := false
	for i, n := range notes {
		if n.Ack {
			continue // everyone will be told of it
		}
		nonce := fmt.Sprint("r", m.ID, ".", i, ".")
		if !said.Private && bot.CommandIn(&said).Whose == bot.AskerAlone {
			if private, err := a.privately(ctx, m.Author.ID); err == nil && a.reply(ctx, said.Place, private, "", nonce, n) {
				alone = true
				continue
			}
			n = message.Message{Text: say("for-you-alone").In(n.Language)}
		}
		known := a.refused(m.ChannelID) != nil // if so, Discord was not asked
		if !a.reply(ctx, said.Place, m.ChannelID, m.ID, nonce, n) {
			a.tire(m.Author.ID, ofPerson)
			if !said.Private {
				if !known {
					a.tire(m.GuildID, ofServer)
				}
				a.complain(ctx, m)
			}
			return
		}
	}
	if alone {
		a.reply(ctx, said.Place, m.ChannelID, m.ID, fmt.Sprint("r", m.ID, ".a."), message.Message{Text: say("sent-alone").In(notes[0].Language)})
	}
}

// reply gives an answer at once, within the limits. It reports false if the bot may not write there.
func (a *Adapter) reply(ctx context.Context, place storage.Address, channel, to, nonce string, n message.Message) bool {
	if a.refused(channel) != nil {
		return false
	}
	asking := adapter.Retry{First: a.pace.retry, Tries: 4, Pause: a.await, Verdict: a.verdict}
	err := asking.Do(ctx, func() error {
		const most = 5 * time.Minute // after that, nobody waits for it any more
		wait := a.post.Line(place)
		if wait > most {
			return &outbox.Never{Err: fmt.Errorf("discord: too many answers wait, for %v", wait)}
		}
		if err := a.await(ctx, wait); err != nil {
			return err
		}
		if err := a.await(ctx, a.post.Take(place)); err != nil {
			return err
		}
		sent, err := a.write(ctx, channel, to, nonce, n)
		if later := held(err); later != nil {
			a.post.Hold(place, later)
		}
		if study := n.Exercise != nil; err == nil && sent != "" && (study || n.Game() != 0) {
			a.state.PutAllSoon(adapter.Shows(channel, sent, words.Either(study, 0, n.Game())))
		}
		return err
	})
	a.failed(ctx, slog.LevelWarn, "not answered", err)
	never, is := errors.AsType[*outbox.Never](a.verdict(err))
	return !is || !never.Gone
}

// maxSweeps bounds how many old messages wait to lose their buttons. Beyond it they keep them, and a press is answered
// politely.
const maxSweeps = 512

// sweep takes the buttons off a message in the background, and appends its outcome unless that is "".
func (a *Adapter) sweep(place string, m adapter.Ref, outcome string) {
	if a.sweeping.Add(1) > maxSweeps {
		a.sweeping.Add(-1)
		return
	}
	a.work.Add("buttons", func() {
		defer a.sweeping.Add(-1)
		a.takeOff(place, m, outcome)
	})
}

// takeOff takes the buttons off a message. Discord limits edits of messages older than an hour; after a refusal, the
// channel is left alone for a while, and its messages keep their buttons.
func (a *Adapter) takeOff(place string, m adapter.Ref, outcome string) {
	ctx := a.running
	defer a.rescue(ctx, "buttons")
	if a.refused(m.Channel+toEdit) != nil {
		return
	}
	for wait := a.post.Spare(address(place)); wait > 0; wait = a.post.Spare(address(place)) {
		if adapter.Pause(ctx, wait) != nil {
			return
		}
	}
	err := a.close(ctx, m, outcome)
	if no := held(err); no != nil && !no.Everywhere {
		a.refuse(m.Channel+toEdit, err)
	}
	a.failed(ctx, slog.LevelDebug, "buttons not taken off", err)
}

// renew gives the messages of a challenge new buttons. Where the bot is not a member, it has no messages to edit.
func (a *Adapter) renew(ctx context.Context, d bot.Delivery) error {
	for _, o := range a.state.Offers(ctx, d.Place.Address.ID, d.Entry.Game) {
		change := map[string]any{"components": a.rows(ctx, d.Note.Buttons), "allowed_mentions": toNobody()}
		err := a.call(ctx, http.MethodPatch, pathOfMessage(o.Ref), change, nil)
		if passing(err) {
			return a.verdict(err)
		}
		a.failed(ctx, slog.LevelDebug, "challenge not changed", err) // edits of old messages are limited
	}
	return nil
}

func pathOfMessage(m adapter.Ref) string { return "channels/" + m.Channel + "/messages/" + m.ID }

// close takes the buttons off a message, and appends its outcome unless that is "".
func (a *Adapter) close(ctx context.Context, m adapter.Ref, outcome string) error {
	change := map[string]any{"components": []discordgo.ActionsRow{}, "allowed_mentions": toNobody()}
	if outcome != "" {
		var before struct {
			Content string
			Embeds  []card
		}
		last := "\n" + outcome
		switch err := a.call(ctx, http.MethodGet, pathOfMessage(m), nil, &before); {
		case status(err)/100 == 4: //nolint:mnd // perhaps it can be edited, but not read
			change["content"] = outcome
		case err != nil:
			return err
		case len(before.Embeds) == 0:
			change["content"] = adapter.Clip(strings.TrimSuffix(before.Content, last), maxContent-adapter.Length(last)) + last
		default:
			e := before.Embeds[0]
			e.Description, e.Color = strings.TrimSuffix(e.Description, last)+last, colorOver
			change["embeds"] = []card{e}
		}
	}
	return a.call(ctx, http.MethodPatch, pathOfMessage(m), change, nil)
}

// closes adds the outcome to the messages of a challenge that led to no game, and reports whether that is enough:
// nobody else has to be told, and a message was edited. On an error, it may be tried again.
func (a *Adapter) closes(ctx context.Context, where room, d bot.Delivery) (closed bool, err error) {
	if said := d.Outcome(); said == "" || said == "accepted" || !d.KnownAt() {
		return false, nil
	}
	for _, o := range a.state.Offers(ctx, where.place, d.Entry.Game) {
		err := a.close(ctx, o.Ref, outcome(where, d, o.About))
		if passing(err) {
			return false, err
		}
		closed = closed || err == nil
		a.failed(ctx, slog.LevelInfo, "challenge not edited", err)
	}
	return closed, nil
}

// room is where something is said.
type room struct {
	channel string         // Discord's, which may be a thread
	place   string         // the channel as the bot knows it: for a game's thread, the one in which it was opened
	game    storage.GameID // the game whose thread it is, or 0
	why     words.Text     // why the game has no thread, or cannot use it now; said with its board
}

// keyRoom begins the keys under which the game of a thread is stored.
const keyRoom = "room/"

// noThread is stored for a game that is not to have a thread.
const noThread = "-"

// roomOf is what is known of a channel.
func (a *Adapter) roomOf(ctx context.Context, channel string) room {
	parent, game, ok := strings.Cut(a.state.Get(ctx, keyRoom+channel), " ")
	if !ok {
		return room{channel: channel, place: channel}
	}
	return room{channel: channel, place: parent, game: storage.GameID(snowflake(game))}
}

// threadOf is the thread of a game that goes on in a channel, "" if it has none.
func (a *Adapter) threadOf(ctx context.Context, channel string, game storage.GameID) string {
	thread := a.state.Get(ctx, threadKey(channel, game))
	return words.Either(thread == noThread, "", thread)
}

// threadKey names the thread of a game that goes on in a channel.
func threadKey(channel string, game storage.GameID) string {
	return fmt.Sprintf("thread/%s/%d", channel, game)
}

// threadFor is where something is said: in the thread of its game, if there is one. A thread is opened from the
// challenge when the game begins.
func (a *Adapter) threadFor(ctx context.Context, d bot.Delivery, known string) (room, error) {
	place, game := d.Place.Address.ID, d.Entry.Game
	plain := room{channel: place, place: place}
	if game == 0 || d.Place.Server == 0 {
		return plain, nil
	}
	if after := d.After(); after != 0 { // a rematch
		if known := a.threadOf(ctx, place, after); known != "" {
			return room{channel: known, place: place, game: after}, nil
		}
	}
	key := threadKey(place, game)
	switch {
	case known == noThread, known == "" && !d.Begins():
		return plain, nil
	case known != "":
		return room{channel: known, place: place, game: game}, nil
	}
	thread, why, err := a.openThread(ctx, d)
	switch {
	case err != nil:
		return plain, err
	case thread == "":
		a.state.Set(ctx, key, noThread)
		plain.why = why
		return plain, nil
	}
	a.state.SetAll(ctx, map[string]string{
		key: thread, keyRoom + thread: fmt.Sprintf("%s %d", place, game),
		keySeen + thread: thread, // read from its beginning
	})
	a.work.Add(thread, func() { a.invite(ctx, thread, game) })
	return room{channel: thread, place: place, game: game}, nil
}

// invite adds the players of a game to its thread.
func (a *Adapter) invite(ctx context.Context, thread string, game storage.GameID) {
	ctx = context.WithoutCancel(ctx)
	defer a.rescue(ctx, "players")
	players, err := a.bot.Users.Concerned(ctx, game)
	for _, p := range players {
		if account, ok := p.On(Platform); ok && err == nil {
			err = a.call(ctx, http.MethodPut, "channels/"+thread+"/thread-members/"+account, nil, nil)
		}
	}
	a.failed(ctx, slog.LevelInfo, "players not added to their thread", err) // its first board mentions them
}

// openThread opens a thread for a game; against the computer a private one, where possible, to keep the channel
// uncluttered. If there is to be none, it returns "" and perhaps why.
func (a *Adapter) openThread(ctx context.Context, d bot.Delivery) (thread string, why words.Text, err error) {
	place, game := d.Place.Address.ID, d.Entry.Game
	home, server, err := a.bot.Users.Home(ctx, game)
	if err != nil || home.ID != d.Place.ID || server.Settings.Threads == "off" {
		return "", nil, err
	}
	s, err := a.bot.Games.Load(ctx, game, match.Latest)
	if err != nil {
		return "", nil, err
	}
	challenge := ""
	for _, o := range a.state.Offers(ctx, place, game) { // a game's challenge is here only when it begins
		if o.Channel == place {
			challenge = o.ID
		}
	}
	kind := discordgo.ChannelTypeGuildPublicThread
	if me := a.self(ctx); me != nil {
		has, err := a.rest.UserChannelPermissions(me.User, place, discordgo.WithContext(ctx))
		creates := int64(discordgo.PermissionCreatePublicThreads)
		if s.Game.Practice() && challenge == "" && err == nil && len(lacks(has, discordgo.PermissionCreatePrivateThreads)) == 0 {
			kind, creates = discordgo.ChannelTypeGuildPrivateThread, discordgo.PermissionCreatePrivateThreads
		}
		if missing := lacks(has, creates, discordgo.PermissionSendMessagesInThreads); err == nil && len(missing) > 0 {
			return "", without("thread", missing), nil
		}
		a.failed(ctx, slog.LevelInfo, "permissions not known", err)
	}
	const most, week = 100, 10080 // characters, and minutes without a message: the next one brings the thread back
	about := fmt.Sprintf(", %s #%d", s.Variant.Title().Text(d.Note.Language), game)
	names := strings.Join(strings.Fields(s.Names[0]+" – "+s.Names[1]), " ")
	body := map[string]any{"name": adapter.Clip(names, most-adapter.Length(about)) + about, "auto_archive_duration": week}
	var made struct{ ID string }
	if challenge != "" {
		err = a.call(ctx, http.MethodPost, pathOfMessage(adapter.Ref{Channel: place, ID: challenge})+"/threads", body, &made)
	}
	if challenge == "" || code(err) == discordgo.ErrCodeUnknownMessage { // the challenge was deleted
		body["type"] = kind
		err = a.call(ctx, http.MethodPost, "channels/"+place+"/threads", body, &made)
		if public := discordgo.ChannelTypeGuildPublicThread; kind != public && err != nil && !passing(err) { // as in an announcement channel
			body["type"] = public
			err = a.call(ctx, http.MethodPost, "channels/"+place+"/threads", body, &made)
		}
	}
	const patientTries = 2
	switch {
	case err == nil:
		return made.ID, nil, nil
	case code(err) == discordgo.ErrCodeThreadAlreadyCreatedForThisMessage && challenge != "":
		return challenge, nil, nil // a thread has the id of the message that it was opened from
	case !passing(err), status(err) != 0 && d.Entry.Tries > patientTries:
		a.log.InfoContext(ctx, "discord: no thread", "game", uint64(game), "err", a.clean(err))
		return "", nil, nil
	}
	return "", nil, err
}

// closeThread moves a game to the channel, because its thread is gone.
func (a *Adapter) closeThread(ctx context.Context, r room) {
	a.state.SetAll(ctx, map[string]string{threadKey(r.place, r.game): noThread, keyRoom + r.channel: ""})
}

var numberSign = regexp.MustCompile(`#[0-9]{1,18}`)

// withThreads is a text whose games each link to their thread.
func (a *Adapter) withThreads(ctx context.Context, t words.Text) (linked words.Text) {
	for _, s := range t {
		at := numberSign.FindStringIndex(s.Words)
		if at == nil || s.Style == words.Code || s.Style == words.Same || s.Style == words.Link || s.Person != 0 {
			linked = append(linked, s)
			continue
		}
		game := storage.GameID(snowflake(s.Words[at[0]+1 : at[1]]))
		home, _, err := a.bot.Users.Home(ctx, game)
		thread := a.threadOf(ctx, home.Address.ID, game)
		if err != nil || home.Address.Platform != Platform || thread == "" {
			linked = append(linked, s)
			continue
		}
		before, behind := s, s
		before.Words, behind.Words = s.Words[:at[1]], s.Words[at[1]:]
		linked = append(linked, before, words.Span{Words: " "}, channelNamed(thread))
		linked = append(linked, a.withThreads(ctx, words.Text{behind})...)
	}
	return linked
}

// privately is the channel of somebody's private chat with the bot.
func (a *Adapter) privately(ctx context.Context, account string) (string, error) {
	if known, ok := a.chats.Get(account); ok {
		return known, nil
	}
	toThem := "chat with " + account
	if err := a.refused(toThem); err != nil {
		return "", err
	}
	c, err := a.rest.UserChannelCreate(account, discordgo.WithContext(ctx))
	switch {
	case err == nil:
		a.readFrom(ctx, c.ID, cmp.Or(c.LastMessageID, c.ID))
		a.chats.Add(account, c.ID)
		return c.ID, nil
	case status(err) == http.StatusForbidden:
		a.refuse(toThem, err)
	}
	return "", err
}

// whisper tells somebody something in their private chat with the bot, once for each nonce.
func (a *Adapter) whisper(ctx context.Context, account, nonce string, said words.Text, l phrase.Language) (private string, err error) {
	if private, err = a.privately(ctx, account); err != nil {
		return "", err
	}
	p := plainPost(said, l)
	p.Nonce, p.Enforce = nonce, true
	return private, a.postTo(ctx, private, &p, nil)
}

// makeHome makes a private chat somebody's home.
func (a *Adapter) makeHome(ctx context.Context, who storage.Person, account, private string) error {
	_, err := a.bot.Users.Welcome(ctx, user.Visit{Person: address(account), Name: who.Name, Place: address(private), Private: true})
	return err
}

// keyShut begins the keys under which accounts are stored that take no messages from the bot.
const keyShut = "shut/"

// tellPrivately tells people something in their private chats, once for each nonce. Those who have no home, where they
// are told what concerns nobody else, get that chat as one. It returns an error if somebody could not be reached yet.
func (a *Adapter) tellPrivately(ctx context.Context, people []storage.Person, nonce string, said words.Text) (missed error) {
	for _, who := range people {
		account, ok := who.On(Platform)
		if !ok {
			continue
		}
		private, err := a.whisper(ctx, account, fmt.Sprint(nonce, ".", who.ID), said, words.LanguageOf(who))
		if err == nil && who.Home == 0 {
			err = a.makeHome(ctx, who, account, private)
		}
		a.failed(ctx, slog.LevelInfo, "somebody can't be reached", err)
		if _, never := errors.AsType[*outbox.Never](a.verdict(err)); never {
			a.state.Set(ctx, keyShut+account, "yes")
		} else if err != nil {
			missed = err
		}
	}
	return missed
}

// acquaint makes sure that somebody has a private chat with the bot, if Discord lets it write to them.
func (a *Adapter) acquaint(ctx context.Context, p message.Account) {
	if p.Bot {
		return
	}
	who, err := a.bot.Users.Meet(ctx, p.Address, p.Name)
	if err != nil || who.Home != 0 {
		return
	}
	private, err := a.privately(ctx, p.Address.ID)
	if err == nil {
		err = a.makeHome(ctx, who, p.Address.ID, private)
	}
	a.failed(ctx, slog.LevelInfo, "somebody can't be reached", err)
}

// complain tells the author of a message privately that it cannot be answered in its channel.
func (a *Adapter) complain(ctx context.Context, m *posted) {
	said := without("answering", []int64{discordgo.PermissionViewChannel, discordgo.PermissionSendMessages, discordgo.PermissionSendMessagesInThreads, discordgo.PermissionAttachFiles}, "channel", channelNamed(m.ChannelID))
	language := a.bot.Language(ctx, message.Incoming{From: a.person(m.Author), Place: address(m.ChannelID)})
	_, err := a.whisper(ctx, m.Author.ID, "c"+m.ID, said, language)
	a.failed(ctx, slog.LevelInfo, "somebody can't be reached", err)
}
