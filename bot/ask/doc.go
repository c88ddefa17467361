// Package ask is about what people ask for: what commands there can be and what they take
// ([Command]), what a text says by them ([Table.Read]), who asks where ([Request]), whether the
// bot is meant at all ([Desk.IsMeant]), and which game, lesson or person is. It says what can be
// written next ([Desk.Suggest]), and why something cannot be done ([Desk.Refuse]). What is done
// then is the business of handlers, in the packages above.
package ask
