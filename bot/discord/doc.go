// Package discord is the bot on Discord, over github.com/bwmarrin/discordgo, which it
// alone imports.
//
// # Design
//
// The library makes the requests (call.go) and has the types of what goes over the wire. Its
// gateway is not used, since it can hang for good and loses events; package gateway takes its place.
// Each shard keeps one session (shard.go).
//
// Requests go through a limiter (package ratelimit) that learns the limits from what Discord answers,
// takes the headers about them away from the library, which would sleep on them, and
// makes an error of each refusal that asks to wait. It counts what brings a ban near, and
// stops long before. What is refused in a channel is not asked again for a while (call.go).
//
// Events are read from their JSON (hear.go): the library's types come out empty where a
// message has a component that it does not know.
//
// Messages of one channel are handled in order, different channels side by side
// (adapter.Queues). A press or a command that takes longer than a second or so is deferred
// (reply.go).
//
// Where the bot is not a member it can only answer: what waits to be said there is said through
// the newest interaction (away.go).
//
// A game in a server has a thread where that can be (thread.go). The bot itself knows
// nothing of that: to it all is said in the channel, and what is said in the thread is
// about its game.
package discord
