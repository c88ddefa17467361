// Package engine finds moves, in every game and without knowing any by name.
//
// # Design
//
// [Search] is an alpha-beta search of the field's common make: iterative deepening,
// aspiration windows, principal variation search, a transposition table, quiescence, null
// move, late-move reductions, razoring and futility; quiet moves are tried by what has become
// of them, and of them after the two moves before. It walks the tree by a [rules.Cursor], and asks a
// game for no more than its rules: what a game may tell besides, such as what a pass leads
// to, is optional there.
//
// A position is judged by [Numbers]: what a piece is worth, where, and what its moves are
// worth, in two phases, summed up. A game embeds its own, which cmd/train has learned; for a
// game without any, [Guess] takes them from the rules alone, by counting the moves that each
// piece has in random games. So a new game plays at once.
//
// A search without a limit of time is a pure function of the game's position, its past and
// the limits. Nothing is carried over from one search to the next.
//
// Rejected: sums kept up to date by the games themselves, as a [rules.Setup] that is renewed
// move by move is cheap enough; exchanges worked out square by square, which knows too much
// of how pieces capture.
package engine
