// Package chart paints pictures that are no board: leaderboards, curves of ratings,
// results, leagues.
//
// Read it in this order:
//
//   - chart.go: a chart, and what it is painted with;
//   - ranking.go, plot.go, chances.go, tally.go, league.go, board.go: the parts that it is put together from;
//   - scale.go: where a value stands, and round values beside it.
//
// # Design
//
// A chart is made for a phone: as wide as one, and as high as it must be. It is painted
// anew each time, in some ten milliseconds. What tells things apart by color does so by
// shape, place or a number besides. Names on it are strangers' texts, cut to
// their room.
package chart
