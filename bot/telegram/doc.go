// Package telegram is the bot on Telegram, over github.com/go-telegram/bot, which it
// alone imports.
//
// # Design
//
// An update is confirmed only after it was handled. The library's own loop confirms updates as soon as it has
// read some, so they are asked for here (poller.go). Updates of one chat are handled in order, those of
// different chats side by side. An update that comes twice is known by its number, and neither carried out
// nor answered again. An answer that has to wait, for the limits of its group say, does not hold up other
// updates: its own is kept in adapter.State, and handled by the next program if this one ends before
// (update.go).
//
// A board is a photo with a caption; the keyboard below it is the picker too, so that
// choosing a move takes three edits at most. Pictures that were uploaded before are sent
// by Telegram's name for them. What must outlive the process (which message shows which
// game, names of people, names of pictures) is in adapter.State.
package telegram
