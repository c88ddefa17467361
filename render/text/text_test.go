package text_test

import (
	"strings"
	"testing"

	"chimera/render/diagram"
	"chimera/render/internal/golden"
	"chimera/render/internal/sample"
	"chimera/render/text"
	"chimera/rules"
	"chimera/rules/analysis"
	"chimera/rules/variants"
)

func TestTextsAreAsTheyWere(t *testing.T) {
	for name, d := range sample.All(t) {
		t.Run(name, func(t *testing.T) {
			golden.CompareText(t, name+".golden", text.Text(d)+text.Legend(d).String()+"\n"+text.Words(d).String()+"\n")
		})
	}
}

func TestWordsAreShort(t *testing.T) {
	full := sample.Diagram(t, "[rb][rn][bn][qn]k[qrb][wz]r/pppppppp/8/8/8/8/PPPPPPPP/[RB][RN][BN][QN]K[QRB][WZ]R")
	if got := text.Words(full).String(); len(got) >= 1024 {
		t.Errorf("32 pieces take %d bytes: %s", len(got), got)
	}
}

func TestEveryPieceHasACard(t *testing.T) {
	for _, v := range variants.All() {
		for _, p := range sample.Pieces(v) {
			if p.White == rules.NoRole {
				continue
			}
			w, err := analysis.Of(v, p)
			if err != nil {
				t.Errorf("%s: %v", v.Key, err)
				continue
			}
			d := diagram.Card(v, w)
			if d.Marked(diagram.Goes) == 0 {
				t.Errorf("%s: %s can go nowhere", v.Key, v.Noun(p))
			}
			if text := text.Text(d); strings.ContainsAny(text, "○●") {
				t.Errorf("%s: on the card of %s somebody is to move:\n%s", v.Key, v.Noun(p), text)
			}
		}
	}
}
