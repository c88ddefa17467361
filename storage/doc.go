// Package storage keeps everything that must outlive the process: games, challenges, people, places,
// ratings, deadlines and the outbox, as tables of records with indexes over an ordered key-value
// engine (package storage/kv). It knows no rules of any game: moves are text.
//
// # Keys
//
// A key is a prefix, which names its kind, and parts. Numbers are eight bytes, big end first, so that
// keys stand in order; a text ends with a zero byte; the last part of some keys is bytes as they are.
// Most values are a version byte and JSON. A value ends with its checksum.
//
//	key                              value
//	meta/schema                      the version of all this, a number
//	meta/upgrade                     the version from which the database is being brought up to date, a number; see package migrate
//	meta/clock                       Running
//	meta/probe                       when somebody last tried whether anything can be stored
//	meta/recount                     Recount
//	meta/secret                      the key of all that is signed or hidden with one, as bytes
//	meta/boards                      a number that goes up when leaderboards must be made anew
//	seq/<kind>                       the last number given to a game, person, place, server, league or season
//
//	person/<person>                  Person
//	identity/<platform>/<id>         the number of the person who has the account
//	blocked/<person>/<person>        nothing; the second wants no challenges from the first
//	unlisted/<person>                nothing; a person who stands on no leaderboard
//	hidden/<person>/<server>         nothing; a server that shows the person on no leaderboard
//	link/<code>                      Link
//	came/<person>/<game>             nothing; a game that the person brought into a link, or has played since
//	pass/<hash>                      Session, by the 32 bytes of its secret's hash
//	passof/<person>/<hash>           nothing; a Session of the person
//
//	place/<place>                    Place
//	address/<platform>/<id>          the number of the place there
//	in/<server>/<place>              nothing; a place of the server
//	server/<server>                  Server
//	serverat/<platform>/<id>         the number of the server there
//	moved/<platform>/<id>            Address that the place and the server of this one have now
//	closing/<month>/<server>         nothing; a server that wants a final table when the month has ended
//	table/<server>/<month>           FinalTable, its first TableRows rows; months are counted from the year 0
//	table/<server>/<month>/<n>       the rows after n times TableRows
//	dailyat/<unix seconds>/<server>  nothing; a server whose puzzle of the day is due then
//	daily/<server>                   Daily
//	solver/<person>/<server>         Solver; of server 0, of the puzzles that everybody has
//	solvers/<server>/<person>        nothing; there is a Solver
//
//	league/<league>                  League
//	leagueof/<server>/<kind>         the number of the server's league in a kind of game
//	leagueat/<unix seconds>/<league> nothing; a league in which there is something to do then
//	member/<league>/<person>         Member
//	memberof/<person>/<league>       nothing; there is a Member
//	season/<season>                  LeagueSeason
//	division/<season>/<n>            Division
//	running/<season>/<game>          nothing; a game in progress of the season
//	ladder/<server>/<kind>           Ladder
//
//	challenge/<game>                 Challenge, by the number of the game it may become
//	challenger/<person>/<game>       nothing; a challenge by the person
//	challenged/<person>/<game>       nothing; a challenge to the person
//	open/<place>/<game>              nothing; a challenge there that anybody may accept
//	lobby/<server>/<game>            nothing; likewise, at a place of the server; of server 0, by anybody on pages
//	toldat/<place>/<game>            nothing; a challenge that is announced there
//	game/<game>                      Game
//	player/<person>/played/<game>    nothing; an ended game of the person
//	player/<person>/playing/<game>   nothing; one in progress
//	player/<person>/rated            Standings, packed
//	here/<place>/<game>              nothing; a game in progress there
//	think/<game>                     nothing; a game in which the computer has something to do
//	review/<game>                    Review of a game that has ended
//	beaten/<server>/<kind>/<person>/<level>/<game> nothing; a game in which the person has beaten the computer, by how far its level is below a thousand
//	made/<person>/<kind>/<piece>/<game> nothing; a listed game in which the person has made such a piece
//	result/<unix nanoseconds>/<game> Result of a game that counts for ratings
//	due/<running time>/<kind>/<id>   nothing; a moment, in Unix seconds, at which something is due
//
//	outbox/<place>/<game>/<entry>    Entry that waits for the place, about the game or about game 0
//	dead/<place>/<game>/<entry>      Entry that can never be delivered
//	posted/<game>/<place>            the last number given to an Entry of the game, with place 0; or to one of game 0 for the place
//	seen/<platform>/<message>        Seen
//	memory/<platform>/<name>         State
//	about/<platform>/<id>/<name>     nothing; State about the account
//	task/<kind>/<number>             Job
//	parked/<kind>/<number>           Quarantined
//
// # Design
//
// People and places have numbers of our own, and the platforms' ids point to them: linking two
// accounts, migrating a group or forgetting a person changes one record. A [Table] writes a record's
// indexes with the record, by comparing it with the one it replaces, and nothing else writes them.
//
// Everything that a result changes about a player has one prefix, so that it shares a page as a rule.
// The transaction that ends a game changes both players' standings and the log of results, but no
// leaderboard: those are not stored.
package storage
