package words

import (
	"fmt"
	"slices"

	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Board tells game and number, both players, the last move, whose turn it is, the
// time left, and what was offered; or how it ended.
func Board(s *match.GameView) Text {
	var last Text
	if s.Last != "" {
		last = Say("board.last", "move", numbered(s), "did", s.Variant.Describe(s.Effects))
	}
	return joined("\n", title(s), last, standing(s), Offered(s))
}

// Offered is what one player asks of the other.
func Offered(s *match.GameView) Text {
	var told []Text
	for _, o := range match.Open(s) {
		by := storage.Person{ID: o.By}
		if side, plays := s.Game.SideOf(o.By); plays {
			by.Name = s.Names[side]
		}
		if o.What == match.ADraw {
			told = append(told, DrawOffered(s, by))
		} else {
			told = append(told, TakebackAsked(s, by))
		}
	}
	return joined(" ", told...)
}

// standing is how a game stands at a ply.
func standing(s *match.GameView) Text {
	switch {
	case s.Ply != len(s.Game.Moves) && s.Ply == 0:
		return Say("board.start")
	case s.Ply != len(s.Game.Moves):
		return Say("board.past", "move", numbered(s))
	case s.Game.Over():
		return joined(" ", ended(s), ratedWords(s))
	}
	turn := s.Now.Position.Turn()
	mover := []any{"player", playerOf(s, match.SideToMove(s.Now.Position)), "side", turn}
	return joined(" ", alarm(s), Say("board.turn", append(mover, clockParts(&s.Game, s.Due, s.Left, s.Away)...)...),
		frozen(s), warning(s), claimable(s))
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

func frozen(s *match.GameView) Text {
	var names []string
	for sq := range s.Now.Position.Frozen().Squares() {
		names = append(names, s.Variant.Shape.Name(sq))
	}
	if names == nil {
		return nil
	}
	return Say("board.frozen", "n", len(names), "squares", phrase.And(names))
}

func warning(s *match.GameView) Text {
	if w := s.Now.Position.Warning(); !w.IsZero() {
		return Of(w)
	}
	return nil
}

// claimable is the draw that the player to move may claim.
func claimable(s *match.GameView) Text {
	outcome, ok := s.Now.Claim()
	if !ok {
		return nil
	}
	return Say("board.claim-by-"+Kebab(string(outcome.Ending)), "player", s.Names[s.Now.Position.Turn()], "n", s.Now.Repetitions())
}

// title is a single Span.
func title(s *match.GameView) Text {
	return Say("board.title", "kind", s.Variant.Name, "game", Hash(s.Game.ID), "white", s.Names[0], "black", s.Names[1])
}

// Calling is what is said of an ended game, with both players mentioned: whoever did not
// end it hears of that so.
func Calling(s *match.GameView, t Text) Text {
	first := Say("board.title", "kind", s.Variant.Name, "game", Hash(s.Game.ID),
		"white", playerOf(s, storage.White), "black", playerOf(s, storage.Black))
	return append(first, t[len(title(s)):]...)
}

// WithEarlier adds to the words of a board, which begin with the title, the moves before
// the last that were not told yet.
func WithEarlier(s *match.GameView, t Text, moves event.Earlier) Text {
	var told []Span
	for _, m := range moves {
		if m.Ply >= s.Ply {
			break // the board tells it
		}
		told = append(told, bold(number(s, m.Ply)+" "+m.Move))
	}
	if told == nil {
		return t
	}
	head := len(title(s))
	return slices.Concat(t[:head], Of("\n"), Say("board.earlier", "moves", phrase.Commas(told)), t[head:])
}

// numbered is the last move with its number, as scores write it.
func numbered(s *match.GameView) string { return number(s, s.Ply) + " " + s.Last }

// number is that of the move after which so many had been played.
func number(s *match.GameView, ply int) string {
	half := 2*s.Now.Position.FullMove() - (s.Ply - ply)
	if s.Now.Position.Turn() == rules.Black {
		half++
	}
	if half%2 == 0 {
		return fmt.Sprintf("%d…", half/2-1)
	}
	return fmt.Sprintf("%d.", half/2)
}

// ended tells a result.
func ended(s *match.GameView) Text {
	g, ending := &s.Game, Kebab(s.Game.Ending)
	won := func(winner int) Text {
		return Say(known("board.won-by-"+ending, "board.won"), "winner", s.Names[winner], "loser", s.Names[1-winner], "score", g.Result,
			"annihilated", slices.ContainsFunc(s.Effects, func(e rules.Effect) bool { return e.Kind == rules.Annihilated }))
	}
	onTime := g.Ending == string(rules.ByTime)
	switch {
	case g.Result == rules.WhiteWins.String():
		return won(0)
	case g.Result == rules.BlackWins.String():
		return won(1)
	case g.Result == rules.Drawn.String() && onTime:
		return Say("board.drawn-on-time", "player", s.Names[g.Turn], "other", s.Names[1-g.Turn])
	case g.Result == rules.Drawn.String():
		return Say(known("board.drawn-by-"+ending, "board.drawn"))
	case onTime:
		return Say("board.not-begun", "player", s.Names[g.Turn])
	case g.Ending == match.Unfinished:
		return Say("board.unfinished")
	}
	return Say("board.aborted")
}

// known is a key of the book, or another where that is none.
func known(key, other string) string {
	if book.Has(key) {
		return key
	}
	return other
}

func Overtaken(what event.Kind, id storage.GameID, p event.Position, by storage.Person) Text {
	game := Hash(id)
	switch what {
	case event.Moved:
		before := each(p.Earlier, func(m event.Move) Span { return bold(m.Move) })
		return Say("board.overtaken", "game", game, "n", len(before), "earlier", phrase.Commas(before), "player", by.Name,
			"move", p.Move, "planned", bool(p.Planned))
	case event.Began:
		return Say("board.overtaken-start", "game", game)
	default:
		return Say("board.overtaken-takeback", "game", game)
	}
}

func TookBack(plies int) Text { return append(Say("board.took-back", "n", plies), Of("\n")...) }

func AsPlanned(by storage.Person) Text {
	return append(Of(" "), Say("board.as-planned", "player", by.Name)...)
}

func Abandoned(id storage.GameID, players []storage.Person) Text {
	mentions := each(players, func(p storage.Person) Span { return mention(p.ID, p.Name) })
	return Say("board.abandoned", "n", len(players), "players", phrase.And(mentions), "game", Hash(id))
}

// GameAnnulled is said of a game that counts no more: anywhere, or for a server's leaderboards.
func GameAnnulled(s *match.GameView) Text {
	parts := []any{"white", mention(s.Game.Players[0], s.Names[0]), "black", mention(s.Game.Players[1], s.Names[1]), "kind", s.Variant.Name, "game", Hash(s.Game.ID)}
	if s.Game.Annul || s.Game.Void == rating.Annulled {
		return Say("board.annulled", parts...)
	}
	return Say("board.left-out", parts...)
}

// Pick asks for the next choice on the way to a move.
func Pick(s *match.GameView, piece, target rules.Square) Text {
	if piece == rules.NoSquare {
		return Say("board.pick-piece", "game", Hash(s.Game.ID))
	}
	return pickTo(s.Variant.Shape, piece, target)
}

func pickTo(shape *rules.Shape, piece, target rules.Square) Text {
	if target == rules.NoSquare {
		return Say("board.pick-target", "from", shape.Name(piece))
	}
	return Say("board.pick-move", "from", shape.Name(piece), "to", shape.Name(target))
}

func Preview(pos *rules.Position, m rules.Move) Text {
	return Say("board.preview", "move", pos.Chat(m), "did", pos.Variant().Describe(pos.Effects(m)))
}
