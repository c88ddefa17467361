// Package rulestest is what every game must pass.
//
//   - [Run] plays random games and checks at each ply what package rules promises; a
//     second for ten games. [RandomGame] is one of them, for fuzzing.
//   - [Counts] compares positions with what another program has counted.
//   - [Reasons] writes illegal moves and checks that each refusal is true; ten seconds for
//     two thousand. A game's own sentences need a line in claims.go.
//   - [Benchmark] measures how many positions a second are generated and played.
package rulestest
