package telegram

import (
	"fmt"
	"strings"
	"testing"

	"chimera/bot/fake"
)

type (
	double  = fake.Telegram
	call    = fake.Call
	refusal = fake.Refusal
	person  = fake.Person
)

const token = fake.Token

func newFake(t testing.TB) *double { return fake.NewTelegram(t) }

var alice, bob, carol = person{ID: 1, Name: "alice"}, person{ID: 2, Name: "bob"}, person{ID: 3, Name: "carol"}

const group = -500

// replyTo lets a message answer one of the bot's.
func replyTo(message int) func(map[string]any) { return fake.ReplyTo(message) }

// refused is an answer of Telegram's that refuses, and says why, and perhaps what to do.
func refused(status int, why string, parameters ...string) *refusal {
	return &refusal{Status: status, Body: fmt.Sprintf(`{"ok":false,"error_code":%d,"description":%q,"parameters":{%s}}`, status, why, strings.Join(parameters, ","))}
}

// refuses lets Telegram refuse all requests with these parts from now on.
func refuses(f *double, no *refusal, parts ...string) {
	f.Lock()
	defer f.Unlock()
	f.Refuse = func(c call) *refusal {
		if c.Has(parts...) {
			return no
		}
		return nil
	}
}

// count is how many of some requests have these parts.
func count(calls []call, parts ...string) (n int) {
	for _, c := range calls {
		if c.Has(parts...) {
			n++
		}
	}
	return n
}
