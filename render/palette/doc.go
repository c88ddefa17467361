// Package palette has the colors of pictures: themes, and the few inks that a picture is painted in.
//
// Read it in this order:
//
//   - theme.go, scheme.go: which themes there are, and the colors of each;
//   - edges.go: which of them cover areas, and which meet;
//   - inks.go: how a picture in all colors becomes one in few.
//
// # Design
//
// A picture of few colors is a small file, and its edges are most of it. So colors that meet are
// chosen beforehand, in pairs, with few steps between them. What is flat keeps its color; a pixel at
// an edge gets one of the steps between the colors around it, never a nearer one from elsewhere,
// which would be a speck.
//
// All of it are pure functions, which any number of goroutines may call.
package palette
