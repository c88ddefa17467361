package discord

import (
	"strings"
	"testing"
	"time"

	"chimera/bot"
	"chimera/storage"
)

func nobody(storage.PersonID) (string, bool) { return "", false }

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
		if got := spell(bot.Text{{Words: name}}, nobody).pages[0]; got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestSpans(t *testing.T) {
	text := bot.Text{
		{Words: "a", Style: bot.Bold},
		{Words: " "},
		{Words: "R~Bd4", Style: bot.Code},
		{Words: " "},
		{Words: "`", Style: bot.Code},
		{Words: " "},
		{Words: "bob", Person: 2},
		{Words: " "},
		{Words: "*", Person: 3},
		{Words: " "},
		{Words: "in 2 days", Moment: time.Unix(77, 0)},
	}
	s := spell(text, func(id storage.PersonID) (string, bool) { return "12", id == 2 })
	if want := "**a** `R~Bd4` `` ` `` <@12> @\\* <t:77:f> (<t:77:R>)"; s.pages[0] != want || len(s.people) != 1 {
		t.Errorf("%q", s)
	}
}

func TestLongTextsAreCutAtLines(t *testing.T) {
	line := strings.Repeat("word ", 30)
	s := spell(bot.Text{{Words: strings.Repeat(line+"\n", 40)}, {Words: strings.Repeat("*🙂", 3000)}}, nobody)
	whole := 0
	for i, page := range s.pages {
		if bot.Length(page) > maxContent || strings.TrimSpace(page) == "" {
			t.Errorf("page %d is %d long", i, bot.Length(page))
		}
		whole += strings.Count(page, "word")
		if i < 3 && !strings.HasSuffix(page, "word ") {
			t.Errorf("page %d ends with %q", i, page[len(page)-10:])
		}
	}
	if whole != 1200 || len(s.pages) < 8 {
		t.Errorf("%d words on %d pages", whole, len(s.pages))
	}
}
