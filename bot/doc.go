// Package bot answers what people write and press, and tells others what has happened. It knows no
// network: adapters (bot/discord, bot/telegram, bot/web, bot/console) bring it messages and carry its
// replies away.
//
// # Design
//
// An adapter makes a [message.Incoming] of what it hears, asks [Bot.IsMeant] whether that is for the
// bot, and hands it to [Bot.Handle], which resolves it once into a [Request] and returns the replies to
// its author. Everyone else is told from the outbox: [NewOutbox] makes a message of each entry, and an
// [Outlet] delivers it. What people read stands in bot/words, but for what an adapter says of its own
// platform; bot/command reads what they type.
//
// All that is known of commands and buttons stands in two tables, [Commands] and
// allPresses: names, arguments, examples, who may, what only reads, and the
// handler. Parsing, help, suggestions and what platforms show come from them.
package bot
