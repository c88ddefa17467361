// Package rulestest has the tests that every game must pass.
//
//   - [Run] plays random games and checks at each ply what package rules promises; ten games take a
//     second. [RandomGame] plays one of them, for fuzzing.
//   - [Counts] compares positions with counts of another program.
//   - [Benchmark] measures how many positions a second are generated and played.
//
// The tests of package variants also check that the reason for each refusal of a move is true.
package rulestest
