package squeeze

import "math/bits"

// token is a pixel, or the length and the distance of a match, the latter above distanceShift.
type token uint64

// A symbol of a code is its number, how many bits follow it, and their value.
const (
	symbolBits    = 9
	countBits     = 4
	distanceShift = 32
)

func symbol(number, count, value int) token {
	return token(number | count<<symbolBits | value<<(symbolBits+countBits))
}

const (
	endOfBlock  = 256
	firstLength = 257
	longest     = 285
	nowhere     = 30 // the distance of a pixel, which is not written
)

// literal is the token for a pixel.
func literal(pixel byte) token { return token(pixel) | nowhere<<distanceShift }

// appendMatch appends tokens for a match, and says how much of it they are: at the end may be too little
// for one.
func appendMatch(to []token, length, distance int) ([]token, int) {
	far, rest := distanceSymbol(distance)<<distanceShift, length
	for ; rest >= maxMatch; rest -= maxMatch {
		to = append(to, longest|far)
	}
	if rest < shortest {
		return to, length - rest
	}
	return append(to, lengthSymbol(rest)|far), length
}

// lengthSymbol is the symbol for the length of a match that is not the longest.
func lengthSymbol(length int) token {
	n := length - shortest
	if n < 8 {
		return symbol(firstLength+n, 0, 0)
	}
	count := bits.Len(uint(n)) - 3
	return symbol(firstLength+4*count+n>>count, count, n&(1<<count-1))
}

// distanceSymbol is the symbol for the distance of a match.
func distanceSymbol(distance int) token {
	n := distance - 1
	if n < 4 {
		return symbol(n, 0, 0)
	}
	count := bits.Len(uint(n)) - 2
	return symbol(2*count+n>>count, count, n&(1<<count-1))
}
