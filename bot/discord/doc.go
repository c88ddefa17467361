// Package discord is the bot on Discord, over github.com/bwmarrin/discordgo, which it
// alone imports.
//
// # Design
//
// The library's session is thrown away whenever it ends or hangs, and a new one is made
// (session.go): its own reconnecting can wait for itself for ever. What people wrote
// meanwhile is read from the rooms that have games in progress, once the new one is
// ready (catchup.go); what comes twice is known by its number.
//
// Boards are ordinary messages, since answers to those can be read without the
// privileged intent for content. They are sent with the number of their outbox entry as
// nonce, so that Discord sends no second one after a lost answer. Answers to the asker
// are ephemeral, and pickers are messages that only he sees and that change as he
// presses.
package discord
