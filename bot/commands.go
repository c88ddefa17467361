package bot

import (
	"chimera/bot/match"
	"chimera/bot/people"
	"chimera/bot/words"
	"chimera/storage"
)

// allCommands are those there are, in the order in which help shows them.
func allCommands() Table {
	game := Arg{Name: "game", Kind: ArgGame}
	offer, ended, thisGame := game, game, game
	offer.Kind, ended.Kind, thisGame.Needed = ArgOffer, ArgEnded, true
	own := game
	own.Kind = ArgOwnOffer
	variant := Arg{Name: "game", about: "variant", Kind: ArgVariant}
	whose := Arg{Name: "person", Kind: ArgPerson}
	whom := Arg{Name: "person", about: "someone", Kind: ArgPerson, Needed: true}
	return Table{
		{
			Name: "challenge", Usage: "[@name] [game] [Nd] [white|black|random] [rated|unrated]",
			Examples: []string{"@bob stealth 3d white unrated", "knightmare"}, words: many, run: challenge,
			odd: oddChallenge, twice: twiceInChallenge,
			Args: []Arg{
				{Name: "opponent", Kind: ArgPerson},
				variant,
				{Name: "days", about: "pace", Kind: ArgPace},
				{Name: "colour", Kind: ArgWord, Words: []string{"white", "black", "random"}},
				{Name: "rated", Kind: ArgFlag, No: "unrated"},
			},
		},
		{
			Name: "play", Usage: "[game] [level 1-8] [white|black|random]",
			Examples: []string{"stealth 3 white", "combine"}, words: many, run: play,
			odd: oddPlay, twice: twiceInPlay,
			Args: []Arg{
				variant,
				{Name: "level", Kind: ArgWord, Words: levels()},
				{Name: "colour", Kind: ArgWord, Words: []string{"white", "black", "random"}},
			},
		},
		{
			Name: "learn", Usage: "[game]", Examples: []string{"stealth", ""}, words: many, reads: many, Whose: AskerAlone,
			Args: []Arg{variant}, run: learn,
		},
		{
			Name: "hint", Usage: "[#game]", Examples: []string{"", "#1"}, reads: many, Whose: AskerAlone,
			Args: []Arg{game}, run: hint, fits: canHint,
		},
		{
			Name: "accept", Usage: "[#game|@name|code]",
			Examples: []string{"#2", "@bob"}, words: many, run: accept,
			Args: []Arg{{Name: "game", about: "game-or-code", Kind: ArgOffer, Code: true}},
		},
		{
			Name: "decline", Usage: "[#game|@name]", Examples: []string{"#2", "@bob"}, words: many,
			Args: []Arg{offer}, run: answering(match.Decline),
		},
		{
			Name: "cancel", Usage: "[#game|@name]", Examples: []string{"#2", "@bob"}, words: many,
			Args: []Arg{own}, run: answering(match.Cancel),
		},
		{
			Name: "lobby", Usage: "[game]", Examples: []string{"", "stealth"}, words: many, reads: many, run: lobby,
			odd: func(desk *Desk, word string) words.Text {
				return words.NoVariant("lobby", word, nil, desk.Games.Variants())
			},
			Args: []Arg{variant},
		},
		{
			Name: "move", Usage: "[#game] move", Examples: []string{"e4", "#1 e4"}, words: many,
			Args: []Arg{{Name: "move", Kind: ArgMove, Needed: true}, game}, run: move, fits: canMove,
		},
		{
			Name: "moves", Usage: "[#game] [square]", Examples: []string{"e2", "#1"}, words: 1, reads: many, Whose: Everybody,
			Args: []Arg{{Name: "square"}, game}, run: moves, fits: canSeeMoves,
		},
		{
			Name: "board", Usage: "[#game] [ply] [flip] [zones]", Examples: []string{"flip", "#1 0"}, words: many, reads: many,
			Whose: Everybody, run: board, odd: func(_ *Desk, word string) words.Text { return words.Say("show.odd-board", "word", words.Clip(word)) },
			Args: []Arg{
				game,
				{Name: "ply", Kind: ArgNumber},
				{Name: "flip", Kind: ArgFlag},
				{Name: "zones", Kind: ArgFlag},
			},
		},
		{
			Name: "games", Usage: "[@name]", Examples: []string{"@bob"}, words: 1, reads: many,
			Whose: WhoIsNamed, Args: []Arg{whose}, run: listGames,
		},
		{
			Name: "next", Usage: "[@name]", Examples: []string{"@bob"}, words: 1, reads: many,
			Whose: WhoIsNamed, Args: []Arg{whose}, run: next,
		},
		{
			Name: "resign", Usage: "[#game]", Examples: []string{"#1"},
			Args: []Arg{game}, run: inMatch((*match.Service).Resign, false),
		},
		{
			Name: "abort", Usage: "[#game]", Examples: []string{"#1"},
			Args: []Arg{game}, run: inMatch((*match.Service).Abort, false), fits: canAbort,
		},
		{
			Name: "draw", Usage: "[#game]", Examples: []string{"#1"},
			Args: []Arg{game}, run: inMatch((*match.Service).Offer, match.ADraw), fits: canAgree(match.ADraw),
		},
		{
			Name: "claim", Usage: "[#game]", Examples: []string{"#1"},
			Args: []Arg{game}, run: claim, fits: canClaim,
		},
		{
			Name: "takeback", Also: "undo", Usage: "[#game]", Examples: []string{"#1"},
			Args: []Arg{game}, run: inMatch((*match.Service).Offer, match.ATakeback), fits: canAgree(match.ATakeback),
		},
		{
			Name: "rematch", Usage: "[#game]", Examples: []string{"#1"},
			Args: []Arg{ended}, run: rematch,
		},
		{
			Name: "if", Usage: "[#game] lines|clear",
			Examples: []string{"e5 then Nf3, if Nc6 then Bb5", "clear"}, words: many, reads: 1, Whose: AskerAlone,
			Args: []Arg{{Name: "lines"}, game}, run: plan,
		},
		{
			Name: "addtime", Usage: "[#game] [Nd]", Examples: []string{"3d", "#1 2d"}, words: 1,
			Args: []Arg{game, {Name: "days", about: "addtime-days", Kind: ArgDays, Least: 1}}, run: addTime, fits: canAddTime,
			odd: func(_ *Desk, word string) words.Text { return words.OddDays("addtime", word) },
		},
		{
			Name: "vacation", Usage: "[Nd|off]", Examples: []string{"5d", "off"}, words: 1, reads: 1,
			Args: []Arg{{Name: "days", about: "vacation-days", Kind: ArgDays, No: "off"}}, run: vacation,
			odd: func(_ *Desk, word string) words.Text { return words.OddDays("vacation", word) },
		},
		settingsCommand(),
		{
			Name: "follow", Usage: "#game", Examples: []string{"#1"},
			Args: []Arg{thisGame}, run: following(true),
		},
		{
			Name: "unfollow", Usage: "#game", Examples: []string{"#1"},
			Args: []Arg{thisGame}, run: following(false),
		},
		{
			Name: "link", Usage: "[code|#game]",
			Examples: []string{"ABCDEFGHJKLM", "#2"}, words: 2, Whose: AskerAlone, run: link,
			Args: []Arg{{Name: "code"}},
		},
		{Name: "unlink", Examples: []string{""}, Whose: AskerAlone, run: unlink},
		{
			Name: "block", Usage: "@name", Examples: []string{"@bob"}, words: 1,
			Args: []Arg{whom}, run: blocking(true),
		},
		{
			Name: "unblock", Usage: "@name", Examples: []string{"@bob"}, words: 1,
			Args: []Arg{whom}, run: blocking(false),
		},
		{
			Name: "fen", Usage: "[#game]", Examples: []string{"#1"}, reads: many, Whose: Everybody,
			Args: []Arg{game}, run: fen,
		},
		{
			Name: "replay", Usage: "[#game]", Examples: []string{"#1"}, reads: many, Whose: Everybody,
			Args: []Arg{game}, run: replay,
		},
		{
			Name: "score", Usage: "[#game]", Examples: []string{"#1"}, reads: many, Whose: Everybody,
			Args: []Arg{game}, run: score,
		},
		{
			Name: "export", Usage: "[#game]", Examples: []string{"#1"}, reads: many, Whose: Everybody,
			Args: []Arg{game}, run: export,
		},
		{
			Name: "rules", Usage: "[game]", Examples: []string{"stealth", "combine chess"}, words: many, reads: many,
			Whose: Everybody, Args: []Arg{variant}, run: showRules,
		},
		{
			Name: "how", Usage: "square|piece [#game|game]", Examples: []string{"e2", "RN stealth"}, words: many,
			reads: many, Whose: Everybody, run: how,
			Args: []Arg{
				{Name: "piece", Kind: ArgPiece, Needed: true},
				{Name: "game", about: "game-or-variant", Kind: ArgGameOrKind},
			},
		},
		{
			Name: "top", Usage: "[game] [world] [week|month|2026-10|games|streak|combiner|computer] [rank]",
			Examples: []string{"stealth world week", "2026-10", "streak 11"}, words: many, reads: many, Whose: Everybody, run: top,
			odd: func(desk *Desk, word string) words.Text { return words.OddTop(word, desk.Games.Variants()) },
			twice: func(_ *Arg, one, other string) words.Text {
				return words.Say("top.clash", "one", words.Clip(one), "other", words.Clip(other))
			},
			Args: []Arg{
				{Name: "game", about: "top-game", Kind: ArgVariant},
				{
					Name: "period", Kind: ArgWord,
					Words: []string{"week", "month", "ever", "games", "streak", "combiner", "computer"},
				},
				{Name: "scope", Kind: ArgWord, Words: []string{"server", "world"}},
				{Name: "month", Kind: ArgMonth},
				{Name: "rank", Kind: ArgNumber, Least: 1},
			},
		},
		{
			Name: "profile", Usage: "[@name]", Examples: []string{"@bob"}, words: 1, reads: many, Whose: WhoIsNamed,
			Args: []Arg{whose}, run: profile,
		},
		{
			Name: "compare", Usage: "@name [@name]",
			Examples: []string{"@bob"}, words: 2, reads: many, Whose: Everybody, run: compare,
			Args: []Arg{whom, {Name: "other", Kind: ArgPerson}},
		},
		{Name: "mydata", Examples: []string{""}, reads: many, Whose: AskerAlone, run: myData},
		{Name: "forgetme", Examples: []string{""}, Whose: AskerAlone, run: forgetting(false)},
		{Name: "privacy", Examples: []string{""}, words: many, reads: many, Whose: AskerAlone, run: privacy},
		{
			Name: "help", Usage: "[command]", Examples: []string{"challenge"}, words: 1, reads: many, plain: true,
			Whose: Everybody, Args: []Arg{{Name: "command", Kind: ArgCommand}}, run: showHelp,
		},
		{Name: "status", Examples: []string{""}, reads: many, Whose: Everybody, run: status},
		{Name: "version", Examples: []string{""}, words: many, reads: many, Whose: Everybody, run: version},
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
	manage := Table{
		{Name: "hide", Examples: []string{"@bob"}, Whose: Everybody, Managers: true, words: many, plain: true, run: hide},
		{Name: "unhide", Examples: []string{"@bob"}, Whose: Everybody, Managers: true, words: many, plain: true, run: hide},
		{Name: "annul", Examples: []string{"#1"}, Managers: true, words: many, plain: true, run: annul}, // by nobody who has played it
	}
	for _, c := range manage {
		here = append(here, c.Name)
	}
	return Command{
		Name: "settings", Usage: "[here] [name value|hide @name|unhide @name|annul #game]",
		toManage: "settings-managers",
		Examples: []string{"quiet 22-7"}, words: many, reads: 2, plain: true, run: settings,
		Args: []Arg{
			{Name: "mine", Kind: ArgForm, Args: []Arg{
				{Name: "setting", Kind: ArgWord, Words: mine},
				{Name: "value"},
			}},
			{Name: "server", Kind: ArgForm, Says: "here", Args: []Arg{
				{Name: "setting", Kind: ArgWord, Words: here},
				{Name: "value", about: "server-value"},
				{Name: "person", about: "server-person", Kind: ArgPerson},
			}},
		},
		subs: Table{{
			Name: "here", Examples: []string{"days 5"}, Whose: Everybody, Managers: true, words: many, reads: 2, plain: true,
			subs: manage, run: serverSettings,
		}},
	}
}
