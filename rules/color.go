package rules

// Color is a side. White moves first and up the board.
type Color uint8

// The two sides.
const (
	White Color = iota
	Black
)

// Other is the opponent of c.
func (c Color) Other() Color { return c ^ 1 }

// String is "White" or "Black".
func (c Color) String() string {
	if c == White {
		return "White"
	}
	return "Black"
}
