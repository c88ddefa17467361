// Package season is what people play for in a server: leagues, in whose seasons everyone plays
// everyone else in their division once, and ladders, which people climb by challenges.
//
// # Design
//
// Tables are never stored: a [Standing] depends only on the results of a division's games and on who
// has withdrawn, and is computed whenever it is shown. A division records who began in it, and its
// games by their seats, so that no table changes when an account is merged into another or a person is
// forgotten. If two entrants become one person, they have not met, since they were in different
// divisions; they play in both to the end, and get one place in the next season, the better.
//
// The rungs of a ladder are stored, and change in the transaction of the result that moves somebody.
// Readers work out who has moved down since for not playing, and leave out people who are gone:
// nothing has to be done while nobody looks.
package season
