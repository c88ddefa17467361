package storage

import (
	"encoding/binary"

	"chimera/storage/kv"
)

// Computer is the platform of the computer's players: each of its levels is a person of its own,
// whose account is the level as a text. Nobody speaks from there.
const Computer = "computer"

const (
	thinking = "think/"
	beaten   = "beaten/"
	made     = "made/"
)

// Computer is the side that the computer plays, and how well; level is 0 where two people play.
func (g *Game) Computer() (side Side, level int) {
	for side, level := range g.Levels {
		if level != 0 {
			return side, level
		}
	}
	return White, 0
}

// Awaited is the level of the computer that has something to do: a move to play, or an offer of a
// draw to answer. It is 0 where nothing waits for it.
func (g *Game) Awaited() int {
	side, level := g.Computer()
	if level == 0 || g.Over() || g.Turn != side && (g.Draw == nil || g.Draw.By == g.Players[side]) {
		return 0
	}
	return level
}

// Thinking are the games in which the computer has something to do, in order of number.
func (r Reader) Thinking() ([]GameID, error) { return numbers[GameID](r, Key(thinking)) }

// mostLevels is more than there are levels of the computer.
const mostLevels = 1000

// beatenKey is where a win against the computer stands: of one person in one kind of game the greatest stands first,
// and of those of one level the first.
func beatenKey(s ServerID, kind string, p PersonID, level int, id GameID) []byte {
	return Key(beaten, s, kind, p, uint64(mostLevels-level), id)
}

// addBeaten adds where a person is found who has beaten the computer: in the world, and in the server
// where they have played.
func addBeaten(x *Index, g *Game) {
	if g.Beaten == 0 {
		return
	}
	side, _ := g.Computer()
	person := 1 - side
	x.Add(beatenKey(0, g.Variant, g.Players[person], g.Beaten, g.ID))
	if home := g.Servers[person]; home != 0 {
		x.Add(beatenKey(home, g.Variant, g.Players[person], g.Beaten, g.ID))
	}
}

// BeatenLevel is the highest level of the computer that somebody has beaten in a kind of game, and the
// first game in which they have.
type BeatenLevel struct {
	Person PersonID
	Level  int
	Game   GameID
}

// BeatenLevels are those of everybody in a kind of game and a server, 0 for the world, in order of
// people.
func (r Reader) BeatenLevels(s ServerID, kind string) (all []BeatenLevel, err error) {
	start, end := kv.Prefix(Key(beaten, s, kind))
	for {
		f, err := r.firstBeaten(start, end)
		if err != nil || f.Person == 0 {
			return all, err
		}
		all = append(all, f)
		start = Key(beaten, s, kind, f.Person+1)
	}
}

// BeatenLevel is a person's in a kind of game, in the world; of level 0 if there is none.
func (r Reader) BeatenLevel(p PersonID, kind string) (BeatenLevel, error) {
	start, end := kv.Prefix(Key(beaten, ServerID(0), kind, p))
	return r.firstBeaten(start, end)
}

func (r Reader) firstBeaten(start, end []byte) (f BeatenLevel, err error) {
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return f, err
		}
		last := len(item.Key) - 3*NumberSize
		if last < 0 {
			continue // it is damaged; Check reports it
		}
		n := func(i int) uint64 { return binary.BigEndian.Uint64(item.Key[last+i*NumberSize:]) }
		return BeatenLevel{PersonID(n(0)), mostLevels - int(n(1)), GameID(n(2))}, nil
	}
	return f, nil
}
