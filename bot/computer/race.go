//go:build race

package computer

// slower divides how many moves are tried, since the race detector makes each take longer.
const slower = 10
