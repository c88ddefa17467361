package discord

import (
	"context"
	"errors"
	"net/http"
	"slices"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/words"
)

// lacks are the wanted permissions that a set of permissions does not have.
func lacks(has int64, wanted ...permit) (missing []permit) {
	for _, p := range wanted {
		if has&(p.bit|discordgo.PermissionAdministrator) == 0 {
			missing = append(missing, p)
		}
	}
	return missing
}

// manages reports whether permissions let somebody change the server's settings.
func manages(has int64) bool {
	return has&(discordgo.PermissionAdministrator|discordgo.PermissionManageGuild) != 0
}

// guild is what a server says about who may do what.
type guild struct {
	ID      string
	OwnerID string `json:"owner_id"`
	Roles   []*discordgo.Role
}

// permits are the permissions that a member with some roles has in the whole server.
func (g *guild) permits(account string, roles []string) int64 {
	var all int64
	for _, r := range g.Roles {
		everybody := r.ID == g.ID
		if everybody || slices.Contains(roles, r.ID) {
			all |= r.Permissions
		}
	}
	if g.OwnerID == account {
		all |= discordgo.PermissionAdministrator
	}
	return all
}

// permitsIn are the permissions that the bot has in a channel of a server.
// https://docs.discord.com/developers/topics/permissions#permission-overwrites
func (a *Adapter) permitsIn(ctx context.Context, server, in string) (int64, error) {
	var g guild
	var c discordgo.Channel
	var m discordgo.Member
	self := a.self(ctx)
	if self == nil {
		return 0, errors.New("discord: not connected yet")
	}
	me := self.User
	for path, into := range map[string]any{
		"guilds/" + server: &g, "guilds/" + server + "/members/" + me: &m, "channels/" + in: &c,
	} {
		if err := a.call(ctx, http.MethodGet, path, nil, into); err != nil {
			return 0, err
		}
	}
	has := g.permits(me, m.Roles)
	var mine discordgo.PermissionOverwrite
	var allow, deny int64
	for _, o := range c.PermissionOverwrites {
		switch {
		case o.ID == server:
			has = has&^o.Deny | o.Allow
		case o.ID == me:
			mine = *o
		case slices.Contains(m.Roles, o.ID):
			allow, deny = allow|o.Allow, deny|o.Deny
		}
	}
	has = has&^deny | allow
	return has&^mine.Deny | mine.Allow, nil
}

// unthreaded says why a game can have no thread; nothing if it can, or if that is not known.
func (a *Adapter) unthreaded(ctx context.Context, server, place string) words.Text {
	has, err := a.permitsIn(ctx, server, place)
	if err != nil {
		a.log.InfoContext(ctx, "discord: permissions not known", "err", a.clean(err))
		return nil
	}
	missing := lacks(has, mayOpenThreads, maySendInThreads)
	if len(missing) == 0 {
		return nil
	}
	return below(without("thread", missing))
}

// keptOut says why a game's thread cannot be used now.
func keptOut(code int) words.Text {
	if code == discordgo.ErrCodePerformedOperationOnArchivedThread {
		return below(without("locked", []permit{mayManageThreads}))
	}
	return below(without("post-in-thread", []permit{maySendInThreads}))
}
