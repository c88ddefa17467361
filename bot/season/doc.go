// Package season is what people play for in a server: leagues, in whose seasons everyone in a division
// plays everyone once, and ladders, which one climbs by challenges.
//
// # Design
//
// What stands is never stored: a [Standing] is a function of the results of a division's games, of who
// has withdrawn, and of nothing else, and whoever shows a table makes it anew. A division keeps who
// began in it, and its games by their seats, so that an account that becomes another, or a person who
// is forgotten, changes no table. Two entrants who become one person have never met, so that they are
// of two divisions; they play in both to the end, and have one place in the next season, the better.
//
// The rungs of a ladder are stored, and change in the transaction of the result that moves somebody. Whoever reads them
// works out who has gone down since, for not playing, and leaves out who is gone: nothing has to be done while
// nobody looks.
package season
