package rules_test

import (
	"errors"
	"fmt"

	"chimera/rules"
	"chimera/rules/combine"
)

// start is the game of Combine Chess before its first move.
func start() rules.Game {
	pos, err := combine.Strict().Position("")
	if err != nil {
		panic(err)
	}
	return rules.NewGame(pos)
}

func ExampleGame() {
	game := start()
	for _, text := range []string{"e4", "e5", "Knight to f3", "Nc6", "R~Nb1"} {
		m, err := game.Position.Parse(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(game.Position.Chat(m))
		if game, err = game.Play(m); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(game.Position.FEN())
	// Output:
	// e4
	// e5
	// Nf3
	// Nc6
	// R~Nb1
	// r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/1[RN]BQKB1R b Kkq - 3 3
}

func ExampleIllegal() {
	_, err := start().Position.Parse("Qd1-d3")
	var no *rules.Illegal
	if errors.As(err, &no) {
		fmt.Println(no.Reason)
		fmt.Println(no.Sentence)
		fmt.Println(no.Close())
	}
	// Output:
	// blocked
	// The way from d1 to d3 is blocked by the pawn on d2.
	// [d3]
}

func ExamplePosition_Effects() {
	v := combine.Strict()
	pos, err := v.Position("4k3/8/8/8/8/8/8/RN2K3 w - - 0 1")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := pos.ParseCoordinate("a1~b1")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range pos.Effects(m) {
		fmt.Println(v.Noun(e.Piece), "from", v.Shape.Name(e.From), "becomes", v.Noun(e.Into), "on", v.Shape.Name(e.To))
	}
	fmt.Println(v.Describe(pos.Effects(m)))
	// Output:
	// rook from a1 becomes rook-knight on b1
	// knight from b1 becomes rook-knight on b1
	// The rook on a1 joins the knight on b1, and they become a rook-knight.
}

func ExamplePosition_Cursor() {
	c := start().Position.Cursor()
	var count func(depth int) int
	count = func(depth int) int {
		if depth == 0 {
			return 1
		}
		n := 0
		for _, m := range c.Moves() {
			c.Push(m)
			n += count(depth - 1)
			c.Pop()
		}
		return n
	}
	fmt.Println(count(1), count(2))
	// Output: 24 576
}
