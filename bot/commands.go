package bot

import (
	"chimera/bot/match"
	"chimera/bot/people"
	"chimera/bot/words"
	"chimera/storage"
)

// allCommands are those there are, in the order in which help shows them.
func allCommands() []Command {
	game := Arg{Name: "game", About: "its number, such as #12", Kind: ArgGame}
	offer, ended, thisGame := game, game, game
	offer.Kind, ended.Kind, thisGame.Needed = ArgOffer, ArgEnded, true
	own := game
	own.Kind = ArgOwnOffer
	variant := Arg{Name: "game", About: "which game", Kind: ArgVariant}
	whose := Arg{Name: "person", About: "whose; yours if nobody's", Kind: ArgPerson}
	whom := Arg{Name: "person", About: "whom", Kind: ArgPerson, Needed: true}
	return []Command{
		{
			Name: "challenge", Usage: "[@name] [game] [Nd] [white|black|random] [rated|unrated]",
			Help:     "challenge a person, or whoever joins first",
			Examples: []string{"@bob stealth 3d white unrated", "knightmare"}, words: many, run: (*Bot).challenge,
			odd: (*Bot).oddChallenge, twice: twiceInChallenge,
			Args: []Arg{
				{Name: "opponent", About: "whom; nobody for whoever joins first", Kind: ArgPerson},
				variant,
				{Name: "days", About: "for each move; 0 for no limit, unrated", Kind: ArgPace},
				{Name: "colour", About: "which you play", Kind: ArgWord, Words: []string{"white", "black", "random"}},
				{Name: "rated", About: "whether it counts for ratings", Kind: ArgFlag, No: "unrated"},
			},
		},
		{
			Name: "accept", Usage: "[#game|@name|code]", Help: "say yes to a challenge, a draw or a takeback",
			Examples: []string{"#2", "@bob"}, words: many, run: (*Bot).accept,
			Args: []Arg{{Name: "game", About: "its number, such as #12, or the code of a challenge from elsewhere", Kind: ArgOffer, Code: true}},
		},
		{
			Name: "decline", Usage: "[#game|@name]", Help: "say no to it", Examples: []string{"#2", "@bob"}, words: many,
			Args: []Arg{offer}, run: answering(match.Decline),
		},
		{
			Name: "cancel", Usage: "[#game|@name]", Help: "take back what you offered yourself", Examples: []string{"#2", "@bob"}, words: many,
			Args: []Arg{own}, run: answering(match.Cancel),
		},
		{
			Name: "move", Usage: "[#game] move", Help: "play a move; the word may be left out", Examples: []string{"e4", "#1 e4"}, words: many,
			Args: []Arg{{Name: "move", About: "such as Nf3; choose one or write it", Kind: ArgMove, Needed: true}, game}, run: (*Bot).move,
		},
		{
			Name: "moves", Usage: "[#game] [square]", Help: "list the legal moves", Examples: []string{"e2", "#1"}, words: 1, reads: many, Whose: Everybody,
			Args: []Arg{{Name: "square", About: "of the piece on this square alone, such as e2"}, game}, run: (*Bot).moves,
		},
		{
			Name: "board", Usage: "[#game] [ply] [flip] [zones]", Help: "show the board again", Examples: []string{"flip", "#1 0"}, words: many, reads: many,
			Whose: Everybody, run: (*Bot).board, odd: func(_ *Bot, word string) words.Text { return words.Tell("show.odd-board", "word", words.Clip(word)) },
			Args: []Arg{
				game,
				{Name: "ply", About: "after so many plies", Kind: ArgNumber},
				{Name: "flip", About: "seen from the other side", Kind: ArgFlag},
				{Name: "zones", About: "with lent powers marked", Kind: ArgFlag},
			},
		},
		{
			Name: "games", Usage: "[@name]", Help: "list the games, the most urgent first", Examples: []string{"@bob"}, words: 1, reads: many,
			Whose: WhoIsNamed, Args: []Arg{whose}, run: (*Bot).listGames,
		},
		{
			Name: "next", Usage: "[@name]", Help: "the board of the most urgent game", Examples: []string{"@bob"}, words: 1, reads: many,
			Whose: WhoIsNamed, Args: []Arg{whose}, run: (*Bot).next,
		},
		{
			Name: "resign", Usage: "[#game]", Help: "give a game up", Examples: []string{"#1"},
			Args: []Arg{game}, run: inMatch((*match.Service).Resign, false),
		},
		{
			Name: "abort", Usage: "[#game]", Help: "end a game before both have moved", Examples: []string{"#1"},
			Args: []Arg{game}, run: inMatch((*match.Service).Abort, false),
		},
		{
			Name: "draw", Usage: "[#game]", Help: "offer a draw, or agree to one", Examples: []string{"#1"},
			Args: []Arg{game}, run: inMatch((*match.Service).Offer, match.ADraw),
		},
		{
			Name: "claim", Usage: "[#game]", Help: "claim a draw by repetition or 50 moves, or a win on time", Examples: []string{"#1"},
			Args: []Arg{game}, run: (*Bot).claim,
		},
		{
			Name: "takeback", Usage: "[#game]", Help: "ask to take your last move back, or agree to it", Examples: []string{"#1"},
			Args: []Arg{game}, run: inMatch((*match.Service).Offer, match.ATakeback),
		},
		{
			Name: "rematch", Usage: "[#game]", Help: "the same again, with the colours swapped", Examples: []string{"#1"},
			Args: []Arg{ended}, run: (*Bot).rematch,
		},
		{
			Name: "if", Usage: "[#game] lines|clear", Help: "moves to be played by themselves: if e5 then Nf3, if Nc6 then Bb5",
			Examples: []string{"e5 then Nf3, if Nc6 then Bb5", "clear"}, words: many, reads: 1, Whose: AskerAlone,
			Args: []Arg{{Name: "lines", About: "if e5 then Nf3, if Nc6 then Bb5; or: clear"}, game}, run: (*Bot).plan,
		},
		{
			Name: "addtime", Usage: "[#game] [Nd]", Help: "give your opponent more time", Examples: []string{"3d", "#1 2d"}, words: 1,
			Args: []Arg{game, {Name: "days", About: "how many", Kind: ArgDays, Least: 1}}, run: (*Bot).addTime,
			odd: func(_ *Bot, word string) words.Text { return words.OddDays("addtime", word) },
		},
		{
			Name: "vacation", Usage: "[Nd|off]", Help: "let your clocks stand still", Examples: []string{"5d", "off"}, words: 1, reads: 1,
			Args: []Arg{{Name: "days", About: "for how long; 0 ends it", Kind: ArgDays, No: "off"}}, run: (*Bot).vacation,
			odd: func(_ *Bot, word string) words.Text { return words.OddDays("vacation", word) },
		},
		settingsCommand(),
		{
			Name: "follow", Usage: "#game", Help: "be told of each move here", Examples: []string{"#1"},
			Args: []Arg{thisGame}, run: following(true),
		},
		{
			Name: "unfollow", Usage: "#game", Help: "be told no more", Examples: []string{"#1"},
			Args: []Arg{thisGame}, run: following(false),
		},
		{
			Name: "link", Usage: "[code|#game]", Help: "be one person on both platforms, or get a challenge's code",
			Examples: []string{"ABCDEFGHJKLM", "#2"}, words: 2, Whose: AskerAlone, run: (*Bot).link,
			Args: []Arg{{Name: "code", About: "that you were given on the other platform; or a challenge, such as #12, to get its code"}},
		},
		{Name: "unlink", Help: "give each account its own games back", Examples: []string{""}, Whose: AskerAlone, run: (*Bot).unlink},
		{
			Name: "block", Usage: "@name", Help: "no challenges from that person", Examples: []string{"@bob"}, words: 1,
			Args: []Arg{whom}, run: blocking(true),
		},
		{
			Name: "unblock", Usage: "@name", Help: "challenges from that person again", Examples: []string{"@bob"}, words: 1,
			Args: []Arg{whom}, run: blocking(false),
		},
		{
			Name: "fen", Usage: "[#game]", Help: "the position as text", Examples: []string{"#1"}, reads: many, Whose: Everybody,
			Args: []Arg{game}, run: (*Bot).fen,
		},
		{
			Name: "replay", Usage: "[#game]", Help: "the game as a moving picture", Examples: []string{"#1"}, reads: many, Whose: Everybody,
			Args: []Arg{game}, run: (*Bot).replay,
		},
		{
			Name: "score", Usage: "[#game]", Help: "the moves played so far", Examples: []string{"#1"}, reads: many, Whose: Everybody,
			Args: []Arg{game}, run: (*Bot).score,
		},
		{
			Name: "export", Usage: "[#game]", Help: "the game as text, to keep", Examples: []string{"#1"}, reads: many, Whose: Everybody,
			Args: []Arg{game}, run: (*Bot).export,
		},
		{
			Name: "rules", Usage: "[game]", Help: "a game's rules in short", Examples: []string{"stealth", "combine chess"}, words: many, reads: many,
			Whose: Everybody, Args: []Arg{variant}, run: (*Bot).rules,
		},
		{
			Name: "how", Usage: "square|piece [#game|game]", Help: "what a piece may do, and why", Examples: []string{"e2", "RN stealth"}, words: many,
			reads: many, Whose: Everybody, run: (*Bot).how,
			Args: []Arg{
				{Name: "piece", About: "a square such as e2, or a piece", Kind: ArgPiece, Needed: true},
				{Name: "game", About: "a game of yours, or a kind of game", Kind: ArgGameOrKind},
			},
		},
		{
			Name: "top", Usage: "[game] [world] [week|month|2026-10|games|streak|combiner] [rank]", Help: "the leaderboard of this server",
			Examples: []string{"stealth world week", "2026-10", "streak 11"}, words: many, reads: many, Whose: Everybody, run: (*Bot).top,
			odd:   func(b *Bot, word string) words.Text { return words.OddTop(word, b.Games.Variants()) },
			twice: func(_ *Arg, one, other string) words.Text { return words.Clash(one, other) },
			Args: []Arg{
				{Name: "game", About: "of one game alone", Kind: ArgVariant},
				{
					Name: "period", About: "since when, or what else to count", Kind: ArgWord,
					Words: []string{"week", "month", "ever", "games", "streak", "combiner"},
				},
				{Name: "scope", About: "where", Kind: ArgWord, Words: []string{"server", "world"}},
				{Name: "month", About: "a month that has ended, such as 2026-10", Kind: ArgMonth},
				{Name: "rank", Kind: ArgNumber, Least: 1, Typed: true},
			},
		},
		{
			Name: "profile", Usage: "[@name]", Help: "ratings and results", Examples: []string{"@bob"}, words: 1, reads: many, Whose: WhoIsNamed,
			Args: []Arg{whose}, run: (*Bot).profile,
		},
		{
			Name: "compare", Usage: "@name [@name]", Help: "two people's ratings, and their results against each other",
			Examples: []string{"@bob"}, words: 2, reads: many, Whose: Everybody, run: (*Bot).compare,
			Args: []Arg{whom, {Name: "other", About: "with whom; you if nobody", Kind: ArgPerson}},
		},
		{Name: "mydata", Help: "all that is stored about you", Examples: []string{""}, reads: many, Whose: AskerAlone, run: (*Bot).myData},
		{Name: "forgetme", Help: "remove you; your opponents keep the games", Examples: []string{""}, Whose: AskerAlone, run: forgetting(false)},
		{Name: "privacy", Help: "what is stored", Examples: []string{""}, words: many, reads: many, Whose: AskerAlone, run: (*Bot).privacy},
		{
			Name: "help", Usage: "[command]", Help: "this list, or one command", Examples: []string{"challenge"}, words: 1, reads: many, plain: true,
			Whose: Everybody, Args: []Arg{{Name: "command", About: "about one command", Kind: ArgCommand}}, run: (*Bot).help,
		},
		{Name: "status", Help: "whether I am well", Examples: []string{""}, reads: many, Whose: Everybody, run: (*Bot).status},
		{Name: "version", Help: "which version this is", Examples: []string{""}, words: many, reads: many, Whose: Everybody, run: (*Bot).version},
	}
}

// settingsCommand is about what people choose for themselves, and "here" about what managers
// choose for a server.
func settingsCommand() Command {
	var mine, here []string
	for _, s := range people.Settings(storage.Settings{}) {
		mine = append(mine, s.Name)
	}
	for _, s := range people.ServerSettings(storage.ServerSettings{}, storage.Address{}) {
		here = append(here, s.Name)
	}
	manage := []Command{
		{Name: "hide", Examples: []string{"@bob"}, Whose: Everybody, Managers: true, words: many, plain: true, run: (*Bot).hide},
		{Name: "unhide", Examples: []string{"@bob"}, Whose: Everybody, Managers: true, words: many, plain: true, run: (*Bot).hide},
		{Name: "annul", Examples: []string{"#1"}, Managers: true, words: many, plain: true, run: (*Bot).annul}, // by nobody who has played it
	}
	for _, c := range manage {
		here = append(here, c.Name)
	}
	const which = "which; none to see all"
	return Command{
		Name: "settings", Usage: "[here] [name value|hide @name|unhide @name|annul #game]",
		Help:     "what you can choose, or here what managers choose for everyone",
		ToManage: "what you can choose; settings here: what holds for this group",
		Examples: []string{"quiet 22-7"}, words: many, reads: 2, plain: true, run: (*Bot).settings,
		Args: []Arg{
			{Name: "mine", About: "what you choose for yourself", Kind: ArgForm, Args: []Arg{
				{Name: "name", About: which, Kind: ArgWord, Words: mine},
				{Name: "value", About: "what it shall be"},
			}},
			{Name: "server", About: "what its managers choose for a server", Kind: ArgForm, Says: "here", Args: []Arg{
				{Name: "name", About: which, Kind: ArgWord, Words: here},
				{Name: "value", About: "what it shall be, or which game to annul"},
				{Name: "person", About: "whom to hide, or to show again", Kind: ArgPerson},
			}},
		},
		subs: []Command{{
			Name: "here", Examples: []string{"days 5"}, Whose: Everybody, Managers: true, words: many, reads: 2, plain: true,
			subs: manage, run: (*Bot).serverSettings,
		}},
	}
}
