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

	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/storage"
)

// The bot's pages are an Activity too: Discord shows them in a frame, to all in a channel who join. It is launched by
// a press on Open board, and says in the page's address by which number it goes, its instance. The page asks
// Discord for a code, by which the bot finds out who is there; Discord itself says whether they are in the instance.
// Where an Activity cannot be launched, the press is answered by a link, as on other platforms.

// launchActivity is the kind of answer that opens the Activity, of which the library does not know.
const launchActivity discordgo.InteractionResponseType = 12

// entryPoint is the kind of the command that lists the Activity among a server's apps.
const entryPoint discordgo.ApplicationCommandType = 4

const (
	keyPressed  = "pressed/"  // which board an account asked for last, and when
	keyInstance = "instance/" // which was last asked for in an instance

	pressedFor = 5 * time.Minute // somebody who comes later follows the others
)

// launches reports whether a press may open the Activity.
func (a *Adapter) launches(q *reply) bool {
	return a.opens() && q.stage == unanswered && verbOf(q.i.Data.CustomID) == message.OpenPage && a.refused(q.i.ChannelID+toLaunch) == nil
}

// launch opens the Activity at the board that a press asks for; false if that cannot be.
func (a *Adapter) launch(ctx context.Context, q *reply) bool {
	defer a.rescue(ctx, "launch")
	var launched struct {
		Resource struct {
			Instance struct{ ID string } `json:"activity_instance"`
		}
	}
	game := strings.Fields(q.i.Data.CustomID)[1]
	a.failed(ctx, slog.LevelWarn, "press not noted", a.state.PutAbout(ctx, q.i.User.ID, keyPressed+q.i.User.ID, fmt.Append(nil, game, " ", q.at.Unix())))
	trying, cancel := context.WithTimeout(ctx, a.pace.answer)
	defer cancel()
	err := a.call(trying, http.MethodPost, q.callback()+"?with_response=true", map[string]any{"type": launchActivity}, &launched)
	switch {
	case err == nil:
		a.state.Set(ctx, keyInstance+launched.Resource.Instance.ID, game)
	case code(err) != discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged:
		a.refuse(q.i.ChannelID+toLaunch, err)
		a.unlaunched.Do(func() {
			a.failed(ctx, slog.LevelWarn, "the Activity can't be launched everywhere: links are given instead", err)
		})
		return false
	}
	return true
}

// Application is the number by which pages are known to Discord, "" as long as that is not known or without a client secret.
func (a *Adapter) Application(ctx context.Context) string {
	if me := a.self(ctx); me != nil && a.secret != "" {
		return me.Application
	}
	return ""
}

var instanceName = regexp.MustCompile(`^[\w-]{1,100}$`)

// SignIn is who has got a code from Discord in an instance, and the game that they came for: that of the
// link by which they came, if it has one, else whose board they or others there asked for, 0 for none. It is false if Discord does
// not confirm that they are there.
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
	pressed, at, _ := strings.Cut(asked[0], " ")
	if when, _ := strconv.ParseInt(at, 10, 64); time.Since(time.Unix(when, 0)) > pressedFor {
		pressed = ""
	}
	n, _ := strconv.ParseUint(cmp.Or(link, pressed, asked[1]), 10, 64) // else they came for none
	who = a.person(u)
	who.Locale = u.Locale
	return who, storage.GameID(n), true
}

// userOf is whom Discord has given a code.
func (a *Adapter) userOf(ctx context.Context, application, code string) (*discordgo.User, error) {
	var token struct {
		Secret string `json:"access_token"`
	}
	form := url.Values{"client_id": {application}, "client_secret": {a.secret}, "grant_type": {"authorization_code"}, "code": {code}}
	nobody, err := a.session("")
	if err == nil {
		var answer []byte
		answer, err = nobody.RequestRaw(http.MethodPost, discordgo.EndpointOAuth2+"token", "application/x-www-form-urlencoded", []byte(form.Encode()), "oauth2", 0, discordgo.WithContext(ctx))
		err = cmp.Or(err, json.Unmarshal(answer, &token))
	}
	if err != nil {
		return nil, err
	}
	they, err := a.session("Bearer " + token.Secret)
	if err != nil {
		return nil, err
	}
	return they.User("@me", discordgo.WithContext(ctx))
}

// entryPoints are the commands by which Discord itself lists the Activity: a list of commands without them is refused.
func (a *Adapter) entryPoints(ctx context.Context, application string) (all []command, err error) {
	err = a.call(ctx, http.MethodGet, "applications/"+application+"/commands", nil, &all)
	return slices.DeleteFunc(all, func(c command) bool { return c.Type != entryPoint }), err
}

// opens reports whether boards are opened inside Discord.
func (a *Adapter) opens() bool { return a.secret != "" && a.bot.Pages() != "" }

// addOpen adds to a board that many see the button that opens it: each of them inside Discord as themselves.
func (a *Adapter) addOpen(n *message.Message) {
	has := func(verbs ...string) bool {
		return slices.ContainsFunc(n.Buttons, func(b message.Button) bool { return slices.Contains(verbs, verbOf(b.Do)) })
	}
	if a.opens() && n.Game() != 0 && has("flip", "unflip", "rematch") && !has(message.OpenPage) {
		n.Buttons = append(slices.Clip(n.Buttons), message.Button{Label: words.Label("open-board").Text(n.Language), Do: fmt.Sprint(message.OpenPage, " ", uint64(n.Game()), " ", message.None)})
	}
}

// addTurnLink adds to a reminder that somebody alone sees a link that opens the board inside Discord.
func (a *Adapter) addTurnLink(ctx context.Context, n *message.Message, game storage.GameID) {
	if application := a.Application(ctx); application != "" && a.opens() {
		at := fmt.Sprintf("https://discord.com/activities/%s?custom_id=%d", application, game)
		n.Buttons = append(slices.Clip(n.Buttons), message.Button{Label: words.Label("open-board").Text(n.Language), Opens: at})
	}
}
