// Package rulestest is what every game must pass.
//
//   - [Run] plays random games and checks at each ply what package rules promises; a
//     second for ten games. [RandomGame] is one of them, for fuzzing.
//   - [Counts] compares positions with what another program has counted.
//   - [Benchmark] measures how many positions a second are generated and played.
//
// The tests of package variants check besides that each refusal of a move is true.
package rulestest
