package web

import (
	"os"
	"testing"

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
	for _, width := range []int64{360, 1200} {
		for _, at := range []string{"/", game, game + "?ply=0"} {
			p := b.open(t, width, s.address(at))
			p.do(chromedp.Evaluate[chromedp.Void](string(axe)))
			found := eval[string](p, `axe.run().then((r) => r.violations.map((v) => v.id + ": " + v.help + "\n" +
				v.nodes.map((n) => "  " + n.html.slice(0, 200) + "\n  " + n.failureSummary).join("\n")).join("\n"))`)
			if found != "" {
				t.Errorf("%s at %d:\n%s", at, width, found)
			}
		}
	}
}
