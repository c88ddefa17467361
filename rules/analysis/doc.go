// Package analysis finds out by trial what a piece can do ([Of]) and what a position threatens
// ([Find]). It knows no game: it sets up positions and looks at their moves, so a new game has
// piece cards and threats at once.
//
// Both take up to some ten milliseconds, so they are for pictures and words that somebody asks
// for. Everything here is safe for concurrent use.
package analysis
