package words

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chimera/bot/archive"
	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/render/chart"
	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Board tells a game's kind and number, both players, the last move, whose turn it is, the
// time left, and what was offered; or how it ended. alone is the only person who sees it, 0 if there are several.
func Board(s *match.GameView, alone storage.PersonID) Text {
	return Join("\n", title(s), lastMove(s), standing(s, alone), Offered(s))
}

// lastMove tells the last move and what it did, if there is one.
func lastMove(s *match.GameView) Text {
	return If(s.Last != "", Say("board.last", "move", numbered(s), "did", s.Variant.Describe(s.Effects))...)
}

// title names a game and its players in one Span.
func title(s *match.GameView) Text { return titleWith(s, s.Names[0], s.Names[1]) }

func titleWith(s *match.GameView, white, black any) Text {
	return Say("board.title", "kind", s.Variant.Title(), "game", Hash(s.Game.ID), "white", white, "black", black)
}

// Ending tells first how a game has ended, then what [Board] tells, and the moves before the last that were not told yet.
// Both players are mentioned, so that the one who did not end it is notified.
func Ending(s *match.GameView, alone storage.PersonID, untold event.Earlier) Text {
	title := titleWith(s, playerOf(s, storage.White), playerOf(s, storage.Black))
	return Join("\n", standing(s, alone), WithEarlier(s, title, untold), lastMove(s))
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

// Offered tells what the players ask of each other.
func Offered(s *match.GameView) Text {
	return Join(" ", phrase.Each(match.Open(s), func(o match.OpenOffer) Text {
		by := storage.Person{ID: o.By}
		if side, plays := s.Game.SideOf(o.By); plays {
			by.Name = s.Names[side]
		}
		return Offer(s, o.What, by)
	})...)
}

// Offer tells what somebody asks of their opponent.
func Offer(s *match.GameView, what match.Offered, by storage.Person) Text {
	return Say(Either(what == match.ADraw, "offer.draw-offered", "offer.takeback-asked"), "player", by.Name, "opponent", OpponentOf(s, by), "game", s.Game.ID)
}

// OpponentOf mentions a person's opponent in a game; it is a noun if they do not play it.
func OpponentOf(s *match.GameView, p storage.Person) any {
	side, ok := s.Game.SideOf(p.ID)
	return Either[any](ok, playerOf(s, 1-side), book.Say("offer.other-player"))
}

// playerOf mentions a player of a game, but only names the computer.
func playerOf(s *match.GameView, side storage.Side) Span {
	return Mention(Either(s.Game.Levels[side] != 0, 0, s.Game.Players[side]), s.Names[side])
}

// standing tells how a game stands at the ply of a GameView.
func standing(s *match.GameView, alone storage.PersonID) Text {
	pos := s.Now.Position
	switch {
	case s.Ply != len(s.Game.Moves) && s.Ply == 0:
		return Say("board.start")
	case s.Ply != len(s.Game.Moves):
		return Say("board.past", "move", numbered(s))
	case s.Game.Over():
		return Join(" ", Ended(s, alone), If(pos.Status() == rules.Checkmate, Of(pos.Warning())...), ratedWords(s))
	}
	turn := append([]any{"player", playerOf(s, match.SideToMove(pos)), "side", pos.Turn(), "you", isAlone(s, match.ToMove(&s.Game), alone)}, clockParts(&s.Game, s.Due, s.Left, s.Away)...)
	squares := slices.Collect(pos.Frozen().Squares())
	frozen := If(squares != nil, Say("board.frozen", "n", len(squares), "squares", phrase.And(phrase.Each(squares, s.Variant.Shape.Name)))...)
	var claim Text
	if outcome, ok := s.Now.Claim(); ok {
		claim = Say("board.claim-by-"+Kebab(string(outcome.Ending)), "player", s.Names[pos.Turn()], "n", s.Now.Repetitions())
	}
	return Join(" ", Alarm(s, alone), Say("board.turn", turn...), frozen, Of(pos.Warning()), claim)
}

// isAlone reports whether a player is the only one who is told something. Players with names just for this game share
// a screen.
func isAlone(s *match.GameView, player, alone storage.PersonID) bool {
	return alone != 0 && player == alone && s.Game.Called == [2]string{}
}

// Alarm tells of a king that is in check, mated or open to capture; nil if there is none. alone is the only person who
// sees it, 0 if there are several.
func Alarm(s *match.GameView, alone storage.PersonID) Text {
	switch pos := s.Now.Position; {
	case pos.TakesKing():
		return Say("board.king-hangs", "player", s.Names[pos.Turn().Other()], "you", isAlone(s, s.Game.Players[pos.Turn().Other()], alone))
	case pos.Status() == rules.Mated:
		return Say("board.mated", "player", s.Names[pos.Turn()], "you", isAlone(s, s.Game.Players[pos.Turn()], alone))
	case pos.Checked() != 0:
		return Say("board.check")
	}
	return nil
}

// numbered is the last move with its number.
func numbered(s *match.GameView) string { return moveAt(s, s.Ply, s.Last) }

// moveAt is a move with its number, as scores write it; ply counts the moves up to and including it.
func moveAt(s *match.GameView, ply int, move string) string {
	half := 2*s.Now.Position.FullMove() - (s.Ply - ply)
	if s.Now.Position.Turn() == rules.Black {
		half++
	}
	return Either(half%2 == 0, fmt.Sprintf("%d… %s", half/2-1, move), fmt.Sprintf("%d. %s", half/2, move))
}

// Winner is the side that has won a game, false if none has.
func Winner(s *match.GameView) (side rules.Color, won bool) {
	if s.Game.Result == rules.BlackWins.String() {
		side = rules.Black
	}
	return side, s.Game.Result == rules.WinFor(side).String()
}

// Ended tells a result. alone is the only person who sees it, 0 if there are several.
func Ended(s *match.GameView, alone storage.PersonID) Text {
	g, ending := &s.Game, Kebab(s.Game.Ending)
	drawn, onTime := g.Result == rules.Drawn.String(), g.Ending == string(rules.ByTime)
	switch winner, won := Winner(s); {
	case won:
		annihilated := slices.ContainsFunc(s.Effects, func(e rules.Effect) bool { return e.Kind == rules.Annihilated })
		you := isAlone(s, s.Game.Players[winner], alone)
		return Say(known("board.won-by-"+ending, "board.won"), "you", you, "winner", s.Names[winner], "loser", s.Names[winner.Other()], "yours", isAlone(s, s.Game.Players[winner.Other()], alone), "score", g.Result, "annihilated", annihilated)
	case drawn && onTime:
		return Say("board.drawn-on-time", "player", s.Names[g.Turn], "other", s.Names[1-g.Turn])
	case drawn:
		return Say(known("board.drawn-by-"+ending, "board.drawn"))
	case onTime:
		return Say("board.not-begun", "player", s.Names[g.Turn])
	}
	return Say(Either(g.Ending == match.Unfinished, "board.unfinished", "board.aborted"))
}

// ratedWords tells how a game changed both ratings, or why a rated one did not.
func ratedWords(s *match.GameView) Text {
	computer, level := s.Game.Computer()
	switch winner, won := Winner(s); {
	case won && s.Game.Helped && int(winner) != computer:
		return Say("computer.helped", "level", max(level, 0))
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

// rounded is a rating in whole points, with a question mark if it is unsure.
func rounded(rating float64, unsure bool) string {
	return fmt.Sprintf("%.0f", rating) + Either(unsure, "?", "")
}

// Overtaken tells of an event, and of the move that followed before the event could be told.
func Overtaken(what event.Kind, id storage.GameID, p event.Position, by storage.Person) Text {
	before := phrase.Each(p.Earlier, func(m event.Move) Span { return bold(m.Move) })
	return Say(Either(what == event.Moved, "board.overtaken", Either(what == event.Began, "board.overtaken-start", "board.overtaken-takeback")),
		"game", Hash(id), "n", len(before), "earlier", phrase.Commas(before), "player", by.Name, "move", p.Move, "planned", bool(p.Planned))
}

// GameAnnulled tells that a game no longer counts, either anywhere or for a server's leaderboards.
func GameAnnulled(s *match.GameView) Text {
	return Say(Either(annulled(&s.Game), "board.annulled", "board.left-out"), "kind", s.Variant.Title(), "game", Hash(s.Game.ID),
		"white", Mention(s.Game.Players[0], s.Names[0]), "black", Mention(s.Game.Players[1], s.Names[1]))
}

// Pick asks for a move's next choice: its piece, in the words of first; its target; or one of several moves.
func Pick(shape *rules.Shape, piece, target rules.Square, first Text) Text {
	switch {
	case piece == rules.NoSquare:
		return first
	case target == rules.NoSquare:
		return Say("board.pick-target", "from", shape.Name(piece))
	}
	return Say("board.pick-move", "from", shape.Name(piece), "to", shape.Name(target))
}

// WriteBars fills in the bars of a diagram, if it has any: who plays a game, when a move is due
// in the position at the ply of a GameView, and how the game ended. It writes in a language, with moments
// in the time zone of an IANA name, "" for UTC.
func WriteBars(d *diagram.Diagram, s *match.GameView, l phrase.Language, zone string) {
	if d.Bars == nil {
		return
	}
	for side, figure := range s.Ratings {
		b := &d.Bars.Sides[side]
		b.Name, b.Rating, b.Face, b.When = nameIn(s.Names[side], l), "", "", ""
		if figure.Value != 0 {
			b.Rating = rounded(figure.Value, figure.Unsure)
		}
		if s.Game.Levels[side] != 0 {
			b.Face = s.Game.Face
		}
	}
	at, err := time.LoadLocation(zone)
	if d.Over {
		d.Bars.Result = ResultWords(&s.Game).Text(l)
	} else if err == nil && s.Ply == len(s.Game.Moves) && !s.Game.Clock.Up && !s.Due.IsZero() && s.Now.Position.Turn() == d.Turn {
		d.Bars.Sides[d.Turn].When = date(s.Due.In(at)).Text(l)
	}
}

// ResultWords tells a result and what ended the game, as briefly as possible.
func ResultWords(g *storage.Game) phrase.Phrase {
	ended := book.Say(known("bars.ended-by-"+Kebab(g.Ending), "bars.ended"))
	score := map[string]string{rules.WhiteWins.String(): "1–0", rules.BlackWins.String(): "0–1", rules.Drawn.String(): "½–½"}[g.Result]
	return Either(score == "", ended, book.Say("bars.result", "score", score, "how", ended))
}

// WhichSo answers words such as "merge a1 b1" that fit no legal move, or several.
func WhichSo(words string, texts []string) Text {
	const most = 12
	first := texts[:min(len(texts), most)]
	return Say(Either(len(texts) == 0, "show.no-such-move", "show.which-move"), "words", Clip(words),
		"n", len(texts), "moves", strings.Join(first, " "), "more", len(texts) > most)
}

// MovesOf are legal moves of one kind of piece.
type MovesOf struct {
	Piece rules.Piece
	Texts []string
}

// Moves lists the legal moves of the piece on a square, or of all for rules.NoSquare, grouped by
// piece if there are many.
func Moves(s *match.GameView, from rules.Square, all []MovesOf) Text {
	const many = 12
	square := Either(from == rules.NoSquare, "all", s.Variant.Shape.Name(from))
	texts := slices.Concat(phrase.Each(all, func(of MovesOf) []string { return of.Texts })...)
	var moves any = code(strings.Join(texts, " "))
	if len(texts) > many && len(all) > 1 {
		moves = phrase.Lines(phrase.Each(all, func(of MovesOf) phrase.Phrase {
			return book.Say("show.moves-of", "piece", Lettered(s.Variant, of.Piece), "moves", strings.Join(of.Texts, " "))
		}))
	}
	return Say(Either(len(texts) == 0, "show.no-moves", "show.moves"), "n", len(texts), "from", square, "side", s.Now.Position.Turn(), "game", Hash(s.Game.ID), "moves", moves)
}

// Score lists the moves of a game, below its players, its date in a time zone, and how it ended.
func Score(s *match.GameView, start *rules.Position, score []string, zone *time.Location) Text {
	if len(score) == 0 {
		return Replay(s)
	}
	about := Say("share.about", "game", Hash(s.Game.ID), "date", chart.Date(s.Game.Changed.In(zone)), "n", (len(score)+1)/2)
	all := append([]Text{title(s), about}, If(s.Game.Over(), Ended(s, 0))...)
	if _, level := s.Game.Computer(); level != 0 {
		all = append(all, Say("computer.strength", "level", max(level, 0), "player", book.Say("computer.players", "level", max(level, 0))))
	}
	return Lines(append(all, Of(code(archive.Numbered(start, score, s.Game.Result)))))
}

// Replay tells how many moves a replayed game has.
func Replay(s *match.GameView) Text {
	return Of(title(s), "\n", Say(Either(len(s.Game.Moves) == 0, "show.no-moves-yet", "show.replay"), "n", (len(s.Game.Moves)+1)/2))
}

// Ply is a move with its number, as in a score.
func Ply(before *rules.Position, m rules.Move) string {
	return fmt.Sprint(before.FullMove(), Either(before.Turn() == rules.White, ". ", "… "), before.Chat(m))
}

// HowSquare tells of the piece on a square, and lists its legal moves.
func HowSquare(s *match.GameView, sq rules.Square, texts []string) Text {
	how := s.Now.Position.How(sq)
	switch {
	case how.IsZero():
		return Say("show.empty-square", "square", s.Variant.Shape.Name(sq))
	case len(texts) == 0, s.Game.Over():
		return Of(how)
	}
	const most = 16 // the board marks where it can go
	first := texts[:min(len(texts), most)]
	return Of(how, "\n", Say("show.legal-now", "moves", strings.Join(first, " "), "more", len(texts)-len(first)))
}

// NoSuchPiece says that a word names no piece of some games; for a single game, it lists the first of its pieces.
func NoSuchPiece(all []*rules.Variant, piece string) Text {
	if len(all) > 1 {
		return Say("show.no-piece", "piece", Clip(piece))
	}
	const most = 12
	named := slices.DeleteFunc(slices.Clone(all[0].Table[rules.NoRole+1:]), func(info rules.RoleInfo) bool { return info.Name == info.Code })
	first := phrase.Each(named[:min(len(named), most)], func(info rules.RoleInfo) phrase.Phrase {
		return book.Say("show.lettered", "piece", info.Noun, "letters", info.Code)
	})
	return Say("show.no-piece-in", "piece", Clip(piece), "kind", all[0].Title(), "pieces", phrase.Commas(first), "more", len(named) > most)
}

// ListRules asks which game's rules are wanted.
func ListRules(all []*rules.Variant) Text {
	games := phrase.Each(all, func(v *rules.Variant) Text {
		return Say("show.kind", "name", v.Title(), "key", v.Key, "about", v.About)
	})
	return Say("show.kinds", "kinds", phrase.Lines(games), "key", all[0].Key)
}

// NoVariant says that a word names no kind of game; likely are the keys of those that it may mean.
func NoVariant(command, word string, likely []string, all []*rules.Variant) Text {
	rules := phrase.Each(likely, func(key string) Span { return code(command + " " + key) })
	return Say(Either(len(likely) == 0, "show.no-kind", "show.no-kind-but"), "word", Clip(word), "rules", phrase.Or(rules), "kinds", Keys(all))
}

// Plan lists conditional moves; seen says that others could read how they were set.
func Plan(id storage.GameID, lines [][]string, seen bool) Text {
	var all []phrase.List
	for _, line := range lines {
		var pairs []phrase.Phrase
		for i := 0; i+1 < len(line); i += 2 {
			pairs = append(pairs, book.Say("clock.plan-pair", "move", line[i], "answer", line[i+1]))
		}
		all = append(all, phrase.Commas(pairs))
	}
	return Say(Either(len(lines) == 0, "clock.no-plan", "clock.plan"), "game", Hash(id), "seen", seen, "lines", phrase.Lines(all))
}

// TryFault says why a move of a side cannot be tried in a game that has ended.
func TryFault(side rules.Color, why error) Text {
	if illegal, ok := errors.AsType[*rules.Illegal](why); ok && illegal.Reason != rules.NotYours {
		if len(illegal.Asked()) > 0 || len(illegal.Nearest) == 0 {
			return Of(illegal.Phrase())
		}
		return Of(rules.Book().Say("refused.nearest", "sentence", illegal.Sentence, "moves", phrase.Commas(phrase.Each(illegal.Nearest, same))))
	}
	return Say("clock.try-impossible", "side", side)
}

// PlanFault says why conditional moves were not stored.
func PlanFault(f *match.PlanFault) Text {
	var illegal *rules.Illegal
	switch {
	case errors.As(f.Why, &illegal) && f.Theirs && !saysHow(illegal.Reason):
		return Say("clock.plan-impossible", "text", Clip(f.Text), "n", len(illegal.Nearest), "moves", phrase.Or(illegal.Nearest))
	case errors.As(f.Why, &illegal):
		return Say("clock.plan-illegal", "text", Clip(f.Text), "why", illegal.Phrase())
	case errors.Is(f.Why, match.ErrPlanLong):
		return Say("clock.plan-long", "lines", limit.PlanLines, "pairs", limit.PlanDepth)
	case errors.Is(f.Why, match.ErrPlanConflict):
		return Say("clock.plan-conflict", "text", Clip(f.Text))
	}
	return Say(Either(f.Text == "", "clock.plan-how", "clock.plan-unreadable"), "text", Clip(f.Text))
}

// saysHow reports whether a reason is about how a move is written, and does not address the player who moves.
func saysHow(r rules.Reason) bool {
	return slices.Contains([]rules.Reason{
		rules.Unreadable, rules.Ambiguous, rules.OffBoard, rules.NoPromotion, rules.Miswritten, rules.MissingCapture, rules.GameOver,
	}, r)
}

// GameList is a person's games in progress, open challenges and ended games, as Me sees them.
type GameList struct {
	Whose         storage.Person
	Me            storage.PersonID
	Playing       []match.Item
	All           int // how many they play
	Made, Pending []storage.Challenge
	Ended         []*match.GameView
	Names         map[storage.PersonID]string
	Variant       func(key string) *rules.Variant
}

// Games tells all of a list.
func Games(list *GameList) Text {
	own := list.Whose.ID == list.Me
	if list.All+len(list.Made)+len(list.Pending)+len(list.Ended) == 0 {
		return Say(Either(own, "games.none", "games.none-of"), "player", list.Whose.Name)
	}
	lines := phrase.Each(list.Playing, func(it match.Item) Text { return list.Game(&it) })
	if more := list.All - len(list.Playing); more > 0 {
		lines = append(lines, Say("games.more", "n", more))
	}
	lines = append(lines, phrase.Each(list.Pending, list.Challenge)...)
	for _, c := range list.Made {
		lines = append(lines, list.Challenge(c))
		lines = append(lines, If(c.Lonely && c.To == 0 && !c.Waits && own, Say("games.lonely"))...)
	}
	return Lines(append(lines, phrase.Each(list.Ended, list.End)...))
}

// Game tells of a game in progress in one line.
func (list *GameList) Game(it *match.Item) Text {
	return itemWords(it, list.Whose, list.Me, Of(it.Opponent))
}

// Challenge tells of a challenge by or to the person in one line; if its kind of game is no longer played,
// it gives only that kind's key.
func (list *GameList) Challenge(c storage.Challenge) Text {
	terms := Of(c.Variant)
	if v := list.Variant(c.Variant); v != nil {
		terms = Terms(&c, v, list.Names[c.From])
	}
	switch {
	case c.From != list.Whose.ID:
		return Say("games.challenge-from", "game", Hash(c.ID), "player", list.Names[c.From], "terms", terms)
	case c.Waits, c.To != 0:
		return Say("games.challenge-to", "game", Hash(c.ID), "player", cmp.Or(list.Names[c.To], c.Named), "terms", terms)
	}
	return Say("games.challenge-to-anyone", "game", Hash(c.ID), "terms", terms)
}

// End tells of an ended game in one line.
func (list *GameList) End(s *match.GameView) Text {
	side, _ := s.Game.SideOf(list.Whose.ID)
	return Say("games.ended", "game", Hash(s.Game.ID), "kind", s.Variant.Title(), "opponent", s.Names[1-side], "how", Ended(s, 0))
}

// itemWords tells of a game in progress in one line.
func itemWords(it *match.Item, whose storage.Person, me storage.PersonID, opponent Text) Text {
	mover := Either(it.Mine, Of(whose.Name), opponent)
	parts := []any{
		"game", Hash(it.Game.ID), "kind", it.Variant, "opponent", opponent, "player", mover, "played", len(it.Game.Moves), "move", len(it.Game.Moves)/2 + 1,
	}
	return Say(Either(it.Mine && whose.ID == me, "games.yours", "games.theirs"), append(parts, clockParts(&it.Game, it.Due, it.Left, it.Away)...)...)
}

// WhichGame lists the games that a request can be about, and tells how many more there are.
func WhichGame(games []match.Item, more int, me storage.Person) Text {
	lines := phrase.Each(games, func(it match.Item) Text {
		side, _ := it.Game.SideOf(me.ID)
		return itemWords(&it, me, me.ID, Of(NameOf(it.Game.Players[1-side], it.Opponent)))
	})
	return Say("request.which-game", "game", games[0].Game.ID, "games", phrase.Lines(lines), "more", more)
}

// Terms tells what somebody's challenge proposes.
func Terms(c *storage.Challenge, v *rules.Variant, by string) Text {
	return Say("challenge.terms", "variant", v.Title(), "colour", c.Color, "player", by, "rated", c.Rated, "pace", Pace(c.Pace))
}

// Challenge tells of a challenge by somebody: to a person, to somebody known only by name, or to anyone.
func Challenge(c *storage.Challenge, v *rules.Variant, by, to string) Text {
	opponent := Either(c.To != 0, Of(Mention(c.To, to)), Of(c.Named))
	open := Either(c.Named == "", "challenge.open", "challenge.open-to-unknown")
	return Say(Either(c.To != 0 || c.Waits, "challenge.named", open), "challenge", c.ID, "player", by, "opponent", opponent, "name", c.Named, "terms", Terms(c, v, by))
}

// AsLink tells the web address that does what was said before; nothing if there is none.
func AsLink(address string) Text {
	return If(address != "", Say("challenge.as-link", "address", Address(address))...)
}

// Keys lists the keys of games, as people write them.
func Keys(games []*rules.Variant) string {
	return strings.Join(phrase.Each(games, func(v *rules.Variant) string { return v.Key }), ", ")
}
