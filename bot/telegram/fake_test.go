package telegram

import (
	"testing"

	"chimera/bot/loopback"
)

type (
	fake    = loopback.Telegram
	call    = loopback.Call
	refusal = loopback.Refusal
	person  = loopback.Person
)

const token = loopback.Token

func newFake(t testing.TB) *fake { return loopback.NewTelegram(t) }

var alice, bob, carol = person{ID: 1, Name: "alice"}, person{ID: 2, Name: "bob"}, person{ID: 3, Name: "carol"}

const group = -500

// replyTo lets a message answer one of the bot's.
func replyTo(message int) func(map[string]any) { return loopback.ReplyTo(message) }

// refused is an answer of Telegram's that refuses.
func refused(status int, body string) *refusal { return &refusal{Status: status, Body: body} }
