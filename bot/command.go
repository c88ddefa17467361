package bot

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/words"
	"chimera/rules"
	"chimera/storage"
)

// command is one thing that people can ask for.
type command struct {
	name string
	args string // as help shows them
	help string
	run  func(*Bot, context.Context, request) ([]Note, error)
}

// request is a command as somebody gave it.
type request struct {
	msg    Message
	me     storage.Person
	here   storage.Place
	server storage.Server // that it is in; zero for a private chat
	name   string         // of the command
	game   storage.GameID // named by "#12", or 0
	args   []string       // the words after the command, without the game
	line   string         // the same as written
}

// commands are those there are, in the order in which help shows them.
func commands() []command {
	return []command{
		{"challenge", "[@name] [game] [Nd] [white|black|random] [rated|unrated]", "challenge a person, or whoever joins first", (*Bot).challenge},
		{"accept", "[#game|@name|code]", "say yes to a challenge, a draw or a takeback", (*Bot).accept},
		{"decline", "[#game|@name]", "say no to it", (*Bot).decline},
		{"cancel", "[#game|@name]", "take back what you offered yourself", (*Bot).cancel},
		{"move", "[#game] move", "play a move; the word may be left out", (*Bot).move},
		{"moves", "[#game] [square]", "list the legal moves", (*Bot).moves},
		{"board", "[#game] [ply] [flip] [zones]", "show the board again", (*Bot).board},
		{"games", "[@name]", "list the games, the most urgent first", (*Bot).listGames},
		{"next", "[@name]", "the board of the most urgent game", (*Bot).next},
		{"resign", "[#game]", "give a game up", (*Bot).resign},
		{"abort", "[#game]", "end a game before both have moved", (*Bot).abort},
		{"draw", "[#game]", "offer a draw, or agree to one", (*Bot).draw},
		{"claim", "[#game]", "claim a draw by repetition or 50 moves, or a win on time", (*Bot).claim},
		{"takeback", "[#game]", "ask to take your last move back, or agree to it", (*Bot).takeback},
		{"rematch", "[#game]", "the same again, with the colours swapped", (*Bot).rematch},
		{"if", "[#game] lines|clear", "moves to be played by themselves: if e5 then Nf3, if Nc6 then Bb5", (*Bot).plan},
		{"addtime", "[#game] [Nd]", "give your opponent more time", (*Bot).addTime},
		{"vacation", "[Nd|off]", "let your clocks stand still", (*Bot).vacation},
		{"settings", "[here] [name value|hide @name|unhide @name|annul #game]", "what you can choose, or here what managers choose for everyone", (*Bot).settings},
		{"follow", "#game", "be told of each move here", (*Bot).follow},
		{"unfollow", "#game", "be told no more", (*Bot).unfollow},
		{"link", "[code|#game]", "be one person on both platforms, or get a challenge's code", (*Bot).link},
		{"unlink", "", "give each account its own games back", (*Bot).unlink},
		{"block", "@name", "no challenges from that person", (*Bot).block},
		{"unblock", "@name", "challenges from that person again", (*Bot).unblock},
		{"fen", "[#game]", "the position as text", (*Bot).fen},
		{"replay", "[#game]", "the game as a moving picture", (*Bot).replay},
		{"score", "[#game]", "the moves played so far", (*Bot).score},
		{"export", "[#game]", "the game as text, to keep", (*Bot).export},
		{"rules", "[game]", "a game's rules in short", (*Bot).rules},
		{"how", "square|piece [#game|game]", "what a piece may do, and why", (*Bot).how},
		{"top", "[game] [world] [week|month|2026-10|games|streak|combiner] [rank]", "the leaderboard of this server", (*Bot).top},
		{"profile", "[@name]", "ratings and results", (*Bot).profile},
		{"compare", "@name [@name]", "two people's ratings, and their results against each other", (*Bot).compare},
		{"mydata", "", "all that is stored about you", (*Bot).myData},
		{"forgetme", "", "remove you; your opponents keep the games", (*Bot).forgetMe},
		{"privacy", "", "what is stored", (*Bot).privacy},
		{"help", "[command]", "this list, or one command", (*Bot).help},
		{"status", "", "whether I am well", (*Bot).status},
		{"version", "", "which version this is", (*Bot).version},
	}
}

func findCommand(name string) (command, bool) {
	for _, c := range commands() {
		if strings.EqualFold(c.name, name) {
			return c, true
		}
	}
	return command{}, false
}

// nearest is the name of the command that a word looks like, "" if none.
func nearest(word string) string {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	return nearestOf(word, names)
}

var gameNumber = regexp.MustCompile(`^#([0-9]{1,18})[:,.;]?$`)

// parse splits a text into its command, "" if it names none, and the rest; fault says
// what is wrong with the number of the game.
func (r *request) parse(text string) (name string, fault words.Text) {
	var said []string
	for w := range strings.FieldsSeq(text) {
		found := gameNumber.FindStringSubmatch(w)
		if found == nil {
			said = append(said, w)
			continue
		}
		n, _ := strconv.ParseUint(found[1], 10, 64) // 18 digits fit
		switch {
		case n == 0:
			return "", words.GameZero()
		case r.game != 0:
			return "", words.OneGame(w)
		}
		r.game = storage.GameID(n)
	}
	if len(said) == 0 {
		return "", nil
	}
	r.args = said
	if c, ok := findCommand(strings.TrimPrefix(said[0], "/")); ok {
		name, r.name, r.args = c.name, c.name, said[1:]
	}
	r.line = strings.Join(r.args, " ")
	return name, nil
}

// looksLikeMove reports whether all of a text is written as a move of some game.
func (b *Bot) looksLikeMove(text string) bool {
	return slices.ContainsFunc(b.games.Variants(), func(v *rules.Variant) bool { return v.MoveLike(text) })
}
