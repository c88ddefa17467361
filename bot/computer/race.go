//go:build race

package computer

// slower is how many times fewer moves are tried where the race detector makes each take longer.
const slower = 10
