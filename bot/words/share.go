package words

import (
	"time"

	"chimera/bot/computer"
	"chimera/bot/match"
	"chimera/render/chart"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
)

// Key is the move to remember a game by.
type Key struct {
	Ply    int // counted from 0
	Before *rules.Position
	Move   rules.Move
	Moment *computer.TurningPoint // what a review says of it, nil without one
}

// Share tells what is on the card of a game, in which key may be nil. Nobody is mentioned: they have
// nothing to do about it.
func Share(s *match.GameView, key *Key) Text {
	lines := []Text{title(s), shared(s)}
	if key != nil {
		lines = append(lines, Say("share.text", "move", key.numbered(s), "told", key.told(s)))
	}
	return Lines(lines)
}

// shared is how a game has ended, or stands.
func shared(s *match.GameView) Text {
	if s.Game.Over() {
		return ended(s)
	}
	return Say("share.going", "player", s.Names[s.Now.Position.Turn()], "n", s.Now.Position.FullMove())
}

// ShareChart is a game to be passed on: its board, whose bars tell who plays and how it ended, the moment to
// remember it by unless key is nil, drawn as scene, and who has made the picture. Its date is in a time zone.
func ShareChart(s *match.GameView, board, scene diagram.Diagram, key *Key, zone *time.Location) *chart.Chart {
	picture := &chart.Chart{
		Title: phrase.As(s.Variant.Name),
		Note:  book.Say("share.about", "game", Hash(s.Game.ID), "date", chart.Date(s.Game.Changed.In(zone)), "n", (len(s.Game.Moves)+1)/2),
	}
	picture.Parts = append(picture.Parts, &chart.Board{Diagram: board})
	if key != nil {
		part := &chart.Scene{Diagram: scene, Title: book.Say("share.key"), Move: key.numbered(s), Text: key.told(s)}
		if m := key.Moment; m != nil {
			part.Figure = book.Say("share.swing", "before", percent(m.Could), "after", percent(m.Became))
		}
		picture.Parts = append(picture.Parts, part)
	}
	picture.Parts = append(picture.Parts, &chart.Signature{Name: Name, About: book.Say("share.made")})
	return picture
}

// Name is the bot's.
const Name = "Chimera"

func (k *Key) numbered(s *match.GameView) string {
	return number(s, k.Ply+1) + " " + k.Before.Chat(k.Move)
}

// told is what the move did, and what it cost where that is known.
func (k *Key) told(s *match.GameView) phrase.Phrase {
	did := s.Variant.Describe(k.Before.Effects(k.Move))
	if k.Moment != nil {
		if lost := cost(s.Variant, k.Moment); lost != nil {
			return book.Say("share.cost", "did", did, "cost", lost[0].Phrase)
		}
	}
	return did
}

// Winner is the side that has won a game, false if none has.
func Winner(s *match.GameView) (side rules.Color, ok bool) {
	for _, side := range []rules.Color{rules.White, rules.Black} {
		if s.Game.Result == rules.WinFor(side).String() {
			return side, true
		}
	}
	return rules.White, false
}

// GamesChart is games drawn as boards, each with whose turn it is, of so many in progress, and how many more
// there are; nil if none is drawn. Dates are in a time zone.
func GamesChart(games []match.Item, all int, boards []diagram.Diagram, zone *time.Location) *chart.Chart {
	if len(boards) == 0 {
		return nil
	}
	sheet := &chart.Boards{}
	for i, board := range boards {
		it := &games[i]
		small := chart.Small{Diagram: board, Title: phrase.As(Hash(it.Game.ID)), Name: it.Opponent, Kind: phrase.As(it.Variant), Note: book.Say("games.sheet-theirs"), Lit: it.Mine}
		if it.Mine {
			small.Note = book.Say("games.sheet-yours")
		}
		if !it.Due.IsZero() {
			small.When = day(it.Due.In(zone))
		}
		*sheet = append(*sheet, small)
	}
	picture := &chart.Chart{Title: book.Say("games.sheet"), Note: book.Say("chart.in-progress", "n", all), Parts: []chart.Part{sheet}}
	if more := all - len(boards); more > 0 {
		picture.Parts = append(picture.Parts, &chart.Facts{book.Say("games.more", "n", more)})
	}
	return picture
}
