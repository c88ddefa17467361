package web

import (
	"context"
	"net/url"
	"os"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestNoPageHasWhatAxeFindsInaccessible runs axe-core, which the environment says where to find.
func TestNoPageHasWhatAxeFindsInaccessible(t *testing.T) {
	file := os.Getenv("CHIMERA_TEST_AXE")
	if file == "" {
		t.Skip("skipped: CHIMERA_TEST_AXE names no axe.min.js")
	}
	axe, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b, s := browser(t), serve(t)
	game := s.begun("combination")
	visit(t, s.address(game), url.Values{"text": {"Ke3"}})
	for _, width := range []int64{360, 1200} {
		for _, at := range []string{"/", "/games", "/top", "/rules", game, game + "?ply=0", game + "?as=guest&plan=on", game + "?how=e3", game + "?threats=on&zones=on"} {
			p := b.open(t, width, s.address(at))
			scheme := map[int64]string{360: "dark", 1200: "light"}[width]
			p.do(chromedp.Func(func(ctx context.Context, to *chromedp.Target) error {
				_, err := cdp.Call(ctx, to, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
					Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
				})
				return err
			}))
			p.do(chromedp.Evaluate[chromedp.Void](string(axe)))
			found := eval[string](p, `axe.run().then((r) => r.violations.map((v) => v.id + ": " + v.help + "\n" +
				v.nodes.map((n) => "  " + n.html.slice(0, 200) + "\n  " + n.failureSummary).join("\n")).join("\n"))`)
			if found != "" {
				t.Errorf("%s at %d:\n%s", at, width, found)
			}
		}
	}
}
