package discord

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/match"
	"chimera/bot/words"
	"chimera/storage"
)

// threadFor is where something is said: in the thread of its game, if there is one. Threads are opened from
// the challenge when the game begins.
func (a *Adapter) threadFor(ctx context.Context, d bot.Delivery) (room, error) {
	place, game := d.Place.Address.ID, d.Entry.Game
	plain := room{channel: place, place: place}
	if game == 0 || d.Place.Server == 0 {
		return plain, nil
	}
	if after := d.After(); after != 0 { // a challenge to play that again
		if known := a.threadOf(ctx, place, after); known != "" {
			return room{channel: known, place: place, game: after}, nil
		}
	}
	key := threadKey(place, game)
	switch known := a.state.Get(ctx, key); {
	case known == noThread, known == "" && !d.Begins():
		return plain, nil
	case known != "":
		return room{channel: known, place: place, game: game}, nil
	}
	thread, why, err := a.openThread(ctx, d)
	if err != nil {
		return plain, err
	}
	if thread == noThread {
		a.state.Set(ctx, key, thread)
		plain.why = why
		return plain, nil
	}
	a.state.SetAll(ctx, map[string]string{
		key: thread, "room/" + thread: fmt.Sprintf("%s %d", place, game),
		"seen/" + thread: thread, // it is read from its beginning
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
	a.failed(ctx, slog.LevelInfo, "players not added to their thread", err) // its first board calls them
}

// noThread is noted for a game that has no thread and gets none.
const noThread = "-"

// patientTries is after how many tries a game goes on without a thread while Discord fails.
const patientTries = 2

// worthIt is how long a thread is worth waiting for.
const worthIt = time.Minute

// threadLife is after how many minutes without a message Discord archives a thread: a week. The next
// message brings it back.
const threadLife = 10080

// openThread opens a thread for a game. If there shall or can be none, it returns noThread and why.
func (a *Adapter) openThread(ctx context.Context, d bot.Delivery) (thread string, why words.Text, err error) {
	place, game := d.Place.Address.ID, d.Entry.Game
	home, server, err := a.bot.Users.Home(ctx, game)
	switch {
	case err != nil:
		return "", nil, err
	case home.ID != d.Place.ID, server.Settings.Threads == "off":
		return noThread, nil, nil
	}
	if why := a.unthreaded(ctx, server.Address.ID, place); why != nil {
		return noThread, why, nil
	}
	title, err := a.threadTitle(ctx, game)
	if err != nil {
		return "", nil, err
	}
	challenge := ""
	for _, o := range a.state.Offers(ctx, place, game) { // before a game has begun, its challenge alone asks for it
		if o.Channel == place {
			challenge = o.ID
		}
	}
	made, err := a.postThread(ctx, place, challenge, title)
	if challenge != "" && code(err) == discordgo.ErrCodeUnknownMessage { // that was deleted
		made, err = a.postThread(ctx, place, "", title)
	}
	switch wait := held(err); {
	case err == nil && made != "":
		return made, nil, nil
	case code(err) == discordgo.ErrCodeThreadAlreadyCreatedForThisMessage && challenge != "":
		return challenge, nil, nil // a thread has the id of the message that it was opened from
	case wait != nil && (wait.Everywhere || wait.After < worthIt):
		return "", nil, err
	case wait != nil, status(err)/100 == 4, status(err) != 0 && d.Entry.Tries > patientTries:
		a.log.InfoContext(ctx, "discord: no thread", "game", uint64(game), "err", a.clean(err))
		return noThread, nil, nil
	case err != nil:
		return "", nil, err
	}
	return noThread, nil, nil
}

// postThread opens a thread from a message of a channel, or from none if that is "", and
// returns its id.
func (a *Adapter) postThread(ctx context.Context, in, message, title string) (string, error) {
	body := map[string]any{"name": title, "auto_archive_duration": threadLife}
	path := "channels/" + in + "/threads"
	if message != "" {
		path = "channels/" + in + "/messages/" + message + "/threads"
	} else {
		body["type"] = discordgo.ChannelTypeGuildPublicThread
	}
	var made discordgo.Channel
	err := a.call(ctx, http.MethodPost, path, body, &made)
	return made.ID, err
}

// threadTitle names a thread by players and game.
func (a *Adapter) threadTitle(ctx context.Context, game storage.GameID) (string, error) {
	s, err := a.bot.Games.Load(ctx, game, match.Latest)
	if err != nil {
		return "", err
	}
	const most = 100
	about := fmt.Sprintf(": %s #%d", s.Variant.Name, game)
	names := strings.Join(strings.Fields(s.Names[0]+" – "+s.Names[1]), " ")
	return adapter.Clip(names, most-adapter.Length(about)) + about, nil
}

// retire lets the thread of an ended game be archived after a day without a message.
func (a *Adapter) retire(ctx context.Context, thread string) {
	defer a.rescue(ctx, "thread")
	const soon = 1440 // minutes
	err := a.call(context.WithoutCancel(ctx), http.MethodPatch, "channels/"+thread, map[string]any{"auto_archive_duration": soon}, nil)
	a.failed(ctx, slog.LevelInfo, "thread stays", err)
}

// reopen unlocks an archived thread that a message alone does not bring back, and reports success.
func (a *Adapter) reopen(ctx context.Context, thread string) bool {
	err := a.call(ctx, http.MethodPatch, "channels/"+thread, map[string]any{"archived": false, "locked": false}, nil)
	return err == nil
}

// closeThread lets a game go on in the channel, because its thread is gone.
func (a *Adapter) closeThread(ctx context.Context, r room) {
	a.state.SetAll(ctx, map[string]string{threadKey(r.place, r.game): noThread, "room/" + r.channel: ""})
}

var numberSign = regexp.MustCompile(`#[0-9]{1,18}`)

// withThreads is a text that names games, each with a link to its thread.
func (a *Adapter) withThreads(ctx context.Context, t words.Text) (linked words.Text) {
	for _, s := range t {
		at := numberSign.FindStringIndex(s.Words)
		if at == nil || s.Style == words.Code || s.Style == words.Same || s.Style == words.Link || s.Person != 0 {
			linked = append(linked, s)
			continue
		}
		game := number(s.Words[at[0]+1 : at[1]])
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
