// Package words has every sentence that people read, and the rich text in which they are
// said. It decides nothing: what is told arrives as arguments.
package words
