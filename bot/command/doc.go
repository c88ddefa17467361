// Package command reads what words that people type can mean: a kind of game, a piece, days, a
// month, a time zone.
//
// A kind of game is called by its key, by its name, or by a beginning of either that is no
// other's; in any case, with spaces or hyphens.
package command
