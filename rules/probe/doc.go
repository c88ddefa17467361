// Package probe finds by trying what pieces can do: what one can do at all ([Of]), and what a
// position threatens ([Find]). It knows no game: it sets positions up and looks at their moves, so
// that each new game has cards and threats at once.
//
// It is meant for pictures and words that somebody asks for, and takes up to some ten milliseconds.
// All of it is safe for concurrent use.
package probe
