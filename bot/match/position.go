package match

import (
	lru "github.com/hashicorp/golang-lru/v2"

	"chimera/rules"
)

// keptPositions is how many positions are kept: of the games that are played at the same time,
// those after and before their last moves.
const keptPositions = 512

// positions keeps positions that were read or reached of late, by kind of game and FEN: each
// is looked at several times for one move, and written down but once. It is safe for
// concurrent use.
type positions struct {
	kept *lru.Cache[[2]string, *rules.Position]
}

func newPositions() positions {
	kept, err := lru.New[[2]string, *rules.Position](keptPositions)
	if err != nil {
		panic(err) // it must be able to keep one
	}
	return positions{kept}
}

// read is the position of a FEN, "" for the start.
func (p positions) read(v *rules.Variant, fen string) (*rules.Position, error) {
	if pos, ok := p.kept.Get([2]string{v.Key, fen}); ok {
		return pos, nil
	}
	pos, err := v.Position(fen)
	if err == nil {
		p.keep(pos, fen)
	}
	return pos, err
}

// keep takes in a position with its FEN.
func (p positions) keep(pos *rules.Position, fen string) {
	p.kept.Add([2]string{pos.Variant().Key, fen}, pos)
}
