package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	lru "github.com/hashicorp/golang-lru/v2"

	"chimera/bot/adapter"
	"chimera/bot/discord/gateway"
	"chimera/bot/discord/ratelimit"
	"chimera/bot/outbox"
)

// Discord's codes that the library does not know.
const (
	codeNotTheseTwo = 50278 // two accounts have no server in common
	codeTooMany     = 40094 // no more messages may follow the first answer
)

// file is what goes with a message.
type file struct {
	name, kind string
	data       []byte
}

// call makes a request and reads the answer, unless into is nil.
func (a *Adapter) call(ctx context.Context, method, path string, body, into any, files ...file) (err error) {
	var contentType string
	var data []byte
	switch {
	case len(files) > 0:
		var parts []*discordgo.File
		for _, f := range files {
			parts = append(parts, &discordgo.File{Name: f.name, ContentType: f.kind, Reader: bytes.NewReader(f.data)})
		}
		contentType, data, err = discordgo.MultipartBodyWithJSON(body, parts)
	case body != nil:
		contentType = "application/json"
		data, err = json.Marshal(body)
	}
	if err != nil {
		return err
	}
	target := discordgo.EndpointAPI + path
	bucket := ratelimit.RouteOf(method, target)
	if ratelimit.IsInteraction(bucket) { // each has a bucket of its own, that the library would keep for ever
		const many = 256
		bucket = fmt.Sprint("interaction ", a.buckets.Add(1)%many)
	}
	answer, err := a.rest.RequestRaw(method, target, contentType, data, bucket, 0, discordgo.WithContext(ctx))
	if err != nil || into == nil || len(answer) == 0 {
		return err
	}
	return json.Unmarshal(answer, into)
}

// status is the HTTP status of a refusal, 0 if it is none.
func status(err error) int {
	if no := (*discordgo.RESTError)(nil); errors.As(err, &no) && no.Response != nil {
		return no.Response.StatusCode
	}
	return 0
}

// held is how long a refused request has to wait, nil if that is not why it failed.
func held(err error) *outbox.Later {
	wait, _ := errors.AsType[*outbox.Later](err)
	return wait
}

// passing reports whether a request has failed for something that passes within a minute.
func passing(err error) bool {
	if wait := held(err); wait != nil {
		return wait.Everywhere || wait.After < time.Minute
	}
	return err != nil && status(err)/100 != 4
}

// code is Discord's code of a refusal, 0 if it is none.
func code(err error) int {
	if no := (*discordgo.RESTError)(nil); errors.As(err, &no) && no.Message != nil {
		return no.Message.Code
	}
	return 0
}

// clean is an error without tokens and without what people wrote.
func (a *Adapter) clean(err error) string {
	var no *discordgo.RESTError
	var request *url.Error
	said := ""
	switch {
	case err == nil:
	case errors.As(err, &no) && no.Response != nil:
		said = no.Response.Status
		if no.Message != nil {
			said += fmt.Sprintf(" (%d %s)", no.Message.Code, no.Message.Message)
		}
	case errors.As(err, &request):
		said = fmt.Sprintf("%s: %v", request.Op, request.Err)
	default:
		said = err.Error()
	}
	const most = 300 // the library puts whole pages into some
	return adapter.Clip(strings.Join(strings.Fields(strings.ReplaceAll(said, a.token, "•")), " "), most)
}

// failed logs that something has failed, unless the error is nil.
func (a *Adapter) failed(ctx context.Context, level slog.Level, what string, err error) {
	if err != nil {
		a.log.Log(ctx, level, "discord: "+what, "err", a.clean(err))
	}
}

// verdict is what a refusal means to the outbox.
func (a *Adapter) verdict(err error) error {
	if err == nil {
		return nil
	}
	said := errors.New("discord: " + a.clean(err))
	if wait := held(err); wait != nil {
		return &outbox.Later{After: wait.After, Everywhere: wait.Everywhere, Err: said}
	}
	switch at, no := status(err), code(err); {
	case at == http.StatusForbidden, no == discordgo.ErrCodeUnknownChannel, no == discordgo.ErrCodeCannotSendMessagesToThisUser, no == codeNotTheseTwo:
		return &outbox.Never{Gone: true, Err: said}
	case at == http.StatusBadRequest, at == http.StatusNotFound, at == http.StatusRequestEntityTooLarge:
		return &outbox.Never{Err: said}
	}
	return said
}

// Discord bans an address that makes too many requests it must refuse. So what it has refused in a channel
// is not asked again for a while, and people who go on writing where the bot cannot answer get no answer
// at all for a while.

// refusals is what was refused, and who has written what cannot be answered.
type refusals struct {
	known     *lru.Cache[string, denial]
	permitted atomic.Int64                  // when permissions were last changed somewhere, in nanoseconds
	spent     *lru.Cache[string, time.Time] // by account and by server, of what cannot be answered
}

// denial is a refusal of Discord's, with its time.
type denial struct {
	err error
	at  time.Time
}

// The kinds of requests that Discord may refuse in a channel that takes plain text.
const (
	inReply   = " in reply"
	withCard  = " with a card"
	withFiles = " with files"
	toEdit    = " to edit"
	toLaunch  = " to launch"
)

// refused is how Discord has lately refused any of these, nil if it has not.
func (a *Adapter) refused(things ...string) error {
	for _, what := range things {
		if no, ok := a.known.Get(what); ok && a.stands(no) {
			return no.err
		}
	}
	return nil
}

// refuse notes that Discord refuses something.
func (a *Adapter) refuse(what string, err error) { a.known.Add(what, denial{err, time.Now()}) }

// stands reports whether the same is not asked again yet. It is asked sooner if permissions have changed
// since, but not at once: somebody may change them all the time.
func (a *Adapter) stands(no denial) bool {
	changed := a.permitted.Load() >= no.at.UnixNano()
	age := time.Since(no.at)
	return age < a.pace.refused && (!changed || age < a.pace.denied)
}

// forgive notes that permissions have changed somewhere.
func (a *Adapter) forgive() { a.permitted.Store(time.Now().UnixNano()) }

// postTo writes a message into a channel, unless Discord has lately refused such a one there.
func (a *Adapter) postTo(ctx context.Context, channel string, p *post, into any) error {
	kind, reply := channel, channel
	switch {
	case len(p.Attached) > 0:
		kind += withFiles
	case len(p.Embeds) > 0 && p.Content == "":
		kind += withCard
	}
	if p.Reference != nil {
		reply += inReply
	}
	if err := a.refused(channel, kind, reply); err != nil {
		return err
	}
	err := a.call(ctx, http.MethodPost, "channels/"+channel+"/messages", p.payload, into, p.files...)
	switch code(err) {
	case discordgo.ErrCodeCannotReplyWithoutPermissionToReadMessageHistory:
		a.refuse(reply, err)
	case discordgo.ErrCodeMissingPermissions:
		a.refuse(kind, err)
	case discordgo.ErrCodeMissingAccess, discordgo.ErrCodeCannotSendMessagesToThisUser, codeNotTheseTwo:
		a.refuse(channel, err)
	}
	return err
}

// spellOut lets a message say as text what its card says: without Embed Links, Discord silently leaves
// cards out.
func (a *Adapter) spellOut(ctx context.Context, channel, message string, p *post) {
	a.refuse(channel+withCard, errCard)
	words := p.withoutCard()
	change := map[string]any{"content": words.Content, "flags": words.Flags, "allowed_mentions": words.Mentions}
	err := a.call(ctx, http.MethodPatch, "channels/"+channel+"/messages/"+message, change, nil)
	a.failed(ctx, slog.LevelWarn, "card not spelled out", err)
}

var errCard = errors.New("discord: cards are left out")

// How much one person, and all people in one server, may write that cannot be answered there.
//
//nolint:gochecknoglobals // never written
var (
	ofPerson = gateway.Budget{Every: time.Minute, Burst: 10}
	ofServer = gateway.Budget{Every: 6 * time.Second, Burst: 100}
)

// tired reports whether somebody has spent a budget.
func (a *Adapter) tired(who string, b gateway.Budget) bool {
	full, _ := a.spent.Get(who)
	wait, _ := b.Spend(full, time.Now())
	return wait > 0
}

// tire lets somebody spend one of a budget.
func (a *Adapter) tire(who string, b gateway.Budget) {
	full, _ := a.spent.Get(who)
	_, then := b.Spend(full, time.Now())
	a.spent.Add(who, then)
}
