package words

import (
	"time"

	"chimera/bot/match"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Players is what boards of a game say of its players, in no language yet.
type Players struct {
	names   [2]string
	ratings [2]string
	turn    rules.Color
	due     time.Time // when the time of the player to move is up; zero where that is not told
	result  phrase.Phrase
}

// PlayersOf is what boards at the ply of a GameView say.
func PlayersOf(s *match.GameView) *Players {
	p := &Players{names: s.Names, turn: s.Now.Position.Turn()}
	for side, figure := range s.Ratings {
		if figure.Value != 0 {
			p.ratings[side] = rounded(figure.Value)
		}
		if figure.Unsure {
			p.ratings[side] += "?"
		}
	}
	switch {
	case s.Ply != len(s.Game.Moves):
	case s.Game.Over():
		p.result = resultWords(&s.Game)
	case !s.Game.Clock.Up:
		p.due = s.Due
	}
	return p
}

// Timeless is p for boards of positions that are past: without the time until which there is to be
// a move.
func (p Players) Timeless() *Players {
	p.due = time.Time{}
	return &p
}

// Write puts into the bars of a diagram, if it has some, who plays, until when there is to be
// a move in the position that p is about, and how a game has ended: in a language, with moments
// in the time zone of an IANA name, "" for UTC.
func (p *Players) Write(d *diagram.Diagram, l phrase.Language, zone string) {
	if d.Bars == nil {
		return
	}
	for side := range d.Bars.Sides {
		b := &d.Bars.Sides[side]
		b.Name, b.Rating, b.When = p.names[side], p.ratings[side], ""
		if b.Name == storage.Nobody {
			b.Name = phrase.Common().Say("somebody").Text(l)
		}
	}
	if d.Over {
		d.Bars.Result = p.result.Text(l)
		return
	}
	if at, err := time.LoadLocation(zone); err == nil && !p.due.IsZero() && p.turn == d.Turn {
		d.Bars.Sides[d.Turn].When = date(p.due.In(at)).Text(l)
	}
}

// resultWords are a result and what ended the game, as short as can be.
func resultWords(g *storage.Game) phrase.Phrase {
	score := map[string]string{rules.WhiteWins.String(): "1–0", rules.BlackWins.String(): "0–1", rules.Drawn.String(): "½–½"}[g.Result]
	ended := book.Say(known("bars.ended-by-"+Kebab(g.Ending), "bars.ended"))
	if score == "" {
		return ended
	}
	return book.Say("bars.result", "score", score, "how", ended)
}
