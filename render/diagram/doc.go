// Package diagram has what is seen of a position, as data: the board, which way up it is, what is
// marked on it, and what stands beside it.
//
// Read it in this order:
//
//   - diagram.go, mark.go: a diagram, and what is shown of the move that led to it;
//   - show.go: what can be shown besides;
//   - bars.go, lesson.go: what is said of the players, and of what there is to learn;
//   - card.go, sheet.go: diagrams of what a piece can do, and of all pieces of a game;
//   - motion.go: how a move is shown in several diagrams.
//
// # Design
//
// A diagram knows roles by their figures and parts, never by the game they belong to, and all that it
// shows of a move are the move's effects: a new game has diagrams at once. Its texts are ready words, in
// the language of the person who sees them. Packages that paint it or tell of it read it and nothing else, so
// that a picture and its description cannot differ in what they show.
package diagram
