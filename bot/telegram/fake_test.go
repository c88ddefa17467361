package telegram

import (
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

// refused is an answer of Telegram's that refuses.
func refused(status int, body string) *refusal { return &refusal{Status: status, Body: body} }
