package bot

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/training"
	"chimera/bot/user"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/rules/puzzle"
	"chimera/storage"
)

// allCommands are those there are, in the order in which help shows them.
func allCommands() Table {
	kindOfGame := func(kind ArgKind) Arg { return Arg{Name: "game", Kind: kind} }
	game, ended, variant := kindOfGame(ArgGame), kindOfGame(ArgEnded), Arg{Name: "game", Key: "variant", Kind: ArgVariant}
	colour := Arg{Name: "colour", Kind: ArgWord, Words: []string{"white", "black", "random"}}
	whose, someone := Arg{Name: "person", Kind: ArgPerson}, Arg{Name: "person", Key: "someone", Kind: ArgPerson}
	return Table{
		{
			Name: "challenge", Usage: "[@name] [game] [Nd|total Nd] [white|black|random] [rated|unrated]",
			Examples: []string{"@bob stealth 3d white unrated", "knightmare"}, Words: many, Run: challenge, Odd: oddChallenge, Twice: twiceInChallenge,
			Args: []Arg{
				{Name: "opponent", Kind: ArgPerson},
				variant,
				{Name: "days", Key: "pace", Kind: ArgPace},
				colour,
				{Name: "rated", Kind: ArgFlag, No: "unrated"},
			},
		},
		{
			Name: "play", Usage: "[game] [level 0-8] [white|black|random] [greta|ignaz|melba|otto]", Examples: []string{"stealth 3 white", "combine", "combine 2 greta"},
			Words: many, Run: play, Odd: oddPlay, Twice: clash, Args: []Arg{variant, {Name: "level", Kind: ArgWord, Words: append(levels(), "easier", "harder")}, colour, {Name: "face", Kind: ArgWord, Words: match.Faces(nil)}},
		},
		{Name: "learn", Usage: "[game]", Examples: []string{"stealth", ""}, Words: many, Reads: many, Whose: AskerAlone, Args: []Arg{variant}, Run: learn},
		{
			Name: "puzzle", Usage: "[game] [theme]", Examples: []string{"stealth", "stealth mate", ofToday, ""}, Words: many, Reads: many, Whose: AskerAlone,
			Args: []Arg{variant, {Name: "theme", Key: "puzzle-theme", Kind: ArgWord, Words: append(phrase.Each(puzzle.Themes(), func(t puzzle.Theme) string { return string(t) }), ofToday)}}, Run: solve,
			Odd: func(b *Bot, word string) words.Text {
				return words.Say("puzzle.odd", "word", words.Clip(word), "games", words.Keys(b.Games.Variants()), "themes", words.Themes(puzzle.Themes()))
			},
		},
		{
			Name: "hint", Usage: "[#game]", Examples: []string{"", "#1"}, Reads: many, Whose: AskerAlone, Args: []Arg{game}, Run: inStudy(training.Exercise.Help, hint),
			Fits: func(_ *Bot, r Request, g *storage.Game) bool { return g.Practice() && match.ToMove(g) == r.Me.ID },
		},
		{
			Name: "accept", Usage: "[#game|@name|code]", Examples: []string{"#2", "@bob"}, Words: many, Run: accept,
			Args: []Arg{{Name: "game", Key: "game-or-code", Kind: ArgOffer, Code: true}},
		},
		{Name: "decline", Usage: "[#game|@name]", Examples: []string{"#2", "@bob"}, Words: many, Args: []Arg{kindOfGame(ArgOffer)}, Run: answering(match.Decline)},
		{Name: "cancel", Usage: "[#game|@name]", Examples: []string{"#2", "@bob"}, Words: many, Args: []Arg{kindOfGame(ArgOwnOffer)}, Run: answering(match.Cancel)},
		{
			Name: "lobby", Usage: "[game]", Examples: []string{"", "stealth"}, Words: many, Reads: many, Args: []Arg{variant}, Run: lobby,
			Odd: func(b *Bot, word string) words.Text { return words.NoVariant("lobby", word, nil, b.Games.Variants()) },
		},
		{
			Name: "move", Usage: "[#game] move", Examples: []string{"e4", "#1 e4"}, Words: many,
			Args: []Arg{{Name: "move", Kind: ArgMove, Needed: true}, game}, Run: move, Fits: canMove,
		},
		{
			Name: "moves", Usage: "[#game] [square]", Examples: []string{"e2", "#1"}, Words: 1, Reads: many, Whose: Everybody,
			Args: []Arg{{Name: "square"}, game}, Run: inStudy(pickAny, listMoves), Fits: canSeeMoves,
		},
		{
			Name: "board", Usage: "[#game] [ply] [flip] [zones]", Examples: []string{"flip", "#1 0"}, Words: many, Reads: many, Whose: Everybody,
			Args: []Arg{game, {Name: "ply", Kind: ArgNumber}, {Name: "flip", Kind: ArgFlag}, {Name: "zones", Kind: ArgFlag}}, Run: showBoard,
			Odd: func(_ *Bot, word string) words.Text { return words.Say("show.odd-board", "word", words.Clip(word)) },
		},
		{Name: "games", Usage: "[@name]", Examples: []string{"@bob"}, Words: 1, Reads: many, Whose: WhoIsNamed, Args: []Arg{whose}, Run: listGames},
		{Name: "next", Usage: "[@name]", Examples: []string{"@bob"}, Words: 1, Reads: many, Whose: WhoIsNamed, Args: []Arg{whose}, Run: inStudy(training.Exercise.Next, showNext)},
		{Name: "resign", Usage: "[#game]", Examples: []string{"#1"}, Args: []Arg{game}, Run: inMatch((*match.Service).Resign, false)},
		{Name: "abort", Usage: "[#game]", Examples: []string{"#1"}, Args: []Arg{game}, Run: inMatch((*match.Service).Abort, false), Fits: func(_ *Bot, _ Request, g *storage.Game) bool { return match.CanAbort(g) }},
		{
			Name: "draw", Usage: "[#game]", Examples: []string{"#1"}, Args: []Arg{game},
			Run: inMatch((*match.Service).Offer, match.ADraw), Fits: canAgree(match.ADraw),
		},
		{Name: "claim", Usage: "[#game]", Examples: []string{"#1"}, Args: []Arg{game}, Run: claim, Fits: canClaim},
		{
			Name: "takeback", Also: "undo", Usage: "[#game]", Examples: []string{"#1"}, Args: []Arg{game},
			Run: inMatch((*match.Service).Offer, match.ATakeback), Fits: canAgree(match.ATakeback),
		},
		{Name: "rematch", Usage: "[#game]", Examples: []string{"#1"}, Args: []Arg{ended}, Run: rematch},
		{
			Name: "if", Usage: "[#game] lines|clear", Examples: []string{"e5 then Nf3, if Nc6 then Bb5", "clear"},
			Words: many, Reads: 1, Whose: AskerAlone, Args: []Arg{{Name: "lines"}, game}, Run: plan,
		},
		{
			Name: "addtime", Usage: "[#game] [Nd]", Examples: []string{"3d", "#1 2d"}, Words: 1,
			Args: []Arg{game, {Name: "days", Key: "addtime-days", Kind: ArgDays, Least: 1}}, Run: addTime, Odd: oddDays("addtime"),
			Fits: func(_ *Bot, _ Request, g *storage.Game) bool { return !g.Pace.Unlimited() && !g.Contested() },
		},
		{
			Name: "vacation", Also: "pause", Usage: "[Nd|off]", Examples: []string{"5d", "off"}, Words: 1, Reads: 1,
			Args: []Arg{{Name: "days", Key: "vacation-days", Kind: ArgDays, No: "off"}}, Run: vacation,
			Odd: oddDays("vacation"),
		},
		settingsCommand(),
		{Name: "follow", Usage: "#game", Examples: []string{"#1"}, Args: []Arg{{Name: "game", Kind: ArgGame, Needed: true}}, Run: follow},
		{Name: "unfollow", Usage: "#game", Examples: []string{"#1"}, Args: []Arg{{Name: "game", Kind: ArgGame, Needed: true}}, Run: follow},
		{
			Name: "link", Usage: "[code|#game]", Examples: []string{"ABCDEFGHJKLM", "#2"}, Words: 2, Whose: AskerAlone,
			Args: []Arg{{Name: "code"}}, Run: inChat(link),
		},
		{Name: "unlink", Examples: []string{""}, Whose: AskerAlone, Run: inChat(saying(words.Say("person.unlinked"), unlink))},
		{
			Name: "chat", Usage: "[on|off]", Examples: []string{"on", "off"}, Words: 1, Reads: 1, Whose: AskerAlone, Run: chat,
			Args: []Arg{{Name: "on", Kind: ArgFlag, No: "off"}},
		},
		{Name: "block", Usage: "[@name]", Examples: []string{"@bob", ""}, Words: 1, Reads: 1, Whose: AskerAlone, Args: []Arg{someone}, Run: block},
		{Name: "unblock", Usage: "[@name]", Examples: []string{"@bob", ""}, Words: 1, Reads: 1, Whose: AskerAlone, Args: []Arg{someone}, Run: block},
		{Name: "fen", Usage: "[#game]", Examples: []string{"#1"}, Reads: many, Whose: Everybody, Args: []Arg{game}, Run: seeing(showFEN)},
		{Name: "replay", Usage: "[#game]", Examples: []string{"#1"}, Reads: many, Whose: Everybody, Args: []Arg{game}, Run: seeing(replayGame)},
		{Name: "score", Usage: "[#game]", Examples: []string{"#1"}, Reads: many, Whose: Everybody, Args: []Arg{game}, Run: seeing(showScore)},
		{Name: "review", Usage: "[#game]", Examples: []string{"", "#1"}, Reads: many, Whose: AskerAlone, Args: []Arg{ended}, Run: reviewing(showReview)},
		{Name: "share", Usage: "[#game]", Examples: []string{"", "#1"}, Reads: many, Whose: Everybody, Args: []Arg{game}, Run: seeing(shareGame)},
		{Name: "export", Usage: "[#game]", Examples: []string{"#1"}, Reads: many, Whose: Everybody, Args: []Arg{game}, Run: seeing(exportGame)},
		{
			Name: "rules", Usage: "[game]", Examples: []string{"stealth", "combine chess"}, Words: many, Reads: many,
			Whose: Everybody, Args: []Arg{variant}, Run: showRules,
		},
		{
			Name: "how", Usage: "square|piece [#game|game]", Examples: []string{"e2", "RN stealth"}, Words: many, Reads: many, Whose: Everybody, Run: tellHow,
			Args: []Arg{{Name: "piece", Kind: ArgPiece, Needed: true}, {Name: "game", Key: "game-or-variant", Kind: ArgGameOrKind}},
		},
		{
			Name: "threats", Usage: "[#game]", Examples: []string{"", "#1"}, Reads: many, Whose: Everybody,
			Args: []Arg{game}, Run: showThreats, Fits: canSeeMoves,
		},
		{
			Name: "top", Usage: "[game] [world] [week|month|2026-10|games|streak|combiner|computer|puzzles|champions] [rank]",
			Examples: []string{"stealth world week", "2026-10", "streak 11"}, Words: many, Reads: many, Whose: Everybody, Run: showLeaders,
			Odd: func(b *Bot, word string) words.Text {
				return words.Say("top.odd", "word", words.Clip(word), "kinds", words.Keys(b.Games.Variants()))
			}, Twice: clash,
			Args: []Arg{
				{Name: "game", Key: "top-game", Kind: ArgVariant},
				{Name: "period", Kind: ArgWord, Words: []string{"week", "month", "ever", "games", "streak", "combiner", "computer", "puzzles", "champions"}},
				{Name: "scope", Kind: ArgWord, Words: []string{"server", "world"}},
				{Name: "month", Kind: ArgMonth},
				{Name: "rank", Kind: ArgNumber, Least: 1},
			},
		},
		{
			Name: "league", Usage: "[join|leave|table|history] [game] [division] [@name]", Examples: []string{"", "join", "table 2", "history", "@bob"},
			Words: many, Reads: 1, Run: league, Twice: clash,
			Odd: func(_ *Bot, word string) words.Text { return words.Say("league.odd", "word", words.Clip(word)) },
			Args: []Arg{
				{Name: "action", Kind: ArgWord, Words: []string{"join", "leave", "table", "history"}},
				variant,
				{Name: "division", Kind: ArgNumber, Least: 1},
				whose,
			},
		},
		{
			Name: "ladder", Usage: "[join|leave|challenge] [game] [@name]", Examples: []string{"", "join stealth", "challenge @bob", "@bob"}, Words: many, Reads: 1, Run: ladder, Twice: clash,
			Odd:  func(_ *Bot, word string) words.Text { return words.Say("ladder.odd", "word", words.Clip(word)) },
			Args: []Arg{{Name: "action", Kind: ArgWord, Words: []string{"join", "leave", "challenge"}}, variant, someone},
		},
		{Name: "profile", Usage: "[@name]", Examples: []string{"@bob"}, Words: 1, Reads: many, Whose: WhoIsNamed, Args: []Arg{whose}, Run: showProfile},
		{
			Name: "compare", Usage: "@name [@name]", Examples: []string{"@bob"}, Words: 2, Reads: many, Whose: Everybody,
			Args: []Arg{{Name: "person", Key: "someone", Kind: ArgPerson, Needed: true}, {Name: "other", Kind: ArgPerson}}, Run: comparePlayers,
		},
		{Name: "mydata", Examples: []string{""}, Reads: many, Whose: AskerAlone, Run: inChat(myData)},
		{Name: "forgetme", Examples: []string{""}, Whose: AskerAlone, Run: inChat(forgetting(false))},
		{Name: "privacy", Examples: []string{""}, Words: many, Reads: many, Whose: AskerAlone, Run: privacy},
		{
			Name: "help", Usage: "[command]", Examples: []string{"challenge"}, Words: many, Reads: many, Plain: true, Whose: Everybody,
			Args: []Arg{{Name: "command", Kind: ArgCommand}}, Run: showHelp,
		},
		{Name: "status", Examples: []string{""}, Reads: many, Whose: Everybody, Run: status},
		{Name: "version", Examples: []string{""}, Words: many, Reads: many, Whose: Everybody, Run: version},
	}
}

// oddDays answers a word that is no number of days.
func oddDays(command string) func(*Bot, string) words.Text {
	return func(_ *Bot, word string) words.Text {
		return words.Say("clock.odd-days", "word", words.Clip(word), "command", command)
	}
}

// settingsCommand is about what people choose for themselves, and "here" about what managers
// choose for a server.
func settingsCommand() Command {
	nameOf := func(s user.Setting) string { return s.Name }
	mine, here := phrase.Each(usualSettings(false), nameOf), phrase.Each(usualSettings(true), nameOf)
	manage := Table{
		{Name: "hide", Examples: []string{"@bob"}, Whose: Everybody, Managers: true, Words: many, Plain: true, Run: hide},
		{Name: "unhide", Examples: []string{"@bob"}, Whose: Everybody, Managers: true, Words: many, Plain: true, Run: hide},
		{Name: "annul", Examples: []string{"#1"}, Managers: true, Words: many, Plain: true, Run: annul}, // only by managers who have not played it
		{Name: "league", Examples: []string{"stealth 4w 8", "stealth off"}, Whose: Everybody, Managers: true, Words: many, Plain: true, Run: setLeague},
	}
	here = append(here, phrase.Each(manage, func(c Command) string { return c.Name })...)
	return Command{
		Name: "settings", Usage: "[here] [name value|hide @name|unhide @name|annul #game]", ManagerKey: "settings-managers",
		Examples: []string{"quiet 22-7"}, Words: many, Reads: 2, Whose: AskerAlone, Plain: true, Run: settings,
		Args: []Arg{
			{Name: "mine", Kind: ArgForm, Args: []Arg{{Name: "setting", Kind: ArgWord, Words: mine}, {Name: "value"}}},
			{Name: "server", Kind: ArgForm, Says: "here", Args: []Arg{
				{Name: "setting", Kind: ArgWord, Words: here},
				{Name: "value", Key: "server-value"},
				{Name: "person", Key: "server-person", Kind: ArgPerson},
			}},
		},
		Subs: Table{{
			Name: "here", Examples: []string{"days 5"}, Whose: Everybody, Managers: true, Words: many, Reads: 2, Plain: true, Subs: manage, Run: serverSettings,
		}},
	}
}

// commands are all there are. Handlers, to which the table leads, find it in their Bot.
var commands = allCommands() //nolint:gochecknoglobals // never written

// Commands are all there are, in the order in which help shows them.
func Commands() Table { return commands }

// IsCommand reports whether a word is the name of a command.
func IsCommand(word string) bool { return commands.Find(word) != nil }

// CommandNamed is the command of a name; one without a name if there is none.
func CommandNamed(name string) Command { return *cmp.Or(commands.Find(name), &Command{}) }

// CommandIn is the command in a message, or the one that a sentence means; one without a name if there is none. Its
// Whose is never WhoIsNamed: it is clear whether the text names somebody.
func CommandIn(m *message.Incoming) Command {
	said := commands.Read(m.Text)
	if said.Command == nil || said.Fault != nil {
		return Command{}
	}
	c := *said.Command
	if c.Whose == WhoIsNamed {
		c.Whose = words.Either(len(said.Args) > 0, Everybody, Asker)
	}
	return c
}

// ForManagers reports whether a message or a press is about a server, for its managers to change something by it.
func ForManagers(m *message.Incoming) bool {
	return CommandIn(&message.Incoming{Text: cmp.Or(presses[message.VerbOf(m.Press)].command, m.Text)}).Managers
}

// press is what a button does, written "verb game ply": the game, and how many moves had been played
// when the button was drawn, or "-" if that does not matter. More words may follow.
type press struct {
	verb    string
	example string   // the words that follow the ply, or some like them
	who     pressers // who may press it
	nowhere bool     // it is about no game
	more    bool     // it stands under More
	reads   bool     // it changes nothing
	alone   bool     // nobody but whoever presses it shall see what it shows
	command string   // the command that it stands for, perhaps with a word
	run     handler  // if it stands for no command
}

// words is how many words follow the ply.
func (p *press) words() int { return len(strings.Fields(p.example)) }

// allPresses are those there are; those of More in its order.
func allPresses() []press {
	yes, no := true, false
	inGames := []press{
		{verb: "pick", example: "- - 0", who: mover, reads: true, run: pick},
		{verb: "sure", example: "e2e4", who: mover, reads: true, run: preview},
		{verb: "play", example: "e2e4", command: "move"},
		{verb: "in", example: "how_e2", run: obeyIn},
		{verb: "hint-on", example: "1", who: mover, reads: true, run: hintMore},
		{verb: "more", reads: true, run: seeing(more)},
		{verb: "back", who: players, reads: true, run: back},
		{verb: "draw", who: players, run: inMatch((*match.Service).Draw, no)},
		{verb: "block", who: players, run: blockOpponent},
		{verb: "draw-yes", run: inMatch((*match.Service).Draw, yes)},
		{verb: "draw-no", run: saying(words.Say("offer.goes-on"), playOn)},
		{verb: "resign", run: askResign},
		{verb: "resign-yes", run: inMatch((*match.Service).Resign, yes)},
		{verb: "resign-no", run: saying(words.Say("offer.goes-on"), playOn)},
		{verb: "abort-yes", run: inMatch((*match.Service).Abort, yes)},
		{verb: "abort-no", run: saying(words.Say("offer.goes-on"), playOn)},
		{verb: "hint", command: "hint", more: true},
		{verb: "takeback", command: "takeback", more: true},
		{verb: "claim", command: "claim", more: true},
		{verb: "moves", command: "moves", more: true},
		{verb: "score", command: "score", more: true},
		{verb: "fen", command: "fen", more: true},
		{verb: "addtime", command: "addtime", more: true},
		{verb: "zones", command: "board zones", more: true},
		{verb: "threats", command: "threats", more: true},
		{verb: "rules-here", command: "rules", more: true},
		{verb: "flip", command: "board flip"},
		{verb: "unflip", command: "board"},
		{verb: "board", command: "board"},
		{verb: message.OpenPage, reads: true, alone: true, run: openPage},
		{verb: "replay", command: "replay"},
		{verb: "rematch", command: "rematch"},
		{verb: "review", command: "review"},
		{verb: "share", command: "share"},
		{verb: "reviewed", reads: true, alone: true, run: reviewing(showReview)},
		{verb: "marked", reads: true, alone: true, run: reviewing(showMarked)},
		{verb: "moment", example: "0", reads: true, alone: true, run: reviewing(showTurningPoint)},
		{verb: "join", run: toChallenge(match.Accept)},
		{verb: "turn-down", run: toChallenge(match.Decline)},
		{verb: "call-off", run: toChallenge(match.Cancel)},
		{verb: "instead", run: playInstead},
		{verb: "agree-draw", run: inMatch((*match.Service).Agree, match.ADraw)},
		{verb: "refuse-draw", run: inMatch((*match.Service).Refuse, match.ADraw)},
		{verb: "agree-takeback", run: inMatch((*match.Service).Agree, match.ATakeback)},
		{verb: "refuse-takeback", run: inMatch((*match.Service).Refuse, match.ATakeback)},
		{verb: "annul-yes", run: annulling(yes)},
		{verb: "annul-no", run: letCount},
	}
	elsewhere := []press{
		{verb: "top", example: "0 overall ever 1", reads: true, run: turnLeaders},
		{verb: "league", example: "1", reads: true, run: pressLeague((*Bot).leagueCard)},
		{verb: "league-table", example: "1 0 1", reads: true, run: ofDivision((*Bot).turnTable)},
		{verb: "league-export", example: "1 1 1", reads: true, run: ofDivision((*Bot).exportDivision)},
		{verb: "league-set", example: "combine 4w 8", command: "settings here league"},
		{verb: "league-term", example: "combine 18:00", command: "settings here league"},
		{verb: "league-new", example: "combine", command: "settings here league"},
		{verb: "league-off", example: "combine off", command: "settings here league"},
		{verb: "league-history", example: "1", reads: true, run: pressLeague((*Bot).leagueHistory)},
		{verb: "league-join", example: "1", run: pressLeague((*Bot).joinLeague)},
		{verb: "league-leave", example: "1", run: pressLeague((*Bot).askLeave)},
		{verb: "league-leave-yes", example: "1", run: pressLeague((*Bot).leaveLeague)},
		{verb: "ladder", example: "combine", command: "ladder"},
		{verb: "ladder-join", example: "combine", command: "ladder join"},
		{verb: "climb", example: "combine 1", run: climb},
		{verb: "new", reads: true, run: newGame},
		{verb: "at", example: "combine", reads: true, run: newPace},
		{verb: "open", example: "combine 3d", command: "challenge"},
		{verb: "level", example: "combine 4 white", command: "play"},
		{verb: "level-as", example: "combine 4 white greta", command: "play"},
		{verb: "another", example: "combine 4 white", command: "play"},
		{verb: "another-as", example: "combine 4 white greta", command: "play"},
		{verb: "play-me", command: "play"},
		{verb: "play-game", example: "combine", command: "play"},
		{verb: "hello", reads: true, run: greet},
		{verb: "learn", example: "combine", command: "learn"},
		{verb: "lesson", example: "combine 0", reads: true, alone: true, run: study},
		{verb: "daily", example: "1 abcdefghij", reads: true, alone: true, run: study},
		{verb: "puzzle", example: "combine -", reads: true, alone: true, run: study},
		{verb: "courses", command: "learn"},
		{verb: "help", command: "help"},
		{verb: "help-on", example: "start", command: "help"},
		{verb: "rules", command: "rules"},
		{verb: "rules-of", example: "combine", command: "rules"},
		{verb: "games", command: "games"},
		{verb: "settings", command: "settings"},
		{verb: "settings-boards", example: ofBoards, command: "settings"},
		{verb: "settings-boards-here", example: ofBoards, command: "settings here"},
		{verb: "setting", example: "theme", reads: true, run: pickSetting("")},
		{verb: "set", example: "theme night", command: "settings"},
		{verb: "settings-here", command: "settings here"},
		{verb: "setting-here", example: "days", command: "settings here"},
		{verb: "set-here", example: "days 5", command: "settings here"},
		{verb: "vacation-yes", run: endVacation},
		{verb: "vacation-no", run: saying(words.Say("clock.stays-away"), aboutThem((*user.Users).Stay))},
		{verb: "unblock", example: "1", run: unblock},
		{verb: "forget-yes", run: inChat(forgetting(yes))},
		{verb: "forget-no", run: saying(words.Say("person.stays"), aboutThem((*user.Users).Stay))},
		{verb: "link-yes", example: "ABCDEFGHJKLM", run: inChat(saying(words.Say("person.link-agreed"), linking((*user.Users).AgreeLink)))},
		{verb: "link-no", example: "ABCDEFGHJKLM", run: saying(words.Say("person.link-refused"), linking((*user.Users).RefuseLink))},
		{verb: "give-yes", example: "ABCDEFGHJKLM", run: inChat(saying(words.Say("person.linked"), linking((*user.Users).GiveLink)))},
		{verb: "give-no", example: "ABCDEFGHJKLM", run: saying(words.Say("person.link-refused"), aboutThem((*user.Users).KeepLink))},
	}
	inStudies := func(kind, name string, acts ...string) {
		for _, act := range acts {
			elsewhere = append(elsewhere, press{verb: kind + "-" + act, example: name + map[string]string{"pick": " - - 0", "try": " e2e4"}[act], reads: true, run: study})
		}
	}
	inStudies("lesson", "combine 0", "hint", "piece", "move", "pick", "try")
	inStudies("daily", "1 abcdefghij 0", "pick", "try")
	inStudies("puzzle", "combine 0 0", "at", "hint", "piece", "tell", "move", "pick", "try")
	inStudies("day", "combine 0 0", "at", "hint", "piece", "tell", "move", "pick", "try")
	for i := range elsewhere {
		elsewhere[i].nowhere = true
	}
	return append(inGames, elsewhere...)
}

var presses = pressesByVerb() //nolint:gochecknoglobals // never written

func pressesByVerb() map[string]press {
	all := map[string]press{}
	for _, p := range allPresses() {
		all[p.verb] = p
	}
	return all
}

// pressed reads a press: what it does, in which game, when its button was drawn, and the
// words that follow; false if it is none.
func pressed(text string) (p press, game storage.GameID, ply string, rest []string, ok bool) {
	said := strings.Fields(text)
	if len(said) < 3 {
		return p, 0, "", nil, false
	}
	p, ok = presses[said[0]]
	n, err := strconv.ParseUint(said[1], 10, 64)
	ok = ok && err == nil && len(said) == 3+p.words() && p.nowhere == (n == 0)
	return p, storage.GameID(n), said[2], said[3:], ok
}

// press does what a button says, if the game is still where it was drawn.
func (b *Bot) press(ctx context.Context, r Request) (said *message.Message, reads bool, err error) {
	p, game, ply, rest, ok := pressed(r.Msg.Press)
	if !ok {
		return r.answer(words.Say("request.old-button")), false, nil
	}
	run, reads := p.run, p.reads
	r.Args = rest
	if p.command != "" {
		r.Args = append(strings.Fields(p.command), rest...)
		r.enter(b.Commands.Find(r.Args[0]))
		run, reads = obey, r.Command.Reads == many
	}
	r.Game, r.Text = game, strings.Join(r.Args, " ")
	defer func() {
		if said != nil {
			said.Alone = said.Alone || p.alone || r.Command != nil && r.Command.Whose == AskerAlone
		}
	}()
	if ply != message.None || p.who != anybody {
		if r.View, err = b.Games.LoadFor(ctx, r.by(), game, match.Latest); err != nil {
			return nil, reads, err
		}
		if s := r.View; ply != message.None && (strconv.Itoa(s.Ply) != ply || s.Game.Over()) {
			return r.answer(words.Say(words.Either(s.Game.Over(), "request.button-of-ended", "request.button-overtaken"), "game", s.Game.ID)), reads, nil
		}
		if err = r.may(p.who); err != nil {
			return nil, reads, err
		}
	}
	said, err = run(ctx, b, r)
	return said, reads, err
}
