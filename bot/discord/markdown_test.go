package discord

import (
	"strings"
	"testing"
	"time"

	"chimera/bot/adapter"
	"chimera/bot/message"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

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
	all, err := live(t, newFake(t), &kvtest.Disk{}).chat.drafts(t.Context(), message.Message{Text: text}, phrase.English)
	if err != nil {
		t.Fatal(err)
	}
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
