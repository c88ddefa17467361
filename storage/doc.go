// Package storage keeps games, challenges, people, places, the outbox and what
// else must outlive the process, as records and their indexes over an ordered
// key-value engine (package storage/kv). It knows no rules: moves are text.
//
// # Keys
//
// What they look like is said by package storage/ A value is a version byte and JSON,
// but where said, and behind it stands its checksum.
//
//	meta/schema                      the version of all this, a number
//	meta/upgrade                     that this is on its way to that version; see package upgrade
//	meta/clock                       Running
//	meta/probe                       when somebody last tried whether anything can be kept
//	seq/<kind>                       the last number given to a game, person or place
//	person/<person>                  Person
//	identity/<platform>/<id>         a person's number
//	blocked/<person>/<person>        nothing; the second wants no challenges from the first
//	unlisted/<person>                nothing; somebody who stands on no leaderboard
//	place/<place>                    Place
//	address/<platform>/<id>          a place's number
//	in/<server>/<place>              nothing; a place of the server
//	server/<server>                  Server
//	serverat/<platform>/<id>         a server's number
//	hidden/<person>/<server>         nothing; a server that shows the person on no leaderboard
//	moved/<platform>/<id>            Address that the place and the server of this one have now
//	pass/<hash>                      Session, under the 32 bytes of its hash
//	passof/<person>/<hash>           nothing; a Session of the person
//	passend/<unix seconds>/<hash>    nothing; a Session that ends then
//	task/<kind>/<number>             Job
//	link/<code>                      Link
//	join/<person>                    Join of the person's games
//	came/<person>/<game>             nothing; a game that the person has brought into a link, or played since
//	challenge/<game>                 Challenge, under the number of the game it may become
//	challenger/<person>/<game>       nothing; a challenge that the person made
//	challenged/<person>/<game>       nothing; a challenge to the person
//	open/<place>/<game>              nothing; a challenge there to whoever comes first
//	lobby/<server>/<game>            nothing; likewise, at a place of the server
//	toldat/<place>/<game>            nothing; a challenge that is told of there
//	game/<game>                      Game
//	player/<person>/"played/"<game>  nothing; an ended game of the person
//	player/<person>/"playing/"<game> nothing; one in progress
//	player/<person>/"rated"<a or b>  Standings, packed: the one that holds, and a draft
//	meta/careers                     which of them hold, "a" or "b"; "a" if absent
//	here/<place>/<game>              nothing; a game in progress there
//	review/<game>                    Review of a game that has ended
//	think/<game>                     nothing; a game in which the computer has something to do
//	beaten/<server>/<kind>/<person>/<levels less>/<game> nothing; a game in which the person has beaten the computer, at which of its levels, counted from the highest there can be
//	result/<unix nanoseconds>/<game> Result of a game that counts for ratings
//	meta/recount                     Recount, likewise
//	meta/boards                      another number when leaderboards must be made anew
//	closing/<month>/<server>         nothing; a server that wants a table when the month has ended
//	table/<server>/<month>           Table, the first TableRows rows of it; months are counted from the year 0
//	table/<server>/<month>/<n>       the nth as many, from 1
//	dailyat/<unix seconds>/<server>  nothing; a server whose puzzle of the day is due then
//	daily/<server>                   Daily
//	solver/<person>/<server>         Solver
//	solvers/<server>/<person>        nothing; that there is a Solver
//	solverend/<day>/<person>/<server> nothing; likewise, and the day since 1970 on which they have answered last
//	outbox/<place>/<game>/<entry>    Entry that waits for the place, of the game or of game 0
//	dead/<place>/<game>/<entry>      Entry that can never be said
//	posted/<game>/<place>            the last number given to an Entry of the game, and place 0; or to one of game 0 for the place
//	parked/<kind>/<id>               Parked
//	memory/<platform>/<key>          State, something that an adapter remembers
//	about/<platform>/<id>/<key>      nothing; something remembered that is about the account
//	meta/swept/<kind>                up to which of a kind ends were looked for; from the first if absent
//	due/<running time>/<kind>/<id>   nothing; a moment at which something is due, in Unix seconds
//	seen/<platform>/<message>        Seen
//
// # Design
//
// People and places have numbers of our own, and the platforms' ids point to
// them: linking two identities, a group that migrates, or forgetting a person
// changes one  A record's indexes are written where the record is, by
// comparing it with the one it replaces, and nowhere else.
//
// What a result changes of a player stands together, and so, mostly, on one page. It changes
// both players' careers in its own transaction, and the log of results, but no leaderboard:
// those are not stored.
package storage
