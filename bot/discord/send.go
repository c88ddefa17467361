package discord

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"chimera/bot"
	"chimera/render"
	"chimera/storage"
)

// body is a message as Discord takes it. The library's own type lacks the nonce and the
// description of pictures.
type body struct {
	Content     string       `json:"content"`
	Components  []row        `json:"components"`
	Attachments []attachment `json:"attachments,omitempty"`
	Mentions    mentions     `json:"allowed_mentions"`
	Nonce       string       `json:"nonce,omitempty"`
	Enforce     bool         `json:"enforce_nonce,omitempty"`
	Reference   *reference   `json:"message_reference,omitempty"`
	Flags       int          `json:"flags,omitempty"`
}

type mentions struct {
	Parse   []string `json:"parse"`
	Users   []string `json:"users,omitempty"`
	Replied bool     `json:"replied_user"`
}

type attachment struct {
	ID          int    `json:"id"`
	Filename    string `json:"filename"`
	Description string `json:"description,omitempty"`
}

type reference struct {
	Message string `json:"message_id"`
	Must    bool   `json:"fail_if_not_exists"`
}

type row struct {
	Type       int   `json:"type"`
	Components []key `json:"components"`
}

type key struct {
	Type  int    `json:"type"`
	Style int    `json:"style"`
	Label string `json:"label"`
	ID    string `json:"custom_id"`
}

// Kinds and styles of components, and flags of messages.
const (
	actionRow = 1
	button    = 2

	primary   = 1
	secondary = 2
	danger    = 4

	ephemeral = 1 << 6

	perRow    = 5
	maxLabel  = 80
	maxAlt    = 1024
	maxCustom = 100
)

// rows lays buttons out; never nil, so that an edit can take them away.
func rows(buttons []bot.Button) []row {
	all := []row{}
	for i, b := range buttons {
		if i%perRow == 0 {
			all = append(all, row{Type: actionRow})
		}
		style := secondary
		switch b.Label {
		case "Accept", "Join", "Move", "Confirm", "Claim win":
			style = primary
		case "Resign", "Yes":
			style = danger
		}
		last := &all[len(all)-1]
		last.Components = append(last.Components, key{button, style, clip(b.Label, maxLabel), clip(b.Do, maxCustom)})
	}
	return all
}

// make is a note as messages, of which the last has the picture and the buttons.
func (a *Adapter) make(ctx context.Context, n bot.Note) (before []body, last body, files []*discordgo.File, err error) {
	who := func(id storage.PersonID) (string, bool) { return a.match.AccountOn(ctx, id, Platform) }
	text, users := spell(n.Text, who)
	parts := pages(text)
	for _, part := range parts[:max(len(parts)-1, 0)] {
		before = append(before, body{Content: part, Components: []row{}, Mentions: mentions{Parse: []string{}}})
	}
	last = body{Components: rows(n.Buttons), Mentions: mentions{Parse: []string{}, Users: users}}
	if len(parts) > 0 {
		last.Content = parts[len(parts)-1]
	}
	add := func(name, kind, alt string, data []byte) {
		last.Attachments = append(last.Attachments, attachment{len(files), name, clip(alt, maxAlt)})
		files = append(files, &discordgo.File{Name: name, ContentType: kind, Reader: bytes.NewReader(data)})
	}
	size := cmp.Or(n.Size, render.DefaultSize)
	var picture bytes.Buffer
	switch {
	case n.Replay != nil:
		if err := render.GIF(&picture, n.Replay, size, bot.ReplayStep); err != nil {
			return nil, last, nil, err
		}
		add("game.gif", "image/gif", "The game from its start to its end.", picture.Bytes())
	case n.Board != nil:
		if err := render.PNG(&picture, *n.Board, size); err != nil {
			return nil, last, nil, err
		}
		add("board.png", "image/png", render.Words(*n.Board), picture.Bytes())
	}
	if n.File != nil {
		add(n.File.Name, "text/plain", "", []byte(n.File.Content))
	}
	return before, last, files, nil
}

// Send says something in a room.
func (a *Adapter) Send(ctx context.Context, p bot.Parcel) error {
	before, last, files, err := a.make(ctx, p.Note)
	if err != nil {
		return err
	}
	for i, b := range before {
		b.Nonce, b.Enforce = fmt.Sprintf("%d.%d", p.Entry.ID, i), true
		if _, err := a.create(ctx, p.Place.Address.ID, b, nil); err != nil {
			return verdict(err)
		}
	}
	last.Nonce, last.Enforce = strconv.FormatUint(p.Entry.ID, 10), true
	sent, err := a.create(ctx, p.Place.Address.ID, last, files)
	if err != nil {
		return verdict(err)
	}
	if p.Entry.Game != 0 {
		a.remember(ctx, p.Place.Address.ID, sent, p.Entry.Game, len(p.Note.Buttons) > 0 && p.Note.Board != nil)
	}
	return nil
}

// create posts a message, and returns its id.
func (a *Adapter) create(ctx context.Context, channel string, b body, files []*discordgo.File) (string, error) {
	kind, data, err := encode(b, files)
	if err != nil {
		return "", err
	}
	endpoint := discordgo.EndpointChannelMessages(channel)
	answer, err := a.rest.RequestRaw(http.MethodPost, endpoint, kind, data, endpoint, 0, discordgo.WithContext(ctx))
	if err != nil {
		return "", err
	}
	var made struct {
		ID string `json:"id"`
	}
	return made.ID, json.Unmarshal(answer, &made)
}

func encode(b any, files []*discordgo.File) (kind string, data []byte, err error) {
	if len(files) > 0 {
		return discordgo.MultipartBodyWithJSON(b, files)
	}
	data, err = json.Marshal(b)
	return "application/json", data, err
}

// Codes of Discord's refusals.
const (
	unknownChannel = 10003
	missingAccess  = 50001
	cannotWrite    = 50013
	tooManyEdits   = 30046
)

// verdict is what a refusal of Discord's means.
func verdict(err error) error {
	var later *discordgo.RateLimitError
	var rest *discordgo.RESTError
	switch {
	case errors.As(err, &later) && later.RateLimit != nil && later.TooManyRequests != nil:
		return &bot.Later{After: later.RetryAfter, Everywhere: strings.Contains(later.Message, "global"), Err: errors.New("429")}
	case errors.Is(err, errStopped):
		return &bot.Later{After: 5 * time.Second, Everywhere: true, Err: errStopped}
	case !errors.As(err, &rest) || rest.Response == nil:
		return err
	}
	code := 0
	if rest.Message != nil {
		code = rest.Message.Code
	}
	status := rest.Response.StatusCode
	said := fmt.Errorf("discord: status %d, code %d", status, code)
	switch {
	case code == unknownChannel, code == missingAccess, code == cannotWrite, status == http.StatusForbidden, status == http.StatusNotFound:
		return &bot.Never{Gone: true, Err: said}
	case status == http.StatusBadRequest:
		return &bot.Never{Err: said}
	}
	return said
}

// remember notes of which game a message is, and takes the buttons off the board that
// came before it.
func (a *Adapter) remember(ctx context.Context, channel, message string, game storage.GameID, board bool) {
	err := a.memory.Put(ctx, "message/"+message, []byte(strconv.FormatUint(uint64(game), 10)))
	if board {
		last := fmt.Sprintf("board/%s/%d", channel, game)
		old, err2 := a.memory.Get(ctx, last)
		err = errors.Join(err, err2, a.memory.Put(ctx, last, []byte(message)))
		if len(old) > 0 && string(old) != message {
			a.strip(ctx, channel, string(old))
		}
	}
	if err != nil {
		a.log.ErrorContext(ctx, "discord: message not remembered", "err", err)
	}
}

// strip takes the buttons off a message, if Discord lets that be done.
func (a *Adapter) strip(ctx context.Context, channel, message string) {
	endpoint := discordgo.EndpointChannelMessage(channel, message)
	_, err := a.rest.RequestWithBucketID(http.MethodPatch, endpoint, map[string]any{"components": []row{}}, discordgo.EndpointChannelMessage(channel, ""), discordgo.WithContext(ctx))
	if err != nil {
		a.log.DebugContext(ctx, "discord: buttons not taken off", "err", verdict(err))
	}
}

// gameOf is the game that a message of the bot's shows, 0 if none.
func (a *Adapter) gameOf(ctx context.Context, message string) storage.GameID {
	value, err := a.memory.Get(ctx, "message/"+message)
	if err != nil {
		return 0
	}
	n, _ := strconv.ParseUint(string(value), 10, 64)
	return storage.GameID(n)
}
