package words

import (
	"fmt"
	"time"

	"chimera/bot/computer"
	"chimera/bot/match"
	"chimera/render/chart"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
)

// percent is a share as a whole number.
func percent(share float64) int { return int(100*share + .5) }

// Review tells how an ended game was played: how well by either side, and which moves decided it.
func Review(s *match.GameView, told *computer.Story) Text {
	lines := []Text{
		Say("review.title", "kind", s.Variant.Name, "game", Hash(s.Game.ID), "white", s.Names[0], "black", s.Names[1],
			"white-share", int(told.Accuracy[0]+.5), "black-share", int(told.Accuracy[1]+.5)),
		Say("review.moments", "n", len(told.TurningPoints)),
	}
	for _, m := range told.TurningPoints {
		lines = append(lines, Say("review.moment", "move", Ply(m.Before, m.Played), "player", s.Names[m.Before.Turn()], "before", percent(m.Could), "after", percent(m.Became)))
	}
	return Lines(lines)
}

// TurningPoint tells of one of the moves that decided a game, counted from 0, and what was better.
func TurningPoint(s *match.GameView, told *computer.Story, n int) Text {
	m := &told.TurningPoints[n]
	title := Say("review.at", "kind", s.Variant.Name, "game", Hash(s.Game.ID), "n", n+1, "all", len(told.TurningPoints), "move", Ply(m.Before, m.Played),
		"player", s.Names[m.Before.Turn()], "before", percent(m.Could), "after", percent(m.Became))
	lines := []Text{title, Moment(s.Variant, m), Of(s.Variant.Describe(m.Before.Effects(m.Better[0])))}
	if len(m.Better) > 1 {
		lines = append(lines, Say("review.line", "line", Line(m.Before, chatLine(m.Before, m.Better))))
	}
	return Lines(lines)
}

// Moment tells what a move cost, and what was better.
func Moment(v *rules.Variant, m *computer.TurningPoint) Text {
	return Join(" ", Of(cost(v, m)), could(v, m))
}

// cost is what a move cost at once; nothing if that cannot be said in a word.
func cost(v *rules.Variant, m *computer.TurningPoint) phrase.Phrase {
	switch {
	case m.Loss.Mates > 0:
		return book.Say("review.lost-mate", "n", m.Loss.Mates)
	case m.Left != nil:
		return book.Say("review.left", inDanger(v, m.Left)...)
	case len(m.Loss.Wins) > 0:
		return book.Say("review.lost-pieces", "pieces", nouns(v, m.Loss.Wins))
	}
	return phrase.Phrase{}
}

// inDanger are the parts of what is said of a piece that can be captured with advantage.
func inDanger(v *rules.Variant, d *computer.Danger) []any {
	return []any{"piece", v.Noun(d.Piece), "square", v.Shape.Name(d.On), "attackers", d.Attackers, "defenders", d.Defenders}
}

// could is what another move would have come to.
func could(v *rules.Variant, m *computer.TurningPoint) Text {
	better := Ply(m.Before, m.Better[0])
	switch {
	case m.Gain.Mates > 0:
		return Say("review.could-mate", "move", better, "n", m.Gain.Mates)
	case len(m.Gain.Wins) > 0:
		return Say("review.could-win", "move", better, "pieces", nouns(v, m.Gain.Wins))
	case len(m.Loss.Wins) > 0 && !m.Gain.Gives:
		return Say("review.could-keep", "move", better, "pieces", nouns(v, m.Loss.Wins))
	}
	return Say("review.could-hold", "move", better, "before", percent(m.Could))
}

func nouns(v *rules.Variant, pieces []rules.Piece) phrase.List {
	return phrase.And(each(pieces, v.Noun))
}

// ReviewChart shows how the chances of both sides went up and down in an ended game, what decided
// it, and which pieces became more than they were.
func ReviewChart(s *match.GameView, told *computer.Story) *chart.Chart {
	plot := &chart.Chances{
		Title: book.Say("review.chances"), Figure: book.Say("review.height"), First: float64(s.Start.FullMove()) + .5*float64(s.Start.Turn()),
		White: each(told.Scores, computer.Chances), Moments: each(told.TurningPoints, func(m computer.TurningPoint) int { return m.Ply }),
	}
	for _, b := range told.Births {
		plot.Births[b.Side] = append(plot.Births[b.Side], b.Ply+1)
	}
	players := &chart.Figures{}
	for side, name := range s.Names {
		players.Rows = append(players.Rows, chart.Figure{
			Name: book.Say("review.player", "player", name, "side", rules.Color(side)), Figure: fmt.Sprintf("%.0f%%", told.Accuracy[side]),
		})
	}
	picture := &chart.Chart{
		Title: phrase.As(s.Names[0]), And: s.Names[1],
		Note:  book.Say("review.about", "kind", s.Variant.Name, "game", Hash(s.Game.ID), "result", s.Game.Result),
		Parts: []chart.Part{players, plot},
	}
	if facts := births(s, told.Births); len(facts) > 0 {
		picture.Parts = append(picture.Parts, &facts)
	}
	return picture
}

// births are where the first pieces came to be that are more than one, and by which moves.
func births(s *match.GameView, all []computer.Birth) chart.Facts {
	const most = 6
	shown := all
	if len(all) > most {
		shown = all[:most-1]
	}
	facts := each(shown, func(b computer.Birth) phrase.Phrase {
		return book.Say("review.birth", "move", moveAt(s, b.Ply+1, b.Move), "piece", s.Variant.Noun(b.Piece), "square", s.Variant.Shape.Name(b.On))
	})
	if more := len(all) - len(shown); more > 0 {
		facts = append(facts, book.Say("review.births-more", "n", more))
	}
	return facts
}

// Key is the move to remember a game by.
type Key struct {
	Ply    int // counted from 0
	Before *rules.Position
	Move   rules.Move
	Moment *computer.TurningPoint // what a review says of it, nil without one
}

// told is what the move did, and what it cost where that is known.
func (k *Key) told(v *rules.Variant) phrase.Phrase {
	did := v.Describe(k.Before.Effects(k.Move))
	if k.Moment != nil {
		if lost := cost(v, k.Moment); !lost.IsZero() {
			return book.Say("share.cost", "did", did, "cost", lost)
		}
	}
	return did
}

// Share tells what is on the card of a game, in which key may be nil. Nobody is mentioned: they have
// nothing to do about it.
func Share(s *match.GameView, key *Key) Text {
	stands := Say("share.going", "player", s.Names[s.Now.Position.Turn()], "n", s.Now.Position.FullMove())
	if s.Game.Over() {
		stands = Ended(s, 0)
	}
	if key == nil {
		return Lines([]Text{title(s), stands})
	}
	return Lines([]Text{title(s), stands, Say("share.text", "move", Ply(key.Before, key.Move), "told", key.told(s.Variant))})
}

// ShareChart is a game to be passed on: its board, whose bars tell who plays and how it ended, the moment to
// remember it by unless key is nil, drawn as scene, and who has made the picture. Its date is in a time zone.
func ShareChart(s *match.GameView, board, scene diagram.Diagram, key *Key, zone *time.Location) *chart.Chart {
	parts := []chart.Part{&chart.Board{Diagram: board}}
	if key != nil {
		part := &chart.Scene{Diagram: scene, Title: book.Say("share.key"), Move: Ply(key.Before, key.Move), Text: key.told(s.Variant)}
		if m := key.Moment; m != nil {
			part.Figure = book.Say("share.swing", "before", percent(m.Could), "after", percent(m.Became))
		}
		parts = append(parts, part)
	}
	return &chart.Chart{
		Title: phrase.As(s.Variant.Name),
		Note:  book.Say("share.about", "game", Hash(s.Game.ID), "date", chart.Date(s.Game.Changed.In(zone)), "n", (len(s.Game.Moves)+1)/2),
		Parts: append(parts, &chart.Signature{Name: "Chimera", About: book.Say("share.made")}),
	}
}

// GamesChart is games drawn as boards, each with whose turn it is, of all that are in progress, and how many more
// there are; nil if none is drawn. Dates are in a time zone.
func GamesChart(games []match.Item, all int, boards []diagram.Diagram, zone *time.Location) *chart.Chart {
	if len(boards) == 0 {
		return nil
	}
	sheet := &chart.Boards{}
	for i, board := range boards {
		it := &games[i]
		turn := book.Say(Either(it.Mine, "games.sheet-yours", "games.sheet-theirs"))
		small := chart.Small{Diagram: board, Title: phrase.As(Hash(it.Game.ID)), Name: it.Opponent, Kind: phrase.As(it.Variant), Note: turn, Lit: it.Mine}
		if !it.Due.IsZero() {
			due := it.Due.In(zone)
			small.When = book.Say("clock.day", "weekday", int(due.Weekday()), "day", due.Day(), "month", int(due.Month()))
		}
		*sheet = append(*sheet, small)
	}
	picture := &chart.Chart{Title: book.Say("games.sheet"), Note: book.Say("chart.in-progress", "n", all), Parts: []chart.Part{sheet}}
	if more := all - len(boards); more > 0 {
		picture.Parts = append(picture.Parts, &chart.Facts{book.Say("games.more", "n", more)})
	}
	return picture
}
