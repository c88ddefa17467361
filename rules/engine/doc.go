// Package engine is the computer player: a search for the best move that works for every game of
// package rules and knows none of them by name.
//
// # Design
//
// [Search] is an alpha-beta search of the usual kind: iterative deepening, aspiration windows,
// principal variation search, a transposition table, quiescence, null moves, late move reductions,
// razoring and futility pruning. Moves are ordered by the table's move, captures, killer moves, and
// the history heuristic, by the move alone and after each of the two moves before. The search walks
// the tree with a [rules.Cursor] and needs only a game's rules; what else a game may know, such as
// the position after a null move, is optional.
//
// [Numbers] evaluate a position: they say what a piece is worth, on which square, and what its moves
// are worth, for the opening and the ending. A game embeds its own numbers, which cmd/train has
// learned. For a game without any, [Guess] makes them from the rules alone, by counting the moves of
// each piece in random games. So a new game can be played at once.
//
// A [Level] plays as people do that see little. It overlooks moves, the opponent's more than its own, some
// mates in one, and misjudges positions; what it likes without looking, to castle, to bring out pieces, not to
// take back its last move, weighs as much as its errors do. How much it errs is in the game's numbers.
//
// A search without a time limit is a pure function of the position, the game's past and the limits.
// Nothing is carried over from one search to the next.
//
// Rejected: evaluations that the games keep up to date themselves, since it is cheap enough to renew a
// [rules.Setup] move by move; and static exchange evaluation, which has to know how pieces capture.
package engine
