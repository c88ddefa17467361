package discord

import (
	"bytes"
	"fmt"
	"image/png"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/render"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/rules/variants"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

func TestACardCallsWhoIsToMoveAboveIt(t *testing.T) {
	text := words.Text{
		{Words: "Chess #1", Style: words.Bold},
		{Words: ": alice against bob\n"},
		{Words: "1. f3", Style: words.Bold},
		{Words: ": f2 to f3\n"},
		{Words: "bob", Person: 2},
		{Words: " is to move."},
	}
	accounts := map[storage.PersonID]string{2: "12"}
	above, c := cardOf(text, accounts, colorTurn, true)
	if above != "**Chess #1**: alice against bob\n<@12> is to move." || c.Title != "" || c.Description != "**1. f3**: f2 to f3" {
		t.Errorf("%q above %+v", above, c)
	}
	above, c = cardOf(text[4:], accounts, colorQuestion, false)
	if above != "<@12> is to move." || c.Title != "" || c.Description != "" {
		t.Errorf("%q above %+v", above, c)
	}
}

func TestACardHasATitleOrStandsBelowIt(t *testing.T) {
	for _, l := range phrase.Languages() {
		title := words.Text{{Phrase: words.Book().Say("board.title", "kind", "Chess", "game", "#1", "white", "alice", "black", "bob")}}
		for first, text := range map[string]words.Text{"": title, "Takeback accepted.\n": words.Of(words.Say("board.took-back", "n", 1), "\n", title)} {
			_, c := cardOf(text.In(l), nil, colorTurn, true)
			last := c.Description[strings.LastIndex(c.Description, "\n")+1:]
			if c.Title != "Chess #1" || !strings.HasPrefix(last, "alice") || strings.Contains(c.Description, "\n") != (first != "") {
				t.Errorf("%v: %+v", l, c)
			}
		}
		stands := words.Of(title, "\n", words.Say("board.last", "move", "1. f3", "did", ""), "\n", words.Say("board.start")).In(l)
		if above, c := cardOf(stands, nil, colorTurn, true); !strings.HasPrefix(above, "**Chess #1**") || strings.Count(above, "\n") != 1 || !strings.HasPrefix(c.Description, "**1. f3**") {
			t.Errorf("%v: %q above %+v", l, above, c)
		}
	}
	daily := words.Text{{Words: "Solution: "}, {Words: "Rd8", Style: words.Bold}, {Words: ".\n"}, {Words: "Puzzle of the day", Style: words.Bold}, {Words: ": Chess\nWhite to move."}}
	if above, c := cardOf(daily, nil, colorTurn, true); above != "Solution: **Rd8**.\n**Puzzle of the day**: Chess\nWhite to move." || c.Description != "" {
		t.Errorf("%q above %+v", above, c)
	}
}

func TestTheColourOfACardTellsHowThingsStand(t *testing.T) {
	board, checked := &diagram.Diagram{}, &diagram.Diagram{Marks: []diagram.Mark{{Kind: diagram.Check}}}
	button := func(verb string) []message.Button { return []message.Button{{Label: verb, Do: verb + " 1 0"}} }
	for name, c := range map[string]struct {
		note message.Message
		want int
	}{
		"your move":    {message.Message{Board: board, Buttons: button("pick")}, colorTurn},
		"check":        {message.Message{Board: checked, Buttons: button("pick")}, colorCheck},
		"mate":         {message.Message{Board: checked, Buttons: button("rematch")}, colorOver},
		"a challenge":  {message.Message{Buttons: button("join")}, colorQuestion},
		"a draw offer": {message.Message{Buttons: button("agree-draw")}, colorQuestion},
		"help":         {message.Message{}, 0},
		"a yes or no":  {message.Message{Buttons: button("resign-yes")}, 0},
	} {
		if got := colorOf(&c.note); got != c.want {
			t.Errorf("%s has the colour %x, want %x", name, got, c.want)
		}
	}
}

func TestButtonsLookAsWhatTheyDoInAnyLanguage(t *testing.T) {
	for do, want := range map[string]discordgo.ButtonStyle{
		"pick 1 0 - - 0": discordgo.PrimaryButton, "join 1 -": discordgo.PrimaryButton, "draw-yes 1 0": discordgo.PrimaryButton,
		"resign 1 0": discordgo.DangerButton, "flip 1 0": discordgo.SecondaryButton, "pick 1 0 e2 - 0": discordgo.SecondaryButton,
	} {
		if got := style(message.Button{Label: "Knopf", Do: do}); got != want {
			t.Errorf("%s has the style %d, want %d", do, got, want)
		}
	}
}

func TestAChallengeMessageTellsWhatBecameOfIt(t *testing.T) {
	l := ready(t)
	made := 0
	challenge := func() string {
		made++
		l.answered(l.Slash(room0, alice, "challenge", "opponent=@bob", "game=chess", "colour=white"))
		return l.posted("POST channels/"+room0+"/messages ", "challenges <@12>", fmt.Sprint("#", made))
	}
	said := func(message, outcome string) {
		t.Helper()
		l.posted("PATCH channels/"+room0+"/messages/"+message, `"components": []`, "challenges <@12>", `\n**`+outcome+"**")
	}
	message := challenge()
	l.Slash(room0, bob, "decline")
	said(message, "Declined")
	message = challenge()
	l.Slash(room0, alice, "cancel")
	said(message, "Withdrawn")
	message = challenge()
	if l.count("declines challenge")+l.count("withdraws challenge") > 0 {
		t.Error("it was said again in a message of its own")
	}
	l.stopped()
	l.End()
	l = l.again()
	l.Ready()
	l.Slash(room0, bob, "accept")
	said(message, "Accepted")
	l.posted("PATCH channels/"+room0+"/messages/"+message, "<#"+message+">")
	for _, w := range []who{alice, bob} {
		l.posted("PUT channels/" + message + "/thread-members/" + w.ID)
		l.posted("POST channels/"+message+"/messages", "board.png", "<@"+w.ID+">", `"`+w.ID+`"`)
	}
}

func TestAChallengeThatIsNotFoundOnlyLosesItsButtons(t *testing.T) {
	l := refusing(t, 1000, *refused(404, nil, `{"message":"Unknown Message","code":10008}`), "GET channels/"+room0+"/messages/")
	l.answered(l.Slash(room0, alice, "challenge", "opponent=@bob", "game=chess"))
	message := l.posted("POST channels/"+room0+"/messages", "challenges <@12>")
	l.Slash(room0, bob, "decline")
	l.posted("PATCH channels/"+room0+"/messages/"+message, `"components": []`, `"content": "**Declined**."`)
}

func TestWhatBecameOfAChallengeIsPostedWhereItCannotBeEdited(t *testing.T) {
	l := refusing(t, 1000, *refused(403, nil, `{"message":"Missing Access","code":50001}`), "PATCH channels/"+room0+"/messages/")
	l.answered(l.Slash(room0, alice, "challenge", "opponent=@bob", "game=chess"))
	l.posted("POST channels/"+room0+"/messages", "challenges <@12>")
	l.Slash(room0, bob, "decline")
	l.posted("POST channels/"+room0+"/messages", "bob declines challenge #1")
}

func TestWhoHasChallengedPrivatelyIsToldThatItWasDeclined(t *testing.T) {
	l := ready(t)
	private := func(m map[string]any) { delete(m, "guild_id") }
	l.Say("602", bob, "hello", private)
	l.posted("POST channels/602/messages")
	l.Say("601", alice, "challenge <@12> chess", private)
	l.posted("POST channels/602/messages", "alice challenges")
	l.Say("602", bob, "decline", private)
	l.posted("PATCH channels/602/messages", "**Declined**")
	l.posted("POST channels/601/messages", "bob declines challenge #1")
}

func TestWithoutEmbedLinksNoWordOfAChallengeOrABoardIsLost(t *testing.T) {
	f := newFake(t)
	f.Deny = discordgo.PermissionEmbedLinks
	l := live(t, f, &kvtest.Disk{})
	l.Ready()
	l.Slash(room0, alice, "challenge", "opponent=@bob", "game=chess", "colour=white")
	thread := l.posted("POST channels/"+room0+"/messages ", `"content": "#1: alice challenges <@12>`, `"custom_id": "join`, `"embeds": []`)
	l.Slash(room0, bob, "accept")
	l.posted("PATCH channels/"+room0+"/messages/"+thread, `"content": "#1: alice challenges <@12>`, `\n**Accepted**`)
	l.posted("PATCH channels/"+thread+"/messages/", "**Chess #1**")
	l.Say(thread, alice, "f3")
	l.posted("POST channels/"+thread+"/messages", "**1. f3**", "board.png", `"embeds": []`)
	l.Say(room0, alice, "<@999> challenge chess")
	l.posted("POST channels/"+room0+"/messages", "alice is looking for an opponent", `"embeds": []`)
}

func TestABoardsNotificationTellsHowItStands(t *testing.T) {
	l := ready(t)
	private := func(m map[string]any) { delete(m, "guild_id") }
	l.Say("601", alice, "play chess level 1 white", private)
	l.posted("POST channels/601/messages", `"content": "**Chess #1**: alice (White)`, `\nYour move (White)`, "board.png")
}

func TestNamesMeanNothingInMarkdown(t *testing.T) {
	for name, want := range map[string]string{
		"alice":                 "alice",
		"**x** _y_ ~~z~~ ||w||": `\*\*x\*\* \_y\_ \~\~z\~\~ \|\|w\|\|`,
		"@everyone":             `\@everyone`,
		"<@1> <#2> <t:3:R>":     `\<\@1\> \<#2\> \<t:3:R\>`,
		"# big":                 `\# big`,
		"#12: alice":            "#12: alice",
		"- item":                `\- item`,
		"-# small":              `\-# small`,
		"[x](https://evil)":     `\[x\](https://evil)`,
		"`code`":                "\\`code\\`",
		"> quote":               `\> quote`,
		`back\slash`:            `back\\slash`,
	} {
		if got := markdown(words.Text{{Words: name}}, nil); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestSpans(t *testing.T) {
	text := words.Text{
		{Words: "a", Style: words.Bold},
		{Words: " "},
		{Words: "R~Bd4", Style: words.Code},
		{Words: " "},
		{Words: "`", Style: words.Code},
		{Words: " "},
		{Words: "bob", Person: 2},
		{Words: " "},
		{Words: "*", Person: 3},
		{Words: " "},
		{Words: "in 2 days", Moment: time.Unix(77, 0)},
	}
	s := markdown(text, map[storage.PersonID]string{2: "12"})
	if want := "**a** `R~Bd4` `` ` `` <@12> @\\* <t:77:f> (<t:77:R>)"; s != want {
		t.Errorf("%q", s)
	}
}

func TestLongTextsAreCutAtLines(t *testing.T) {
	line := strings.Repeat("word ", 30)
	text := words.Text{{Words: strings.Repeat(line+"\n", 40)}, {Words: strings.Repeat("*🙂", 3000)}}
	all, err := live(t, newFake(t), &kvtest.Disk{}).chat.drafts(t.Context(), message.Message{Text: text}, phrase.English, false)
	kvtest.Must(t, err)
	whole := 0
	for i, p := range all {
		page := p.Content
		if adapter.Length(page) > maxContent || strings.TrimSpace(page) == "" {
			t.Errorf("page %d is %d long", i, adapter.Length(page))
		}
		whole += strings.Count(page, "word")
		if i < 3 && !strings.HasSuffix(page, "word ") {
			t.Errorf("page %d ends with %q", i, page[len(page)-10:])
		}
	}
	if whole != 1200 || len(all) < 8 {
		t.Errorf("%d words on %d pages", whole, len(all))
	}
}

// TestRatingsComeWithPictures looks for the pictures of leaderboards and profiles, and
// for what those are told of them who cannot see them.
func TestRatingsComeWithPictures(t *testing.T) {
	l := ready(t)
	l.answered(l.Slash(room0, alice, "top"), `"attachments": []`, "Nobody is on")
	l.Slash(room0, alice, "challenge", "opponent=@bob", "game=chess", "colour=white", "rated=true")
	challenge := l.posted("alice challenges <@12>")
	l.Slash(room0, bob, "accept")
	thread := l.posted("POST channels/" + room0 + "/messages/" + challenge + "/threads")
	l.posted("POST channels/"+thread+"/messages", "to move by")
	for i, text := range strings.Fields("a3 a6 b3 b6 h3 h6 f3 e5 g4 Qh4") {
		l.answered(l.Slash(thread, []who{alice, bob}[i%2], "move", "move="+text))
	}
	l.posted("wins by checkmate, 0-1")
	for _, c := range []struct{ command, option, words string }{
		{"top", "game=chess", "Picture: Leaderboard. Chess. "},
		{"top", "game=chess", "Ratings of 2, from 1. bob"},
		{"top", "period=month", "Points of 2, from 1. bob 1 point to 2. alice 0 points; yours: 2. alice 0 points."},
		{"top", "period=streak", "Longest winning streak of 1, from 1. bob 1 win to"},
		{"profile", "person=@bob", "Chess: from 1500 on"},
		{"compare", "person=@bob", "Chess, bob: from 1500 on"},
	} {
		id := l.Slash(room0, alice, c.command, c.option)
		l.answered(id, "picture.png", `"flags": 32832`)
		const most = 1024 // of what Discord takes
		if alt := l.alt(id); !strings.Contains(alt, c.words) || utf8.RuneCountInString(alt) > most {
			t.Errorf("%s says of its picture %q, want %q", c.command, alt, c.words)
		}
	}
}

func TestBoardsAreAsWideAsMessagesUnlessAnotherSizeIsChosen(t *testing.T) {
	l := live(t, newFake(t), &kvtest.Disk{})
	start, err := variants.All()[0].Position("")
	kvtest.Must(t, err)
	board := diagram.Of(start, nil, rules.White)
	for chosen, want := range map[int]int{0: render.DefaultSize, render.Small: render.Small} {
		made, err := l.chat.drafts(t.Context(), message.Message{Text: words.Text{{Words: "e4"}}, Board: &board, Size: chosen}, phrase.English, false)
		kvtest.Must(t, err)
		shown, err := png.DecodeConfig(bytes.NewReader(made[0].files[0].data))
		if err != nil || shown.Width != want {
			t.Errorf("where %d is chosen, it is %d wide: %v", chosen, shown.Width, err)
		}
	}
}

// alt is what is told of the picture in the answer to an interaction.
func (l *life) alt(interaction string) string {
	l.Lock()
	defer l.Unlock()
	for _, c := range l.Calls {
		if !strings.Contains(c.Path, "interactions/"+interaction+"/") {
			continue
		}
		attached, _ := object(object(c.Body)["data"])["attachments"].([]any)
		if len(attached) == 1 {
			alt, _ := object(attached[0])["description"].(string)
			return alt
		}
	}
	return ""
}
