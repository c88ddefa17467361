package rules

import (
	"fmt"
	"iter"
	"slices"
)

// EffectKind is the kind of one thing that happened in a turn.
type EffectKind uint8

// The kinds of effects. Announcements, traces and marks are drawn from these without
// knowing the game.
const (
	Moved       EffectKind = iota // Piece went From -> To
	Captured                      // Piece on To was removed by the piece that came from From
	Absorbed                      // Piece on To was captured, and the piece from From became Into
	Born                          // Piece on To and the piece from From became the shared piece Into
	Merged                        // Piece from From went into Into on To (one effect for each part)
	Parted                        // Piece, a part of what stood on From, went to To; Into stays on From
	Shot                          // Piece on To was removed by a piece firing from From
	Annihilated                   // Piece on To was removed by an annihilation around From
	Promoted                      // Piece on To became Into
	Castled                       // the rook Piece went From -> To beside its king
)

// effectNames name the kinds in courses.
var effectNames = [...]string{ //nolint:gochecknoglobals // never written
	"moved", "captured", "absorbed", "born", "merged", "parted", "shot", "annihilated", "promoted", "castled",
}

// String is the name of a kind in small letters.
func (k EffectKind) String() string { return effectNames[k] }

// UnmarshalText reads the name of a kind in small letters.
func (k *EffectKind) UnmarshalText(name []byte) error {
	at := slices.Index(effectNames[:], string(name))
	if at < 0 {
		return fmt.Errorf("there is no effect %q", name)
	}
	*k = EffectKind(at)
	return nil
}

// Effect is one thing that happened in a turn. From and To are equal where only
// one square is concerned.
type Effect struct {
	Kind        EffectKind
	From, To    Square
	Piece, Into Piece
	Path        Path // of a piece that Moved: where it turned or killed on its way, To last; none where it went at once
}

// Path is squares in the order in which a piece comes by them, one a byte, so that paths can be
// compared. The square on which it begins is not in it.
type Path string

// PathOf is the path over those squares.
func PathOf(squares ...Square) Path { return Path(squares) }

// Squares yields the squares of p in their order.
func (p Path) Squares() iter.Seq[Square] { return slices.Values([]Square(p)) }

// Made are those of a move's effects that tell of a piece that became more than it was, one for
// each such piece: it is Into, on To.
func Made(m Move, effects []Effect) (made []Effect) {
	for _, e := range effects {
		switch e.Kind {
		case Absorbed, Born:
			made = append(made, e)
		case Merged: // of whose two parts one is enough
			if e.From == e.To || m.Act == Rally && e.From == m.From {
				made = append(made, e)
			}
		default:
		}
	}
	return made
}
