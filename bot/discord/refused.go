package discord

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
	lru "github.com/hashicorp/golang-lru/v2"

	"chimera/bot/discord/gateway"
)

// Discord bans an address that makes too many requests it must refuse. So what it has refused in a channel
// is not asked again for a while, and people who go on writing where the bot cannot answer get no answer
// at all for a while.

// refusals is what was refused, and who has written what cannot be answered.
type refusals struct {
	known     *lru.Cache[string, denial]
	permitted atomic.Int64                  // when permissions were last changed somewhere, in nanoseconds
	spent     *lru.Cache[string, time.Time] // by account and by server, of what cannot be answered
}

// denial is a refusal of Discord's, with its time and until when the same is not asked again.
type denial struct {
	err       error
	at, until time.Time
}

// What Discord may refuse in a channel that takes plain text.
const (
	inReply   = " in reply"
	withCard  = " with a card"
	withFiles = " with files"
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
func (a *Adapter) refuse(what string, err error) {
	now := time.Now()
	a.known.Add(what, denial{err, now, now.Add(a.pace.refused)})
}

// stands reports whether the same is not asked again yet. It is asked sooner if permissions have changed
// since, but not at once: somebody may change them all the time.
func (a *Adapter) stands(no denial) bool {
	now := time.Now()
	changed := a.permitted.Load() >= no.at.UnixNano()
	return now.Before(no.until) && (!changed || now.Before(no.at.Add(a.pace.denied)))
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
	err := a.call(ctx, http.MethodPost, "channels/"+channel+"/messages", p.payload, into, p.newFiles()...)
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
