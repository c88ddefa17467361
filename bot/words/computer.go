package words

import (
	"time"

	"chimera/bot/match"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// OddPlay says how a game against the computer is asked for, and what may have been meant.
func OddPlay(word, near string, all []*rules.Variant) Text {
	if near != "" {
		return Say("request.unknown-near", "word", Clip(word), "command", near)
	}
	return Say("computer.odd-word", "word", Clip(word), "example", all[0].Key, "games", keys(all))
}

// Strength says how well the computer plays a game, nothing where two people play.
func Strength(g *storage.Game) Text {
	_, level := g.Computer()
	if level == 0 {
		return nil
	}
	return append(Of(" "), Say("computer.strength", "level", level, "player", players(level))...)
}

// players are people who play about as well as the computer does at a level.
func players(level int) phrase.Phrase { return book.Say("computer.players", "level", level) }

// Level is one of the computer's, where one is chosen.
func Level(level int) phrase.Phrase {
	return book.Say("computer.choice", "level", level, "player", players(level))
}

// LevelButton is what stands on a button that begins a game at a level.
func LevelButton(level int) phrase.Phrase { return book.Say("computer.level", "level", level) }

// Levels are all of them.
func Levels() (all []phrase.Phrase) {
	for level := range match.Levels {
		all = append(all, Level(level+1))
	}
	return all
}

// UsualLevel says that there are other levels than that of a game whose level nobody has chosen.
func UsualLevel() Text { return append(Of(" "), Say("computer.usual")...) }

// Thinking says in how many games the computer thinks; nothing where in none.
func Thinking(games int) Text {
	if games == 0 {
		return nil
	}
	return append(Of(" "), Say("computer.thinking", "n", games)...)
}

// Waits says that the computer thinks in so many games, and in what time it has a move in this one;
// nothing where that is hardly worth a word.
func Waits(games int, in time.Duration) Text {
	const worth = 3 * time.Second
	if in < worth {
		return nil
	}
	return append(Of("\n"), Say("computer.waits", "n", games, "span", Length(in))...)
}

// playerOf is a player of a game who is told that it is about them. The computer needs no telling.
func playerOf(s *match.GameView, side storage.Side) Span {
	if s.Game.Levels[side] != 0 {
		return Span{Words: s.Names[side]}
	}
	return mention(s.Game.Players[side], s.Names[side])
}
