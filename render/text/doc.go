// Package text shows diagrams without pictures: in characters ([Text]), with what these mean
// ([Legend]), and in words ([Words]), for people who cannot see the picture and for chats that show none.
//
// Its sentences are phrases of a book, which has them in each language. Whatever a picture shows, they
// say.
package text
