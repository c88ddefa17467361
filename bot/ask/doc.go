// Package ask is about what people ask for: what commands there can be and what they take
// ([Command]), what a text says by them ([Table.Read]), who asks where ([Request]), and which
// game, lesson or person is meant ([Desk]). What is done then is the business of handlers, in
// the packages above.
package ask
