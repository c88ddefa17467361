package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/adapter"
	"chimera/bot/discord/ratelimit"
	"chimera/bot/outbox"
)

// codeNotTheseTwo is Discord's code for two accounts that have no server in common.
const codeNotTheseTwo = 50278

// call makes a request and reads the answer, unless into is nil. If the route has to rest, call waits for
// a short time, and returns a [*ratelimit.Held] for a longer one.
func (a *Adapter) call(ctx context.Context, method, path string, body, into any, files ...*discordgo.File) error {
	contentType, data, err := encode(body, files)
	if err != nil {
		return err
	}
	target := discordgo.EndpointAPI + path
	u, err := url.Parse(target)
	if err != nil {
		return err
	}
	route := ratelimit.RouteOf(method, u.Path)
	const short = 6 * time.Second
	if wait := a.limiter.Wait(route); wait != nil {
		if wait.Everywhere || wait.After > short {
			return wait
		}
		if err := adapter.Pause(ctx, wait.After+time.Millisecond); err != nil {
			return err
		}
	}
	bucket := route
	if ratelimit.IsInteraction(route) { // each has a bucket of its own, that the library would keep for ever
		const many = 256
		bucket = fmt.Sprint("interaction ", a.buckets.Add(1)%many)
	}
	answer, err := a.rest.RequestRaw(method, target, contentType, data, bucket, 0, discordgo.WithContext(ctx))
	if err != nil || into == nil || len(answer) == 0 {
		return err
	}
	return json.Unmarshal(answer, into)
}

func encode(body any, files []*discordgo.File) (contentType string, data []byte, err error) {
	switch {
	case len(files) > 0:
		return discordgo.MultipartBodyWithJSON(body, files)
	case body == nil:
		return "", nil, nil
	}
	data, err = json.Marshal(body)
	return "application/json", data, err
}

// status is the HTTP status of a refusal, 0 if it is none.
func status(err error) int {
	if no := (*discordgo.RESTError)(nil); errors.As(err, &no) && no.Response != nil {
		return no.Response.StatusCode
	}
	return 0
}

// held is how long a refused request has to wait, nil if that is not why it failed.
func held(err error) *ratelimit.Held {
	wait, _ := errors.AsType[*ratelimit.Held](err)
	return wait
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
	if later := (*outbox.Later)(nil); errors.As(err, &later) {
		return later
	}
	switch code(err) {
	case discordgo.ErrCodeUnknownChannel, discordgo.ErrCodeMissingAccess, discordgo.ErrCodeMissingPermissions, discordgo.ErrCodeCannotSendMessagesToThisUser, codeNotTheseTwo:
		return &outbox.Never{Gone: true, Err: said}
	}
	switch status(err) {
	case http.StatusForbidden:
		return &outbox.Never{Gone: true, Err: said}
	case http.StatusBadRequest, http.StatusNotFound, http.StatusRequestEntityTooLarge:
		return &outbox.Never{Err: said}
	}
	return said
}
