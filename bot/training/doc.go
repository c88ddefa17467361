// Package training teaches people: lessons, puzzles and the puzzle of the day.
//
// # Design
//
// A [Task] is a turn of a puzzle, and judges moves. It knows nothing of who solves it: so the same
// tasks serve [Puzzles], which gives each person one after the other, and whoever sets one task to
// many.
//
// A puzzle is answered by moves, which are no moves of any game that is played. With the person are
// kept the puzzle before them, a bit for each puzzle that they were shown, and a rating by
// Glicko-2, in which a puzzle is an opponent of fixed strength: the first answer counts, and a hint
// as a wrong one. Each button names its task, so that none is ever stale, and what is done twice
// does no harm. Its presses are
//
//	puzzle <game> <theme>                                 shows a new puzzle, "-" for any theme
//	puzzle-at <game> <number> <turn>                      shows a task, both counted from 0
//	puzzle-hint <game> <number> <turn>                    tells what a hint costs, if it costs anything
//	puzzle-piece <game> <number> <turn>                   tells the piece
//	puzzle-move <game> <number> <turn>                    tells the move
//	puzzle-pick <game> <number> <turn> <from> <to> <page> lets a move be picked, as package picker does
//	puzzle-try <game> <number> <turn> <move>              answers, with a coordinate text
package training
