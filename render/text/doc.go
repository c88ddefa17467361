// Package text shows diagrams without pictures: in characters ([Text]), with what these mean
// ([Legend]), and in words ([Words]), for people who cannot see the picture and for chats that show none.
// It says whatever a picture shows, in phrases of a book that has them in each language.
package text
