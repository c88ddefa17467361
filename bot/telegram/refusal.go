package telegram

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	library "github.com/go-telegram/bot"

	"chimera/bot/adapter"
	"chimera/bot/outbox"
	"chimera/storage"
)

// verdict is what a refusal of Telegram's means to the outbox.
func (a *Adapter) verdict(err error) error {
	if err == nil {
		return nil
	}
	if held, ok := errors.AsType[*outbox.Later](err); ok {
		return held
	}
	if never, ok := errors.AsType[*outbox.Never](err); ok {
		return never
	}
	said := errors.New(a.clean(err))
	if later, ok := errors.AsType[*library.TooManyRequestsError](err); ok {
		return &outbox.Later{After: time.Duration(later.RetryAfter) * time.Second, Err: said}
	}
	gone := errors.Is(err, library.ErrorForbidden) || refusedAs(err, "chat not found", "CHAT_WRITE_FORBIDDEN", "PEER_ID_INVALID", "rights to send")
	if gone || errors.Is(err, library.ErrorBadRequest) {
		return &outbox.Never{Gone: gone, Err: said}
	}
	return said
}

// refusedAs reports whether an error is a refusal of Telegram's that contains one of these words.
func refusedAs(err error, words ...string) bool {
	return errors.Is(err, library.ErrorBadRequest) && slices.ContainsFunc(words, func(w string) bool { return strings.Contains(err.Error(), w) })
}

// moved is the new address of a group, if an error says that it has one.
func (a *Adapter) moved(ctx context.Context, place storage.Address, err error) (storage.Address, bool) {
	migrated, ok := errors.AsType[*library.MigrateError](err)
	if !ok {
		return place, false
	}
	chat, thread := chatOf(place)
	a.migrate(ctx, chat, int64(migrated.MigrateToChatID))
	return address(int64(migrated.MigrateToChatID), thread), true
}

// heed lets all that is to be said at a place wait, if an error asks for that.
func (a *Adapter) heed(place storage.Address, err error) {
	if later, ok := errors.AsType[*outbox.Later](a.verdict(err)); ok {
		a.post.Hold(place, later)
	}
}

// persist asks Telegram for something until that is done or refused for good.
func (a *Adapter) persist(ctx context.Context, fault string, ask func() error) error {
	asking := adapter.Retry{First: time.Second, Most: time.Minute, Pause: a.pause, Verdict: func(err error) error {
		if isWrongToken(err) {
			return &outbox.Never{Err: err}
		}
		return a.verdict(err)
	}, Log: func(err error, again time.Duration) {
		a.log.WarnContext(ctx, "telegram: "+fault, "err", a.clean(err), "again in", again)
	}}
	return asking.Do(ctx, ask)
}

// isWrongToken reports whether Telegram does not know the bot.
func isWrongToken(err error) bool {
	return errors.Is(err, library.ErrorUnauthorized) || errors.Is(err, library.ErrorNotFound)
}

// insist asks Telegram for something again, a little later, if that may help.
func (a *Adapter) insist(ctx context.Context, ask func() error) error {
	const tries, most = 4, 10 * time.Second
	asking := adapter.Retry{First: time.Second / 2, Tries: tries, Pause: a.pause, Verdict: func(err error) error {
		verdict := a.verdict(err)
		later, asks := errors.AsType[*outbox.Later](verdict)
		if _, moved := errors.AsType[*library.MigrateError](err); moved || asks && later.After > most {
			return &outbox.Never{Err: err}
		}
		return verdict
	}}
	return asking.Do(ctx, ask)
}

// ask asks Telegram something while somebody waits.
func (a *Adapter) ask(ctx context.Context, fault string, question func(context.Context) error) error {
	const tries, soon = 2, 2 * time.Second
	err := adapter.Retry{Tries: tries, Pause: a.pause}.Do(ctx, func() error {
		ctx, end := context.WithTimeout(ctx, soon)
		defer end()
		return question(ctx)
	})
	a.failed(ctx, slog.LevelWarn, fault, err)
	return err
}
