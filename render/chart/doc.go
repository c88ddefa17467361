// Package chart paints pictures that are no board: leaderboards, curves of ratings,
// results.
//
// Read it in this order:
//
//   - chart.go: a chart, and what it is painted with;
//   - ranking.go, plot.go, chances.go, tally.go: the parts that it is put together from;
//   - lettering.go: how names of strangers are written;
//   - scale.go: where a value stands, and round values beside it.
//
// # Design
//
// A chart is made for a phone: as wide as one, and as high as it must be. It is painted
// anew each time, in some ten milliseconds. What tells things apart by color does so by
// shape, place or a number besides. Names on it are strangers' texts: they are cut to
// their room. Latin, Greek and Cyrillic letters are outlines; those of China, Japan, Korea,
// Arabia, Israel and others are dots, since outlines of all of them are larger than the
// rest of the program; what is in neither font becomes a question mark, and little
// pictures are left out.
package chart
