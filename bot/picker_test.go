package bot_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"chimera/bot/message"
	"chimera/rules"
	"chimera/rules/variants"
	"chimera/storage"
)

// press is what somebody hears who presses a button.
func (o *office) press(room, who, press string) []message.Message {
	o.t.Helper()
	m := message.Incoming{
		Place: storage.Address{Platform: "test", ID: room}, Press: press,
		From: message.Account{Address: storage.Address{Platform: "test", ID: who}, Name: who},
	}
	notes, err := o.bot.Handle(o.t.Context(), m)
	if err != nil {
		o.t.Fatal(err)
	}
	return notes
}

// crowded is a move of a piece that has too many for one page, and another to the same
// square; false if there is none.
func crowded(pos *rules.Position) (move rules.Move, ok bool) {
	moves := pos.Moves()
	all := map[rules.Square]int{}
	for _, m := range moves {
		all[m.From]++
	}
	there := map[[2]rules.Square]int{}
	for _, m := range moves {
		to := [2]rules.Square{m.From, m.To}
		if there[to]++; all[m.From] > 24 && there[to] > 1 {
			return m, true
		}
	}
	return move, false
}

func TestBackLeadsToThePageOnWhichTheMoveWasChosen(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	rnd := rand.New(rand.NewPCG(seed, 7))
	o := newOffice(t)
	all := variants.All()
	brigade := all[slices.IndexFunc(all, func(v *rules.Variant) bool { return v.Key == "brigade" })]
	for id := 1; ; id++ {
		o.says("room", "alice", "challenge @bob brigade white")
		o.says("room", "bob", fmt.Sprintf("accept #%d", id))
		pos, err := brigade.Position("")
		if err != nil {
			t.Fatal(err)
		}
		for ply := 0; ply < 80 && len(pos.Moves()) > 0; ply++ {
			who := []string{"alice", "bob"}[ply%2]
			if m, ok := crowded(pos); ok {
				at := fmt.Sprintf("%d %d", id, ply)
				shown := o.press("room", who, fmt.Sprintf("sure %s %s", at, brigade.Coordinate(m)))[0]
				want := fmt.Sprintf("pick %s %s %s 0", at, brigade.Shape.Name(m.From), brigade.Shape.Name(m.To))
				if back := shown.Buttons[len(shown.Buttons)-1]; back.Label != "Back" || back.Do != want {
					t.Errorf("Back is %v, want %s", back, want)
				}
				return
			}
			m := pos.Moves()[rnd.IntN(len(pos.Moves()))]
			o.says("room", who, fmt.Sprintf("#%d %s", id, brigade.Coordinate(m)))
			if pos, err = pos.Play(m); err != nil {
				t.Fatal(err)
			}
		}
		if id == 10 {
			t.Fatal("no piece had many moves")
		}
	}
}
