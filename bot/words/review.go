package words

import (
	"fmt"
	"strings"

	"chimera/bot/archive"
	"chimera/bot/computer"
	"chimera/bot/match"
	"chimera/render/chart"
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
	for i := range told.TurningPoints {
		m := &told.TurningPoints[i]
		lines = append(lines, Say("review.moment", "move", MomentLabel(s, m), "player", s.Names[m.Before.Turn()], "before", percent(m.Could), "after", percent(m.Became)))
	}
	return Lines(lines)
}

// MomentLabel is a move that decided a game, with its number, as a button has it.
func MomentLabel(s *match.GameView, m *computer.TurningPoint) string {
	return number(s, m.Ply+1) + " " + m.Before.Chat(m.Played)
}

// Moment tells of one of the moves that decided a game, counted from 0, and what was better.
func Moment(s *match.GameView, told *computer.Story, n int) Text {
	m := &told.TurningPoints[n]
	title := Say("review.at", "kind", s.Variant.Name, "game", Hash(s.Game.ID), "n", n+1, "all", len(told.TurningPoints), "move", MomentLabel(s, m),
		"player", s.Names[m.Before.Turn()], "before", percent(m.Could), "after", percent(m.Became))
	lines := []Text{title, joined(" ", cost(s.Variant, m), could(s, m)), Of(s.Variant.Describe(m.Before.Effects(m.Better[0])))}
	if len(m.Better) > 1 {
		lines = append(lines, Say("review.line", "line", lineOf(m.Before, m.Better)))
	}
	return Lines(lines)
}

// cost is what a move cost at once; nothing if that cannot be said in a word.
func cost(v *rules.Variant, m *computer.TurningPoint) Text {
	switch {
	case m.Loss.Mates > 0:
		return Say("review.lost-mate", "n", m.Loss.Mates)
	case len(m.Loss.Wins) > 0:
		return Say("review.lost-pieces", "pieces", nouns(v, m.Loss.Wins))
	}
	return nil
}

// could is what another move would have come to.
func could(s *match.GameView, m *computer.TurningPoint) Text {
	better := number(s, m.Ply+1) + " " + m.Before.Chat(m.Better[0])
	switch {
	case m.Gain.Mates > 0:
		return Say("review.could-mate", "move", better, "n", m.Gain.Mates)
	case len(m.Gain.Wins) > 0:
		return Say("review.could-win", "move", better, "pieces", nouns(s.Variant, m.Gain.Wins))
	case len(m.Loss.Wins) > 0 && !m.Gain.Gives:
		return Say("review.could-keep", "move", better, "pieces", nouns(s.Variant, m.Loss.Wins))
	}
	return Say("review.could-hold", "move", better, "before", percent(m.Could))
}

func nouns(v *rules.Variant, pieces []rules.Piece) phrase.List {
	return phrase.And(each(pieces, v.Noun))
}

// lineOf is a line of moves with their numbers.
func lineOf(pos *rules.Position, line []rules.Move) string {
	var score []string
	for now := pos; len(score) < len(line); {
		m := line[len(score)]
		score = append(score, now.Chat(m))
		next, err := now.Play(m)
		if err != nil {
			break
		}
		now = next
	}
	return strings.TrimSpace(archive.Numbered(pos, score, ""))
}

// ReviewChart shows how the chances of both sides went up and down in an ended game, what decided
// it, and which pieces became more than they were.
func ReviewChart(s *match.GameView, told *computer.Story) *chart.Chart {
	first := s.Start
	plot := &chart.Chances{
		Title: book.Say("review.chances"), Figure: book.Say("review.height"), First: float64(first.FullMove()),
		White: each(told.Scores, computer.Chances), Moments: each(told.TurningPoints, func(m computer.TurningPoint) int { return m.Ply }),
	}
	if first.Turn() == rules.Black {
		plot.First += .5
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
	if facts := births(s, told); len(facts) > 0 {
		picture.Parts = append(picture.Parts, &facts)
	}
	return picture
}

// births are where the first pieces came to be that are more than one, and by which moves.
func births(s *match.GameView, told *computer.Story) (facts chart.Facts) {
	const most = 6
	all := told.Births
	if len(all) > most {
		all = all[:most-1]
	}
	for _, b := range all {
		facts = append(facts, book.Say("review.birth", "move", number(s, b.Ply+1)+" "+b.Move, "piece", s.Variant.Noun(b.Piece), "square", s.Variant.Shape.Name(b.On)))
	}
	if more := len(told.Births) - len(all); more > 0 {
		facts = append(facts, book.Say("review.births-more", "n", more))
	}
	return facts
}
