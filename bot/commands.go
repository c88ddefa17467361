package bot

import (
	"chimera/bot/ask"
	"chimera/bot/match"
	"chimera/bot/people"
	"chimera/bot/show"
	"chimera/bot/words"
	"chimera/storage"
)

// allCommands are those there are, in the order in which help shows them.
func allCommands() ask.Table {
	game := ask.Arg{Name: "game", Kind: ask.ArgGame}
	offer, ended, thisGame := game, game, game
	offer.Kind, ended.Kind, thisGame.Needed = ask.ArgOffer, ask.ArgEnded, true
	own := game
	own.Kind = ask.ArgOwnOffer
	variant := ask.Arg{Name: "game", Key: "variant", Kind: ask.ArgVariant}
	whose := ask.Arg{Name: "person", Kind: ask.ArgPerson}
	whom := ask.Arg{Name: "person", Key: "someone", Kind: ask.ArgPerson, Needed: true}
	return ask.Table{
		{
			Name: "challenge", Usage: "[@name] [game] [Nd] [white|black|random] [rated|unrated]",
			Examples: []string{"@bob stealth 3d white unrated", "knightmare"}, Words: ask.Many, Run: challenge,
			Odd: oddChallenge, Twice: twiceInChallenge,
			Args: []ask.Arg{
				{Name: "opponent", Kind: ask.ArgPerson},
				variant,
				{Name: "days", Key: "pace", Kind: ask.ArgPace},
				{Name: "colour", Kind: ask.ArgWord, Words: []string{"white", "black", "random"}},
				{Name: "rated", Kind: ask.ArgFlag, No: "unrated"},
			},
		},
		{
			Name: "play", Usage: "[game] [level 1-8] [white|black|random]",
			Examples: []string{"stealth 3 white", "combine"}, Words: ask.Many, Run: play,
			Odd: oddPlay, Twice: clash,
			Args: []ask.Arg{
				variant,
				{Name: "level", Kind: ask.ArgWord, Words: levels()},
				{Name: "colour", Kind: ask.ArgWord, Words: []string{"white", "black", "random"}},
			},
		},
		{
			Name: "learn", Usage: "[game]", Examples: []string{"stealth", ""}, Words: ask.Many, Reads: ask.Many, Whose: ask.AskerAlone,
			Args: []ask.Arg{variant}, Run: learn,
		},
		{
			Name: "puzzle", Usage: "[game] [theme]", Examples: []string{"stealth", "stealth mate", ""},
			Words: ask.Many, Reads: ask.Many, Whose: ask.AskerAlone, Run: solve,
			Odd:  func(desk *ask.Desk, word string) words.Text { return words.OddPuzzle(word, desk.Games.Variants()) },
			Args: []ask.Arg{variant, {Name: "theme", Key: "puzzle-theme", Kind: ask.ArgWord, Words: themes()}},
		},
		{
			Name: "hint", Usage: "[#game]", Examples: []string{"", "#1"}, Reads: ask.Many, Whose: ask.AskerAlone,
			Args: []ask.Arg{game}, Run: hint, Fits: canHint,
		},
		{
			Name: "accept", Usage: "[#game|@name|code]",
			Examples: []string{"#2", "@bob"}, Words: ask.Many, Run: accept,
			Args: []ask.Arg{{Name: "game", Key: "game-or-code", Kind: ask.ArgOffer, Code: true}},
		},
		{
			Name: "decline", Usage: "[#game|@name]", Examples: []string{"#2", "@bob"}, Words: ask.Many,
			Args: []ask.Arg{offer}, Run: answering(match.Decline),
		},
		{
			Name: "cancel", Usage: "[#game|@name]", Examples: []string{"#2", "@bob"}, Words: ask.Many,
			Args: []ask.Arg{own}, Run: answering(match.Cancel),
		},
		{
			Name: "lobby", Usage: "[game]", Examples: []string{"", "stealth"}, Words: ask.Many, Reads: ask.Many, Run: lobby,
			Odd: func(desk *ask.Desk, word string) words.Text {
				return words.NoVariant("lobby", word, nil, desk.Games.Variants())
			},
			Args: []ask.Arg{variant},
		},
		{
			Name: "move", Usage: "[#game] move", Examples: []string{"e4", "#1 e4"}, Words: ask.Many,
			Args: []ask.Arg{{Name: "move", Kind: ask.ArgMove, Needed: true}, game}, Run: move, Fits: canMove,
		},
		{
			Name: "moves", Usage: "[#game] [square]", Examples: []string{"e2", "#1"}, Words: 1, Reads: ask.Many, Whose: ask.Everybody,
			Args: []ask.Arg{{Name: "square"}, game}, Run: show.Moves, Fits: canSeeMoves,
		},
		{
			Name: "board", Usage: "[#game] [ply] [flip] [zones]", Examples: []string{"flip", "#1 0"}, Words: ask.Many, Reads: ask.Many,
			Whose: ask.Everybody, Run: show.Board, Odd: func(_ *ask.Desk, word string) words.Text {
				return words.Say("show.odd-board", "word", words.Clip(word))
			},
			Args: []ask.Arg{
				game,
				{Name: "ply", Kind: ask.ArgNumber},
				{Name: "flip", Kind: ask.ArgFlag},
				{Name: "zones", Kind: ask.ArgFlag},
			},
		},
		{
			Name: "games", Usage: "[@name]", Examples: []string{"@bob"}, Words: 1, Reads: ask.Many,
			Whose: ask.WhoIsNamed, Args: []ask.Arg{whose}, Run: show.Games,
		},
		{
			Name: "next", Usage: "[@name]", Examples: []string{"@bob"}, Words: 1, Reads: ask.Many,
			Whose: ask.WhoIsNamed, Args: []ask.Arg{whose}, Run: show.Next,
		},
		{
			Name: "resign", Usage: "[#game]", Examples: []string{"#1"},
			Args: []ask.Arg{game}, Run: inMatch((*match.Service).Resign, false),
		},
		{
			Name: "abort", Usage: "[#game]", Examples: []string{"#1"},
			Args: []ask.Arg{game}, Run: inMatch((*match.Service).Abort, false), Fits: canAbort,
		},
		{
			Name: "draw", Usage: "[#game]", Examples: []string{"#1"},
			Args: []ask.Arg{game}, Run: inMatch((*match.Service).Offer, match.ADraw), Fits: canAgree(match.ADraw),
		},
		{
			Name: "claim", Usage: "[#game]", Examples: []string{"#1"},
			Args: []ask.Arg{game}, Run: claim, Fits: canClaim,
		},
		{
			Name: "takeback", Also: "undo", Usage: "[#game]", Examples: []string{"#1"},
			Args: []ask.Arg{game}, Run: inMatch((*match.Service).Offer, match.ATakeback), Fits: canAgree(match.ATakeback),
		},
		{
			Name: "rematch", Usage: "[#game]", Examples: []string{"#1"},
			Args: []ask.Arg{ended}, Run: rematch,
		},
		{
			Name: "if", Usage: "[#game] lines|clear",
			Examples: []string{"e5 then Nf3, if Nc6 then Bb5", "clear"}, Words: ask.Many, Reads: 1, Whose: ask.AskerAlone,
			Args: []ask.Arg{{Name: "lines"}, game}, Run: plan,
		},
		{
			Name: "addtime", Usage: "[#game] [Nd]", Examples: []string{"3d", "#1 2d"}, Words: 1,
			Args: []ask.Arg{game, {Name: "days", Key: "addtime-days", Kind: ask.ArgDays, Least: 1}}, Run: addTime, Fits: canAddTime,
			Odd: func(_ *ask.Desk, word string) words.Text { return words.OddDays("addtime", word) },
		},
		{
			Name: "vacation", Usage: "[Nd|off]", Examples: []string{"5d", "off"}, Words: 1, Reads: 1,
			Args: []ask.Arg{{Name: "days", Key: "vacation-days", Kind: ask.ArgDays, No: "off"}}, Run: vacation,
			Odd: func(_ *ask.Desk, word string) words.Text { return words.OddDays("vacation", word) },
		},
		settingsCommand(),
		{
			Name: "follow", Usage: "#game", Examples: []string{"#1"},
			Args: []ask.Arg{thisGame}, Run: following(true),
		},
		{
			Name: "unfollow", Usage: "#game", Examples: []string{"#1"},
			Args: []ask.Arg{thisGame}, Run: following(false),
		},
		{
			Name: "link", Usage: "[code|#game]",
			Examples: []string{"ABCDEFGHJKLM", "#2"}, Words: 2, Whose: ask.AskerAlone, Run: inChat(link),
			Args: []ask.Arg{{Name: "code"}},
		},
		{Name: "unlink", Examples: []string{""}, Whose: ask.AskerAlone, Run: inChat(unlink)},
		{
			Name: "block", Usage: "@name", Examples: []string{"@bob"}, Words: 1,
			Args: []ask.Arg{whom}, Run: blocking(true),
		},
		{
			Name: "unblock", Usage: "@name", Examples: []string{"@bob"}, Words: 1,
			Args: []ask.Arg{whom}, Run: blocking(false),
		},
		{
			Name: "fen", Usage: "[#game]", Examples: []string{"#1"}, Reads: ask.Many, Whose: ask.Everybody,
			Args: []ask.Arg{game}, Run: show.FEN,
		},
		{
			Name: "replay", Usage: "[#game]", Examples: []string{"#1"}, Reads: ask.Many, Whose: ask.Everybody,
			Args: []ask.Arg{game}, Run: show.Replay,
		},
		{
			Name: "score", Usage: "[#game]", Examples: []string{"#1"}, Reads: ask.Many, Whose: ask.Everybody,
			Args: []ask.Arg{game}, Run: show.Score,
		},
		{
			Name: "review", Usage: "[#game]", Examples: []string{"", "#1"}, Reads: ask.Many, Whose: ask.AskerAlone,
			Args: []ask.Arg{ended}, Run: show.Review,
		},
		{
			Name: "share", Usage: "[#game]", Examples: []string{"", "#1"}, Reads: ask.Many, Whose: ask.Everybody,
			Args: []ask.Arg{game}, Run: show.Share,
		},
		{
			Name: "export", Usage: "[#game]", Examples: []string{"#1"}, Reads: ask.Many, Whose: ask.Everybody,
			Args: []ask.Arg{game}, Run: show.Export,
		},
		{
			Name: "rules", Usage: "[game]", Examples: []string{"stealth", "combine chess"}, Words: ask.Many, Reads: ask.Many,
			Whose: ask.Everybody, Args: []ask.Arg{variant}, Run: showRules,
		},
		{
			Name: "how", Usage: "square|piece [#game|game]", Examples: []string{"e2", "RN stealth"}, Words: ask.Many,
			Reads: ask.Many, Whose: ask.Everybody, Run: show.How,
			Args: []ask.Arg{
				{Name: "piece", Kind: ask.ArgPiece, Needed: true},
				{Name: "game", Key: "game-or-variant", Kind: ask.ArgGameOrKind},
			},
		},
		{
			Name: "threats", Usage: "[#game]", Examples: []string{"", "#1"}, Reads: ask.Many, Whose: ask.Everybody,
			Args: []ask.Arg{game}, Run: show.Threats, Fits: canSeeMoves,
		},
		{
			Name: "top", Usage: "[game] [world] [week|month|2026-10|games|streak|combiner|computer|puzzles] [rank]",
			Examples: []string{"stealth world week", "2026-10", "streak 11"}, Words: ask.Many, Reads: ask.Many, Whose: ask.Everybody, Run: show.Top,
			Odd:   func(desk *ask.Desk, word string) words.Text { return words.OddTop(word, desk.Games.Variants()) },
			Twice: clash,
			Args: []ask.Arg{
				{Name: "game", Key: "top-game", Kind: ask.ArgVariant},
				{
					Name: "period", Kind: ask.ArgWord,
					Words: []string{"week", "month", "ever", "games", "streak", "combiner", "computer", "puzzles"},
				},
				{Name: "scope", Kind: ask.ArgWord, Words: []string{"server", "world"}},
				{Name: "month", Kind: ask.ArgMonth},
				{Name: "rank", Kind: ask.ArgNumber, Least: 1},
			},
		},
		{
			Name: "profile", Usage: "[@name]", Examples: []string{"@bob"}, Words: 1, Reads: ask.Many, Whose: ask.WhoIsNamed,
			Args: []ask.Arg{whose}, Run: show.Profile,
		},
		{
			Name: "compare", Usage: "@name [@name]",
			Examples: []string{"@bob"}, Words: 2, Reads: ask.Many, Whose: ask.Everybody, Run: show.Compare,
			Args: []ask.Arg{whom, {Name: "other", Kind: ask.ArgPerson}},
		},
		{Name: "mydata", Examples: []string{""}, Reads: ask.Many, Whose: ask.AskerAlone, Run: inChat(myData)},
		{Name: "forgetme", Examples: []string{""}, Whose: ask.AskerAlone, Run: inChat(forgetting(false))},
		{Name: "privacy", Examples: []string{""}, Words: ask.Many, Reads: ask.Many, Whose: ask.AskerAlone, Run: privacy},
		{
			Name: "help", Usage: "[command]", Examples: []string{"challenge"}, Words: 1, Reads: ask.Many, Plain: true,
			Whose: ask.Everybody, Args: []ask.Arg{{Name: "command", Kind: ask.ArgCommand}}, Run: showHelp,
		},
		{Name: "status", Examples: []string{""}, Reads: ask.Many, Whose: ask.Everybody, Run: status},
		{Name: "version", Examples: []string{""}, Words: ask.Many, Reads: ask.Many, Whose: ask.Everybody, Run: version},
	}
}

// settingsCommand is about what people choose for themselves, and "here" about what managers
// choose for a server.
func settingsCommand() ask.Command {
	var mine, here []string
	for _, s := range people.Settings(storage.Settings{}) {
		mine = append(mine, s.Name)
	}
	for _, s := range people.ServerSettings(storage.ServerSettings{}, storage.Address{}) {
		here = append(here, s.Name)
	}
	manage := ask.Table{
		{Name: "hide", Examples: []string{"@bob"}, Whose: ask.Everybody, Managers: true, Words: ask.Many, Plain: true, Run: hide},
		{Name: "unhide", Examples: []string{"@bob"}, Whose: ask.Everybody, Managers: true, Words: ask.Many, Plain: true, Run: hide},
		{Name: "annul", Examples: []string{"#1"}, Managers: true, Words: ask.Many, Plain: true, Run: annul}, // by nobody who has played it
	}
	for _, c := range manage {
		here = append(here, c.Name)
	}
	return ask.Command{
		Name: "settings", Usage: "[here] [name value|hide @name|unhide @name|annul #game]",
		ManagerKey: "settings-managers",
		Examples:   []string{"quiet 22-7"}, Words: ask.Many, Reads: 2, Plain: true, Run: settings,
		Args: []ask.Arg{
			{Name: "mine", Kind: ask.ArgForm, Args: []ask.Arg{
				{Name: "setting", Kind: ask.ArgWord, Words: mine},
				{Name: "value"},
			}},
			{Name: "server", Kind: ask.ArgForm, Says: "here", Args: []ask.Arg{
				{Name: "setting", Kind: ask.ArgWord, Words: here},
				{Name: "value", Key: "server-value"},
				{Name: "person", Key: "server-person", Kind: ask.ArgPerson},
			}},
		},
		Subs: ask.Table{{
			Name: "here", Examples: []string{"days 5"}, Whose: ask.Everybody, Managers: true, Words: ask.Many, Reads: 2, Plain: true,
			Subs: manage, Run: serverSettings,
		}},
	}
}

// commands are all there are. Handlers, to which the table leads, know it by their Desk.
var commands = allCommands() //nolint:gochecknoglobals // never written

// Commands are all there are, in the order in which help shows them.
func Commands() ask.Table { return commands }

// IsCommand reports whether a word is the name of a command.
func IsCommand(word string) bool { return commands.Find(word) != nil }

// CommandNamed is the command of a name; one without a name if there is none.
func CommandNamed(name string) ask.Command {
	if c := commands.Find(name); c != nil {
		return *c
	}
	return ask.Command{}
}

// CommandIn is the command in a message; one without a name if there is none. The answer to it
// is not WhoIsNamed's: somebody is named in the text, or nobody is.
func CommandIn(m *ask.Message) ask.Command {
	said := m.Reading(commands)
	if said.Command == nil || said.Fault != nil {
		return ask.Command{}
	}
	c := *said.Command
	switch {
	case c.Whose == ask.WhoIsNamed && len(said.Args) > 0:
		c.Whose = ask.Everybody
	case c.Whose == ask.WhoIsNamed:
		c.Whose = ask.Asker
	}
	return c
}
