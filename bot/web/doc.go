// Package web lets people play on pages: it is what draws boards that are touched.
//
// # Design
//
// A page is a game as chats show it, written as HTML: the words of a note, its board as
// a drawing, its buttons as forms. Above the drawing lies another with nothing but its squares,
// which can be touched, and which screen readers read as a grid. The page is told the legal moves and
// what they do; it computes none. Everything that can be done is a POST of a move's text
// or a button's press, which the bot handles as those of any chat. So a page works without
// scripts, and they only make it quicker: they send forms and put the answer in place, and
// fetch the page anew when they hear that the game has changed.
//
// Who a request is from is decided in one place. At one screen it is whoever sits there. Elsewhere people
// sign in with a link that the bot gave to them alone, or with Telegram's signed data about who opens a
// Mini App; then pages have the same rights as their private chat with the bot. Strangers see what is
// public: games of servers and groups, profiles of people on leaderboards, and the rules. A server's own
// leaderboard tells who is there, so only people see it who have played there. What somebody may not see
// is answered as if it did not exist.
//
// People's moves never wait for strangers: only two answers to strangers are made at a time, and their pages
// of games are kept until the game changes. An answer is complete before it is sent, so that somebody who
// reads it slowly, or never, holds up nobody and costs no more than its bytes, for half a minute.
// Connections, requests and streams are bounded, by person and by address; strangers' streams end for players'.
//
// An ended public game has a picture for other sites to show. Each is painted once, and only a limited
// number in a while, so that nobody keeps the bot from its work by asking for pictures.
//
// What is seen of a game (from which side, after which move, with which marks, which line of
// moves is thought of) stands in the page's address, so each choice is a link, and what was chosen
// stays when a page is fetched anew. Conditional moves are made on the same board: each leads to
// the address of the line with one move more, and the line is stored by the bot's command for that.
package web
