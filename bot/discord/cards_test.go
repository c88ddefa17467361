package discord

import (
	"bytes"
	"maps"
	"strings"
	"testing"
	"time"

	"chimera/bot"
	"chimera/bot/adapter"
	"chimera/bot/event"
	"chimera/bot/fake"
	"chimera/bot/message"
	"chimera/storage"
)

// openChallenge are the options of a challenge for whoever joins first.
var openChallenge = []any{map[string]any{"name": "rated", "type": 5, "value": true}}

// joins lets the bot join a server with a system channel, or with none if that is "".
func (l *life) joins(system any, ago time.Duration) {
	l.under(func() {
		l.Dispatch("GUILD_CREATE", map[string]any{
			"id": server, "preferred_locale": "fr", "owner_id": alice.ID, "system_channel_id": system, "joined_at": time.Now().Add(-ago).Format(time.RFC3339),
		})
	})
}

func TestAServerThatTheBotJoinsIsGreetedOnceInItsLanguage(t *testing.T) {
	l := ready(t)
	failures := 2
	l.Look(func(c fake.Request) *fake.Refusal {
		if failures > 0 && c.Has("POST channels/"+room0+"/messages") {
			failures--
			return refused(500, nil, `{}`)
		}
		return nil
	})
	l.joins(room0, time.Hour)
	l.joins(room0, time.Second)
	l.posted("POST channels/"+room0+"/messages", "merci de m’avoir invité", `"flags": 32768`, `"nonce": "j500`, "Jouer contre moi", "Défier", "Apprendre", "Réglages")
	l.joins(room0, time.Second)
	l.answered(l.Press(room0, bob, l.buttonOf("Apprendre")), "Combine Chess", `"flags": 6`)
	l.answered(l.Press(room0, bob, pressable{Data: "settings 0 -"}), "(`quiet`): off")
	if n := l.count("merci"); n != 1 {
		t.Errorf("%d hellos", n)
	}
}

func TestWhoHasInvitedTheBotIsGreetedWhereTheServerCannotBe(t *testing.T) {
	for name, system := range map[string]any{"forbidden": room0, "no channel": nil} {
		t.Run(name, func(t *testing.T) {
			l := ready(t)
			l.Look(func(c fake.Request) *fake.Refusal {
				switch {
				case c.Has("POST channels/" + room0 + "/messages"):
					return &forbidden
				case c.Has("GET guilds/500/audit-logs"):
					return refused(200, nil, `{"audit_log_entries":[{"user_id":"13","target_id":"999"}]}`)
				}
				return nil
			})
			l.joins(system, time.Second)
			l.posted("POST channels/7"+carol.ID+"/messages", "merci", "Défier")
		})
	}
}

func TestWhereALayoutIsRefusedMessagesArePlain(t *testing.T) {
	l := ready(t)
	l.Look(func(c fake.Request) *fake.Refusal {
		if c.Has(`"accessory"`) {
			return refused(400, nil, `{"message":"Invalid Form Body","code":50035}`)
		}
		return nil
	})
	for range 2 {
		l.answered(l.Slash(room0, alice, "help"), "**Look:**", `"flags": 68`, `"label": "Look"`)
	}
	l.Say(room0, bob, "<@999> settings")
	l.posted("POST channels/712/messages", "(`quiet`): off", `"label": "Quiet hours"`)
	if n := strings.Count(l.log.String(), "can't be laid out"); n != 1 {
		t.Errorf("it is in the log %d times", n)
	}
}

func TestHelpLeadsToItsTopicsAndBack(t *testing.T) {
	l := ready(t)
	l.answered(l.Slash(room0, alice, "help"), `"accessory"`, "Play me")
	l.answered(l.Press(room0, alice, l.buttonOf("Look")), `"type": 7`, `"flags": 32832`, "replay", `"label": "Back"`)
	l.answered(l.Press(room0, alice, l.buttonOf("Back")), `"type": 7`, "**Look:**", `"content": null`)
}

func TestALobbyHasAButtonBesideEachChallenge(t *testing.T) {
	l := ready(t)
	l.Slash(room0, alice, "challenge", "game=chess")
	l.posted("POST channels/"+room0, "looking for an opponent")
	l.answered(l.Slash(room0, bob, "lobby"), `"accessory": {`, `"label": "#1 Chess"`)
	l.Say(room0, bob, "<@999> lobby")
	l.posted("POST channels/"+room0+"/messages", `"accessory": {`, `"label": "#1 Chess"`)
	l.Say(room0, bob, "<@999> help") // is answered after that
	l.posted("POST channels/"+room0+"/messages", "Play me")
	l.none("what is laid out was changed to text", "PATCH channels/"+room0)
}

func TestAChallengeIsFilledInWhereNothingIsNamed(t *testing.T) {
	l := ready(t)
	l.answered(l.Interact(room0, alice, isCommand, map[string]any{"name": "challenge", "type": 1}, inGerman), `"type": 9`, `"custom_id": "terms"`, `"type": 21`, `"type": 23`, `"label": "14 Tage pro Zug"`, `"label": "Schach"`)
	fill := func(by who, opponent []any, rated bool) {
		part := func(kind int, name string, value, values any) any {
			return map[string]any{"type": 18, "component": map[string]any{"type": kind, "custom_id": name, "value": value, "values": values}}
		}
		l.Interact(room0, by, fake.IsForm, map[string]any{
			"custom_id": "terms", "components": []any{
				part(5, "opponent", nil, opponent), part(3, "game", nil, []any{"chess"}), part(21, "days", "7d", nil), part(21, "colour", nil, nil), part(23, "rated", rated, nil),
			}, "resolved": map[string]any{"users": map[string]any{carol.ID: carol.Told()}},
		})
	}
	fill(alice, []any{carol.ID}, false)
	l.posted("POST channels/"+room0, "alice challenges <@13>", "**Chess**", "unrated", "7 days per move")
	fill(bob, nil, true)
	l.posted("POST channels/"+room0, "bob is looking for an opponent", "rated, 7 days per move")
}

func TestAfterAFormThatWasOpenedBeforeThereAreStillForms(t *testing.T) {
	l := ready(t)
	l.Look(func(c fake.Request) *fake.Refusal {
		if c.Has(`"type": 9`) {
			return refused(400, nil, `{"message":"Interaction has already been acknowledged.","code":40060}`)
		}
		return nil
	})
	l.Slash(room0, alice, "challenge")
	l.Wait("the refusal", func() bool { return strings.Contains(l.log.String(), "form not opened") })
	if l.chat.formless.Load() {
		t.Error("forms are given up")
	}
}

func TestWhereAFormIsRefusedAChallengeIsMadeAsItIs(t *testing.T) {
	l := ready(t)
	l.Look(func(c fake.Request) *fake.Refusal {
		if c.Has(`"type": 9`) {
			return refused(400, nil, `{"message":"Invalid Form Body","code":50035}`)
		}
		return nil
	})
	l.Slash(room0, alice, "challenge")
	l.posted("POST channels/"+room0, "alice is looking for an opponent")
}

func TestTheButtonBelowWhatAnOpponentSaysOutlivesTheNextBoard(t *testing.T) {
	l := ready(t)
	d := bot.Delivery{Entry: storage.Entry{Game: 1, Kind: string(event.Said)}, Note: message.Message{Buttons: []message.Button{{Do: "block 1 -"}}}}
	if got, want := l.chat.receipt(t.Context(), room{channel: "602", place: "602"}, "700", d), adapter.Shows("602", "700", 1); !maps.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("noted is %q, want %q", got, want)
	}
}
