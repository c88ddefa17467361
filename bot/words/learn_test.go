package words_test

import (
	"reflect"
	"strings"
	"testing"

	"chimera/bot/computer"
	"chimera/bot/words"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/engine"
	"chimera/rules/phrase"
	"chimera/rules/variants"
	"chimera/storage/kv/kvtest"
)

// A piece of both sides is no pawn, and can be attacked.
func TestAttackedPiecesOfBothSidesAreTold(t *testing.T) {
	v := rules.Find(variants.All(), "knightmare")
	pos, err := v.Position("1rbqkb2/p1ppp2r/np3p2/6Np/P1B1P2P/2P5/RP1P1P2/1NB[Qn]K1R1 b - - 1 17 -")
	kvtest.Must(t, err)
	const want = "None of Black's pieces can be taken with gain.\nAttacked, but without gain: knight a6 (by bishop c4); knightmare (queen + knight) d1 (by king e1); pawn h5 (by knightmare (queen + knight) d1); rook h7 (by knight g5)."
	lines, _ := words.Attacked(pos, words.FindThreats(pos))
	if told := words.Lines(lines).In(phrase.English).Plain(); told != want {
		t.Errorf("%q is told, want %q", told, want)
	}
}

// Below a solution, the legend of its first position stays.
func TestALegendOfZonesIsTheSameBelowALaterPosition(t *testing.T) {
	v := rules.Find(variants.All(), "combination")
	pos, err := v.Position(v.Start)
	kvtest.Must(t, err)
	d := diagram.Of(pos, nil, rules.White).ShowZones(pos.Influences())
	later := diagram.Of(pos, nil, rules.White)
	later.Board = rules.Board{}
	for _, sign := range words.ZoneLegend(d)[0].Signs {
		if is, want := later.Alone(sign).Marks, d.Alone(sign).Marks; !reflect.DeepEqual(is[len(is)-1], want[len(want)-1]) {
			t.Errorf("%q is shown by %+v, want %+v", sign.Means.Text(phrase.English), is, want)
		}
	}
	if of := words.Legend(v, later, d, later); !reflect.DeepEqual(of, words.ZoneLegend(d)) {
		t.Errorf("of several positions, it is %+v", of)
	}
}

func TestAHintSaysThatAMateCannotBeStopped(t *testing.T) {
	pos, err := rules.Find(variants.All(), "chess").Position("7R/1pp2pp1/7k/p1B1NQn1/2P3p1/P7/1P3P2/5R1K b - - 2 30")
	kvtest.Must(t, err)
	found := engine.Result{Line: engine.Line{Score: engine.Score{Mate: -1}, Moves: pos.Moves()[:1]}}
	const want = "You can't stop the mate, but this puts it off longest."
	if told := words.HintWhy(rules.NewGame(pos), found, computer.Reason{}).In(phrase.English).Plain(); !strings.HasSuffix(told, want) {
		t.Errorf("%q is told, want %q at its end", told, want)
	}
}

func TestAPieceIsTheOneOnlyIfThereIsNoOther(t *testing.T) {
	for fen, want := range map[string]string{
		"r3k2r/8/8/8/8/8/8/4K3 w - - 0 1": "It wins a rook.",
		"r3k3/8/8/8/8/8/8/4K2R w - - 0 1": "It wins the rook.",
	} {
		pos, err := rules.Find(variants.All(), "chess").Position(fen)
		kvtest.Must(t, err)
		why := computer.Reason{Kind: "wins", Wins: []rules.Piece{pos.Board()[pos.Variant().Shape.Parse("a8")]}}
		if told := words.Why(pos, why).In(phrase.English).Plain(); told != want {
			t.Errorf("in %s, %q is told, want %q", fen, told, want)
		}
	}
}
