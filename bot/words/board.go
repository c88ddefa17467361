package words

import (
	"fmt"
	"slices"
	"time"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Board tells game and number, both players, the last move, whose turn it is, the
// time left, and what was offered; or how it ended: to one person who alone sees it, or to several for 0.
func Board(s *match.GameView, alone storage.PersonID) Text {
	var last Text
	if s.Last != "" {
		last = Say("board.last", "move", numbered(s), "did", s.Variant.Describe(s.Effects))
	}
	return Join("\n", title(s), last, standing(s, alone), Offered(s))
}

// title names a game and its players in one Span.
func title(s *match.GameView) Text { return titleWith(s, s.Names[0], s.Names[1]) }

func titleWith(s *match.GameView, white, black any) Text {
	return Say("board.title", "kind", s.Variant.Name, "game", Hash(s.Game.ID), "white", white, "black", black)
}

// Calling is the text of a board on which a game has ended, with both players mentioned: that is how
// the one who did not end it hears of that.
func Calling(s *match.GameView, board Text) Text {
	return append(titleWith(s, playerOf(s, storage.White), playerOf(s, storage.Black)), board[1:]...)
}

// WithEarlier adds to the text of a board the moves before the last that were not told yet.
func WithEarlier(s *match.GameView, board Text, moves event.Earlier) Text {
	var told []Span
	for _, m := range moves {
		if m.Ply >= s.Ply {
			break // the board tells it
		}
		told = append(told, bold(moveAt(s, m.Ply, m.Move)))
	}
	if told == nil {
		return board
	}
	return Of(board[:1], "\n", Say("board.earlier", "moves", phrase.Commas(told)), board[1:])
}

// Offered is what one player asks of the other.
func Offered(s *match.GameView) Text {
	return Join(" ", each(match.Open(s), func(o match.OpenOffer) Text {
		by := storage.Person{ID: o.By}
		if side, plays := s.Game.SideOf(o.By); plays {
			by.Name = s.Names[side]
		}
		return Offer(s, o.What, by)
	})...)
}

// Offer is what somebody asks of their opponent.
func Offer(s *match.GameView, what match.Offered, by storage.Person) Text {
	return Say(Either(what == match.ADraw, "offer.draw-offered", "offer.takeback-asked"), "player", by.Name, "opponent", OpponentOf(s, by), "game", s.Game.ID)
}

// OpponentOf mentions who plays against a person in a game; a noun where that cannot be told.
func OpponentOf(s *match.GameView, p storage.Person) any {
	side, ok := s.Game.SideOf(p.ID)
	if !ok {
		return book.Say("offer.other-player")
	}
	return playerOf(s, 1-side)
}

// playerOf is a player of a game who is told that it is about them. The computer needs no telling.
func playerOf(s *match.GameView, side storage.Side) Span {
	if s.Game.Levels[side] != 0 {
		return Span{Words: s.Names[side]}
	}
	return Mention(s.Game.Players[side], s.Names[side])
}

// standing is how a game stands at a ply.
func standing(s *match.GameView, alone storage.PersonID) Text {
	pos := s.Now.Position
	switch {
	case s.Ply != len(s.Game.Moves) && s.Ply == 0:
		return Say("board.start")
	case s.Ply != len(s.Game.Moves):
		return Say("board.past", "move", numbered(s))
	case s.Game.Over():
		return Join(" ", Ended(s, alone), ratedWords(s))
	}
	turn := append([]any{"player", playerOf(s, match.SideToMove(pos)), "side", pos.Turn(), "you", alone != 0 && match.ToMove(&s.Game) == alone}, clockParts(&s.Game, s.Due, s.Left, s.Away)...)
	var frozen, claim Text
	if squares := slices.Collect(pos.Frozen().Squares()); squares != nil {
		frozen = Say("board.frozen", "n", len(squares), "squares", phrase.And(each(squares, s.Variant.Shape.Name)))
	}
	if outcome, ok := s.Now.Claim(); ok {
		claim = Say("board.claim-by-"+Kebab(string(outcome.Ending)), "player", s.Names[pos.Turn()], "n", s.Now.Repetitions())
	}
	return Join(" ", alarm(s), Say("board.turn", turn...), frozen, Of(pos.Warning()), claim)
}

// alarm is what the side to move must know of either king.
func alarm(s *match.GameView) Text {
	pos := s.Now.Position
	switch {
	case pos.TakesKing():
		return Say("board.king-hangs", "player", s.Names[pos.Turn().Other()])
	case pos.Status() == rules.Mated:
		return Say("board.mated", "player", s.Names[pos.Turn()])
	case pos.Checked() != 0:
		return Say("board.check")
	}
	return nil
}

// numbered is the last move with its number.
func numbered(s *match.GameView) string { return moveAt(s, s.Ply, s.Last) }

// moveAt is a move with its number, as scores write it; ply is how many had been played with it.
func moveAt(s *match.GameView, ply int, move string) string {
	half := 2*s.Now.Position.FullMove() - (s.Ply - ply)
	if s.Now.Position.Turn() == rules.Black {
		half++
	}
	if half%2 == 0 {
		return fmt.Sprintf("%d… %s", half/2-1, move)
	}
	return fmt.Sprintf("%d. %s", half/2, move)
}

// Winner is the side that has won a game, false if none has.
func Winner(s *match.GameView) (side rules.Color, won bool) {
	if s.Game.Result == rules.BlackWins.String() {
		side = rules.Black
	}
	return side, s.Game.Result == rules.WinFor(side).String()
}

// Ended tells a result, to one person alone or to several for 0.
func Ended(s *match.GameView, alone storage.PersonID) Text {
	g, ending := &s.Game, Kebab(s.Game.Ending)
	drawn, onTime := g.Result == rules.Drawn.String(), g.Ending == string(rules.ByTime)
	winner, won := Winner(s)
	switch {
	case won:
		annihilated := slices.ContainsFunc(s.Effects, func(e rules.Effect) bool { return e.Kind == rules.Annihilated })
		you := alone != 0 && s.Game.Players[winner] == alone
		return Say(known("board.won-by-"+ending, "board.won"), "you", you, "winner", s.Names[winner], "loser", s.Names[winner.Other()], "score", g.Result, "annihilated", annihilated)
	case drawn && onTime:
		return Say("board.drawn-on-time", "player", s.Names[g.Turn], "other", s.Names[1-g.Turn])
	case drawn:
		return Say(known("board.drawn-by-"+ending, "board.drawn"))
	case onTime:
		return Say("board.not-begun", "player", s.Names[g.Turn])
	}
	return Say(Either(g.Ending == match.Unfinished, "board.unfinished", "board.aborted"))
}

// ratedWords tells what a game has done to both ratings, or why a rated one has done
// nothing.
func ratedWords(s *match.GameView) Text {
	switch {
	case annulled(&s.Game):
		return Say("board.unrated-annulled")
	case s.Game.Void == rating.TooShort:
		return Say("board.unrated-short", "n", rating.MinPlies/2)
	case s.Game.Void == rating.TooMany:
		return Say("board.unrated-many", "n", rating.MaxPairs)
	case !s.Game.Counted:
		return nil
	}
	var changes []phrase.Phrase
	first := false
	for side, change := range s.Game.Ratings {
		unsure := rating.Unsure(s.Game.Spreads[side])
		first = first || unsure && rating.Fresh(change[0]) // nobody has told this player yet what that means
		changes = append(changes, book.Say("board.rating-change", "player", s.Names[side], "before", rounded(change[0], false), "after", rounded(change[1], unsure)))
	}
	return Say("board.ratings", "changes", phrase.Commas(changes), "new", first)
}

func annulled(g *storage.Game) bool { return g.Annul || g.Void == rating.Annulled }

// rounded is a rating in whole points, with a sign where that is unsure.
func rounded(rating float64, unsure bool) string {
	return fmt.Sprintf("%.0f", rating) + Either(unsure, "?", "")
}

// Overtaken tells what another move has overtaken before it could be told.
func Overtaken(what event.Kind, id storage.GameID, p event.Position, by storage.Person) Text {
	before := each(p.Earlier, func(m event.Move) Span { return bold(m.Move) })
	return Say(Either(what == event.Moved, "board.overtaken", Either(what == event.Began, "board.overtaken-start", "board.overtaken-takeback")),
		"game", Hash(id), "n", len(before), "earlier", phrase.Commas(before), "player", by.Name, "move", p.Move, "planned", bool(p.Planned))
}

// GameAnnulled is said of a game that counts no more: anywhere, or for a server's leaderboards.
func GameAnnulled(s *match.GameView) Text {
	return Say(Either(annulled(&s.Game), "board.annulled", "board.left-out"), "kind", s.Variant.Name, "game", Hash(s.Game.ID),
		"white", Mention(s.Game.Players[0], s.Names[0]), "black", Mention(s.Game.Players[1], s.Names[1]))
}

// Pick asks for the next choice on the way to a move, the first of which is a piece.
func Pick(shape *rules.Shape, piece, target rules.Square, first Text) Text {
	switch {
	case piece == rules.NoSquare:
		return first
	case target == rules.NoSquare:
		return Say("board.pick-target", "from", shape.Name(piece))
	}
	return Say("board.pick-move", "from", shape.Name(piece), "to", shape.Name(target))
}

// Players is what boards of a game say of its players, in no language yet.
type Players struct {
	names   [2]string
	ratings [2]string
	faces   [2]string // of the computer
	turn    rules.Color
	due     time.Time // when the time of the player to move is up; zero where that is not told
	result  phrase.Phrase
}

// PlayersOf is what boards at the ply of a GameView say.
func PlayersOf(s *match.GameView) *Players {
	p := &Players{names: s.Names, turn: s.Now.Position.Turn()}
	for side, figure := range s.Ratings {
		if figure.Value != 0 {
			p.ratings[side] = rounded(figure.Value, figure.Unsure)
		}
	}
	if side, level := s.Game.Computer(); level != 0 {
		p.faces[side] = s.Game.Face
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
		b.Name, b.Rating, b.Face, b.When = nameIn(p.names[side], l), p.ratings[side], p.faces[side], ""
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
	ended := book.Say(known("bars.ended-by-"+Kebab(g.Ending), "bars.ended"))
	score := map[string]string{rules.WhiteWins.String(): "1–0", rules.BlackWins.String(): "0–1", rules.Drawn.String(): "½–½"}[g.Result]
	if score == "" {
		return ended
	}
	return book.Say("bars.result", "score", score, "how", ended)
}
