package rules_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"chimera/rules"
	"chimera/rules/internal/rulestest"
	"chimera/rules/variants"
)

// after is the position after moves of a game, parted by spaces.
func after(t *testing.T, key, moves string) *rules.Position {
	t.Helper()
	return rulestest.After(t, position(t, key, ""), strings.Fields(moves)...)
}

func TestAPawnsMoveIsNeverAnotherPieces(t *testing.T) {
	for _, c := range []struct {
		key, fen, moves, text string
		meant                 []string
	}{
		{"chess", "", "e4 e5 Nf3 Bb4", "d3", []string{"Bd3"}},
		{"chess", "", "e4 e5 Nc3 Nf6", "c4", []string{"Bc4"}},
		{"chess", "", "e4 e5 Bc4 Nf6", "d5", []string{"Bd5"}},
		{"chess", "", "e4 c5 Ke2 Nc6", "exd3", []string{"Kd3"}},
		{"chess", "", "e4 c5 Ke2 Nc6", "ed3", []string{"Kd3"}},
		{"chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "", "g1", []string{"Rg1", "O-O"}},
		{"chess", "", "e4 e5", "2e2", nil},
		{"stealth", "", "d4 d5 Nc3 Nf6", "d5", []string{"Nxd5"}},
		{"combine", "", "", "b1", []string{"R~Nb1"}},
		{"combine", "", "", "Rb1", []string{"R~Nb1"}},
		{"combine", "", "", "Rxb1", []string{"R~Nb1"}},
		{"combine", "", "", "a1b1", []string{"R~Nb1"}},
		{"combine", "", "", "RxNb1", []string{"R~Nb1"}},
		{"combination", "", "", "a5", []string{"Aa5"}},
		{"knightmare", "4k3/8/8/8/1R1n4/1p6/8/6K1 w - - 0 1", "", "xb3", []string{"Rxb3"}},
		{"brigade", "k7/8/8/4p3/8/2B5/8/7K w - - 0 1", "", "*e5", []string{"B*e5"}},
		// A small letter is no piece's where a pawn on that file is to capture.
		{"chess", "1k6/8/8/8/2p5/3B4/1P6/1K6 w - - 0 1", "", "bxc4", []string{"Bxc4"}},
		{"chess", "1k6/8/8/8/2p5/3B4/1P6/1K6 w - - 0 1", "", "b2xc4", nil},
		// A small letter and a rank are a square, whoever stands on it.
		{"chess", "4k3/8/8/8/1P1B4/2p5/8/4K3 w - - 0 1", "", "b4c3", []string{"Bxc3"}},
		{"chess", "4k3/8/8/8/1P1B4/2p5/8/4K3 w - - 0 1", "", "b4xc3", []string{"Bxc3"}},
		{"chess", "4k3/8/8/8/3B4/2p5/8/4K3 w - - 0 1", "", "b4c3", []string{"Bxc3"}},
		{"stealth", "4k3/8/8/8/2P5/4[G]3/8/4K3 w - - 0 1", "", "g3h5", []string{"Gh5"}},
	} {
		pos := after(t, c.key, c.moves)
		if c.fen != "" {
			pos = position(t, c.key, c.fen)
		}
		m, err := pos.Parse(c.text)
		var no *rules.Illegal
		if !errors.As(err, &no) {
			t.Errorf("%s, %s %s: %s plays %s", c.key, c.fen, c.moves, c.text, pos.Chat(m))
			continue
		}
		if !slices.Equal(no.Asked(), c.meant) {
			t.Errorf("%s, %s %s: %s is answered %q", c.key, c.fen, c.moves, c.text, err)
		}
		for _, text := range no.Asked() {
			if _, err := pos.Parse(text); err != nil {
				t.Errorf("%s asks for %s: %v", c.text, text, err)
			}
		}
	}
}

func TestMarksOfChatAreNoPartOfAMove(t *testing.T) {
	const (
		promotion = "8/P7/8/8/k7/8/8/4K3 w - - 0 1"
		passing   = "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"
		bishop    = "7k/8/8/5p2/8/8/8/1B5K w - - 0 1"
	)
	for _, c := range []struct{ key, fen, move, texts string }{
		{"chess", "", "e2e4", "1.e4;1. e4;1 . e4;1.  e4;12.e4;e4.;e4,;e4…;“e4”;\"e4\";'e4';«e4»;(e4);e4 (=)"},
		{"chess", "", "e2e4", "e4 👍;👍🏽 e4;♟️e4;e4 🇩🇪;e4 :);e\u200b4;\ufeffe4;e4\u200d;\u202ae4\u202c"},
		{"chess", "", "e2e4", "**e4**;*e4*;***e4***;_e4_;__e4__;`e4`;```e4```;||e4||;> e4;**1. e4!**;1. **e4**!;**e4**.;e\\4"},
		{"chess", "", "e2e4", "е4;Е4;1.е4;e4!!;e4‼;e4⁉;e4?!;e4 !?;ｅ４;Ｅ４;ｅ２－ｅ４;１．ｅ４;１．　ｅ４;e2〜e4"},
		{"chess", "", "e2e4", "e2‒e4;e2―e4;e2–e4;e2－e4;ｅ2ｅ4;e 2 - e 4"},
		{"chess", "", "e2e4", "pawn e4;Pawn to e4;pawn from e2 to e4;e2 to e4;♙e4"},
		{"chess", "", "c2c4", "С4"},
		{"chess", "", "g1f3", "Nf3‼;knight f3;Knight to f3;KNIGHT F3;knightf3;knight g1 f3;knight on g1 to f3;♘f3;1. ♘f3;**Nf3**;`Nf3`;3. Nf3 🙂"},
		{"chess", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "e7e5", "1...e5;1... e5;1…e5;1. ... e5;...e5;1..e5;… e5"},
		{"chess", promotion, "a7a8q", "a8(Q);a8=Q;a8 = Q;a8[Q];a8 queen;a8=queen;1.a8=Q+!;a8♕;a8(queen)"},
		{"chess", passing, "e5d6", "exd6 e.p.;exd6e.p.;exd6 ep;exd6ep;exd6 e.p;exd6 e.p.!;3. exd6 e.p.;exd6 en passant;e5 takes d6"},
		{"chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "О-О;о-о;0-О;**O-O**;1. O-O;1.0-0;0–0!;O‑O;`0-0`;Ｏ－Ｏ;castle;Castle!;Rochade;enroque;roque;рокировка"},
		{"chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "castle short;Castle kingside!;short castling;kurze Rochade;rochade kurz;petit roque;roque court;enroque corto;roque pequeno;короткая рокировка"},
		{"chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "castle long;O O O;castle queen-side;lange Rochade;grosse Rochade;grand roque;enroque largo;roque grande;длинная рокировка"},
		{"chess", open, "f3d4", "knight takes d4;Knight captures d4;knight x d4;knight takes knight d4;N×d4;N✕d4;Nхd4"},
		{"chess", "", "g1f3", "Springer f3;springer nach f3;Springer auf f3;Springer von g1 nach f3;Springerf3;Springer to f3;Pferd f3;PFERD F3;Springer g1-f3"},
		{"chess", "", "g1f3", "caballo f3;caballo a f3;Caballo de g1 a f3;cavalier f3;cavalier en f3;Cavalier f3!;cavalo f3;cavalo para f3;**cavalo em f3**"},
		{"chess", "", "g1f3", "the knight to f3;my knight f3;der Springer nach f3;el caballo a f3;le cavalier en f3;o cavalo f3;o cavalo para f3;мой конь f3"},
		{"chess", "", "g1f3", "конь f3;Конь на f3;конь ф3;конь на ф3;конь с г1 на ф3;конь ж1-ф3;конь с g1 на f3;КОНЬ F3;конём f3"},
		{"chess", "", "e2e4", "Bauer e4;pion e4;peón e4;peon e4;peão e4;пешка e4;e2 nach e4;e2 auf e4;e2 на e4;пешка e2-e4"},
		{"chess", open, "f3d4", "Springer schlägt d4;Springer schlagt auf d4;cavalier prend d4;caballo captura en d4;caballo come d4;конь бьёт d4;конь бьет на d4;cavalier x d4"},
		{"chess", "4k3/8/8/8/8/8/8/3QK2R w K - 0 1", "d1d4", "Dame d4;Königin d4;Konigin d4;dame en d4;reine d4;dama d4;reina d4;rainha d4;a dama d4;a rainha d4;ферзь d4;королева d4"},
		{"chess", "4k3/8/8/8/8/8/8/3QK2R w K - 0 1", "h1h4", "Turm h4;tour h4;torre h4;a torre h4;A Torre para h4;ладья h4;тура h4;turm xh4"},
		{"chess", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "f1c4", "Läufer c4;laufer nach c4;fou c4;alfil c4;bispo c4;слон c4;офицер c4;слон с4"},
		{"chess", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "e1d2", "König d2;roi d2;rey d2;rei d2;король d2"},
		{"combine", "", "b1~a1", "N～Ra1;N〜Ra1;Ｎ～Ｒａ１;knight ~ rook a1;**N~Ra1**;1. N~Ra1!"},
		{"combine", hybrids, "d4e6", "rook-knight e6;rook-knight to e6;Turm-Springer e6;torre-caballo e6;tour-cavalier en e6;Rook–Knight e6;[RN]e6"},
		{"combine", hybrids, "d4/Ne5", "**RNd4/Ne5**;rook-knight d4/Ne5;rook-knight d4 / knight e5"},
		{"combine-free", "4k3/8/8/8/2R5/8/3N4/4K3 w - - 0 1", "c4+d2~e4", "R+N~e4;**R+N~e4**;Ｒ＋Ｎ～ｅ４;rook + knight ~ e4"},
		{"knightmare", "4k3/8/8/8/8/2[Nq]5/8/6K1 w - - 0 1 -", "c3e4", "queen-knight e4;queen-knight to e4;`QNe4`"},
		{"stealth", "7k/8/8/8/8/8/8/[RRR]5K1 w - - 0 1", "a1a8", "B52a8;b52 a8;B52 to a8;RRRa8;B52xa8"},
		{"stealth", "8/7k/8/8/8/8/8/[QN]5K1 w - - 0 1", "a1a8", "field marshall a8;Field Marshall to a8"},
		{"brigade", bishop, "b1d3xf5", "Bd3*f5;Bd3\\*f5;**Bd3*f5**;bishop d3*f5;`Bd3*f5`;1. Bd3*f5"},
		{"brigade", "k7/8/8/4p3/8/2B5/8/7K w - - 0 1", "c3c3xe5", "B*e5;**B*e5**;*B*e5*;bishop*e5"},
		{"brigade", "k7/8/8/8/8/8/8/1N5K w - - 0 1", "b1c3", "Nb1-c1-c2-c3;**Nb1–c1–c2–c3**;knight b1-c1-c2-c3"},
	} {
		pos := position(t, c.key, c.fen)
		for text := range strings.SplitSeq(c.texts, ";") {
			rulestest.Reads(t, pos, text, c.move)
			if !pos.Variant().MoveLike(text) {
				t.Errorf("%s: %q is not taken for a move", c.key, text)
			}
		}
	}
}

func TestOrdinaryTalkIsNotTakenForAMove(t *testing.T) {
	for _, text := range []string{
		"I have 5 minutes", "the 1st of May", "moce e4", "mov e4", "m e4", "grade5", "section4", "covid19", "see you at 8",
		"d4 is better", "how about e4 or d4", "e4 please", "go e4", "", "hello", "a", "8", "1.", "*", "**", "OK", "no", "pawned 4",
		"to e4", "on d4", "auf e4", "das Pferd", "Springer ist stark", "la dame en d4 est forte", "конь хорош", "tour de france", "a la torre", "en e4", "Nf3 was a blunder", "is it b4 or after", "x", "~", "/", "+", "e", strings.Repeat("a1", 200),
	} {
		for _, v := range variants.All() {
			if v.MoveLike(text) {
				t.Errorf("%s: %q is taken for a move", v.Key, text)
			}
		}
	}
	for text, key := range map[string]string{
		"e5": "chess", "Sf3": "chess", "e9": "combination", "a1": "combination", "O-O-O": "chess", "Qh9": "chess", "i4": "chess", "oo": "chess", "NRe4": "combine", "e8=K": "chess",
		"/Ng5": "combine", "R+Nx~e1": "combine-free", "RRR*a4": "stealth", "Qh5xf7": "brigade", "Nf3=Q": "chess", "~Ra1": "combine", "f~Pg6": "stealth",
		"Nb1-b2-b3-c3": "brigade", "a1a8xa4xa6": "stealth", "fxNd4": "chess", "c8g4x*e4": "brigade",
	} {
		if !position(t, key, "").Variant().MoveLike(text) {
			t.Errorf("%s: %q is not taken for a move", key, text)
		}
	}
}
