package words

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/inbox"
	"chimera/bot/match"
	"chimera/rules"
	"chimera/storage"
)

// Board tells game and number, both players, the last move, whose turn it is, the
// time left; or how it ended.
func Board(s *match.Sight) Text {
	t := title(s)
	if s.Last != "" {
		t = append(t, Say("\n", bold(numbered(s)), ": ", s.Variant.Tell(s.Effects))...)
	}
	switch {
	case s.Ply != len(s.Game.Moves):
		return append(t, Say("\nThis was the position after ", plural(s.Ply, "ply", "plies"), ".")...)
	case s.Game.Over():
		return append(append(t, Say("\n", ended(s))...), ratedWords(s)...)
	default:
		t = append(t, Say("\n", alarm(s))...)
	}
	t = append(t, turnWords(s)...)
	for sq := range s.Now.Position.Frozen().Squares() {
		t = append(t, Say(" The piece on ", s.Variant.Shape.Name(sq), " is frozen for this turn.")...)
	}
	if w := s.Now.Position.Warning(); !w.IsZero() {
		t = append(t, Say(" ", w)...)
	}
	return t
}

// alarm is what the side to move must know of either king, "" if there is nothing.
func alarm(s *match.Sight) string {
	pos := s.Now.Position
	mover, other := s.Names[pos.Turn()], s.Names[pos.Turn().Other()]
	switch {
	case pos.TakesKing():
		return other + "'s king can be captured now. "
	case pos.Status() == rules.Mated:
		return "Check, and no move ends it: " + mover + "'s king can be captured next. "
	case pos.Checked() != 0:
		return "Check! "
	}
	return ""
}

func title(s *match.Sight) Text {
	return Say(bold(s.Variant.Name+" "+Hash(s.Game.ID)), ": ", s.Names[0], " (White) against ", s.Names[1], " (Black)")
}

// Calling is what is said of an ended game, with both players mentioned: whoever did not
// end it hears of that so.
func Calling(s *match.Sight, t Text) Text {
	first := Say(
		bold(s.Variant.Name+" "+Hash(s.Game.ID)), ": ", mention(s.Game.Players[0], s.Names[0]), " (White) against ",
		mention(s.Game.Players[1], s.Names[1]), " (Black)",
	)
	return append(first, t[len(title(s)):]...)
}

// WithEarlier adds to the words of a board, which begin with the title, the moves before
// the last that were not told yet.
func WithEarlier(s *match.Sight, t Text, moves []earlier) Text {
	head := len(title(s))
	var told Text
	for _, m := range moves {
		if m.ply >= s.Ply {
			break // the board tells it
		}
		told = append(told, Say(bold(number(s, m.ply)+" "+m.move), ", ")...)
	}
	if told == nil {
		return t
	}
	return slices.Concat(t[:head], Say("\n"), told, Say("then"), t[head:])
}

// earlier is a move that an entry tells beside its own: how many had been played with it,
// and its chat text.
type earlier struct {
	ply  int
	move string
}

// Before are the moves that an entry tells beside its own, the oldest first.
func Before(e *storage.Entry) []earlier {
	var all []earlier
	for line := range strings.Lines(e.Facts[inbox.FactBefore]) {
		ply, move, _ := strings.Cut(strings.TrimSpace(line), " ")
		if n, err := strconv.Atoi(ply); err == nil {
			all = append(all, earlier{n, move})
		}
	}
	return all
}

// numbered is the last move with its number, as scores write it.
func numbered(s *match.Sight) string { return number(s, s.Ply) + " " + s.Last }

// number is that of the move after which so many had been played.
func number(s *match.Sight, ply int) string {
	half := 2*s.Now.Position.FullMove() - (s.Ply - ply)
	if s.Now.Position.Turn() == rules.Black {
		half++
	}
	if half%2 == 0 {
		return fmt.Sprintf("%d…", half/2-1)
	}
	return fmt.Sprintf("%d.", half/2)
}

// ended tells a result in words.
func ended(s *match.Sight) string {
	names, by := s.Names, s.Game.Ending
	onTime := by == string(rules.ByTime)
	if by == string(rules.ByKingTaken) {
		winner, loser := names[0], names[1]
		if s.Game.Result == rules.BlackWins.String() {
			winner, loser = loser, winner
		}
		return fmt.Sprintf("%s wins: %s's king is gone, %s.", winner, loser, s.Game.Result)
	}
	switch s.Game.Result {
	case rules.WhiteWins.String():
		return fmt.Sprintf("%s wins by %s, 1-0.", names[0], by)
	case rules.BlackWins.String():
		return fmt.Sprintf("%s wins by %s, 0-1.", names[1], by)
	case rules.Drawn.String():
		if onTime {
			return fmt.Sprintf("%s's time is up, but %s has nothing but a king: draw, ½-½.", names[s.Game.Turn], names[1-s.Game.Turn])
		}
		return fmt.Sprintf("Draw by %s, ½-½.", by)
	}
	switch {
	case onTime:
		return names[s.Game.Turn] + " has not begun in time: the game was aborted; it counts for nothing."
	case by == match.Unfinished:
		return "The game was not finished."
	}
	return "The game was aborted; it counts for nothing."
}

func Overtaken(what inbox.What, e storage.Entry, by storage.Person) Text {
	switch what {
	case inbox.Moved:
		how := ""
		if e.Facts[inbox.FactPlan] != "" {
			how = " as planned"
		}
		t := Say("Game ", Hash(e.Game), ": ")
		for _, m := range Before(&e) {
			t = append(t, Say(bold(m.move), ", then ")...)
		}
		return append(t, Say(by.Name, " played ", bold(e.Facts[inbox.FactMove]), how, "; another move has been played since.")...)
	case inbox.Began:
		return Say("Game ", Hash(e.Game), " has begun, and has gone on since.")
	default:
		return Say("Game ", Hash(e.Game), ": a move was taken back, and the game has gone on since.")
	}
}

func TookBack(plies int) Text {
	return Say("Taken back: ", plural(plies, "ply", "plies"), ".\n")
}

func AsPlanned(by storage.Person) Text {
	return Say(" ", by.Name, " had planned this move.")
}

func Abandoned(id storage.GameID, players []storage.Person) Text {
	t := Text{}
	for i, p := range players {
		if i > 0 {
			t = append(t, Say(" and ")...)
		}
		t = append(t, mention(p.ID, p.Name))
	}
	if len(t) > 0 {
		t = append(t, Say(": ")...)
	}
	return append(t, Say("game ", Hash(id), " was damaged and could not be brought back, so it had to be aborted. I'm sorry. It doesn't count; write ", code("challenge"), " to start another.")...)
}

func GameAnnulled(s *match.Sight) Text {
	return Say(mention(s.Game.Players[0], s.Names[0]), ", ", mention(s.Game.Players[1], s.Names[1]), ": a manager has annulled ",
		bold(s.Variant.Name+" "+Hash(s.Game.ID)), ". It doesn't count for ratings any more.")
}

func Pick(s *match.Sight, piece, target rules.Square) Text {
	shape := s.Variant.Shape
	switch {
	case piece == rules.NoSquare:
		return Say("Which piece moves in game ", Hash(s.Game.ID), "?")
	case target == rules.NoSquare:
		return Say("Where to from ", shape.Name(piece), "?")
	}
	return Say("Which move from ", shape.Name(piece), " to ", shape.Name(target), "?")
}

func Preview(pos *rules.Position, m rules.Move) Text {
	return Say(bold(pos.Chat(m)), ": ", pos.Variant().Tell(pos.Effects(m)))
}
