// Package bot turns messages into replies: commands and delivery. It knows no
// network; adapters (bot/console and others) bring it messages and carry its
// notes away.
//
// # Design
//
// An adapter hands every event that is meant for the bot (see [Bot.IsMeant]) to
// [Bot.Handle] as a [Message] and gets the notes for the person who acted. What others must hear waits in the outbox until
// an adapter has delivered it. What people read stands in bot/words, but for what
// an adapter says of its own platform; what they type is read by bot/typed.
//
// All that is known of commands and buttons stands in two tables, [Commands] and
// allPresses: names, arguments, examples, who may, what only reads, and the
// handler. Parsing, help, suggestions and what platforms show come from them.
package bot
