package fake

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"chimera/rules"
)

// Ply is a move of a whole game.
type Ply struct {
	rules.Move
	Text     string // in chat
	Label    string // of its button
	Numbered string // as a board tells it
}

// WholeGame is a random game to its end, of at most 60 plies. A side that can win at once does.
func WholeGame(t testing.TB, v *rules.Variant) []Ply {
	t.Helper()
	const seed, most = 6, 60
	rnd := rand.New(rand.NewPCG(seed, 0))
	start, err := v.Position("")
	if err != nil {
		t.Fatal(err)
	}
	for {
		var all []Ply
		for game := rules.NewGame(start); len(all) < most; {
			pos := game.Position
			moves := pos.Moves()
			i := rnd.IntN(len(moves))
			if board := pos.Board(); len(all)%3 > 0 { // thin out the pieces quickly
				if captures := slices.IndexFunc(moves, func(m rules.Move) bool { return board[m.To] != (rules.Piece{}) && m.Act == rules.Step }); captures >= 0 {
					i = captures
				}
			}
			for j, m := range moves {
				after, err := game.Play(m)
				if err != nil {
					t.Fatal(err)
				}
				if o := after.Outcome(); o.Result == rules.WhiteWins || o.Result == rules.BlackWins {
					i = j
				}
			}
			p := Ply{moves[i], pos.Chat(moves[i]), pos.ChatTexts()[i], strconv.Itoa(pos.FullMove())}
			if p.Numbered += ". " + p.Text; pos.Turn() == rules.Black {
				p.Numbered = strconv.Itoa(pos.FullMove()) + "… " + p.Text
			}
			all = append(all, p)
			if game, err = game.Play(p.Move); err != nil {
				t.Fatal(err)
			}
			if game.Outcome().Over() {
				return all
			}
		}
	}
}
