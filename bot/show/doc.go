// Package show answers those who want to see something: a board, moves, games, a piece's powers, a
// leaderboard, a person. Its handlers change nothing.
package show
