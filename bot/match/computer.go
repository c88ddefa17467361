package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/event"
	"chimera/bot/limit"
	"chimera/rules"
	"chimera/storage"
)

// Levels is the computer's highest level, the lowest is 0; UsualLevel is for people who have not
// played it in that kind of game yet.
const (
	Levels     = 8
	UsualLevel = 3
)

// Nought stands for level 0 where 0 means none, as in the Levels of a game.
const Nought = -1

// NextLevel is the level that is higher than another by a number, 0 if there is none.
func NextLevel(level, by int) int {
	next := max(level, 0) + by
	switch {
	case next < 0, next > Levels:
		return 0
	case next == 0:
		return Nought
	}
	return next
}

// Faces are the characters that the computer can play as in a variant; nil asks for all. One of them
// needs pieces that merge.
func Faces(v *rules.Variant) []string {
	if v != nil && !v.Merges() {
		return []string{"greta", "ignaz", "otto"}
	}
	return []string{"greta", "ignaz", "melba", "otto"}
}

// DrawFrom is how many plies must have been played before the computer agrees to a draw: too much can
// still happen before that.
const DrawFrom = 40

// Practice is a game that somebody wants to play against the computer.
type Practice struct {
	Variant string
	Level   int    // 0 for the asker's usual level, [Nought] for level 0
	Color   string // the asker's: "white", "black" or "random"
	Face    string // one of [Faces], "" for none
}

// PlayComputer begins a game against the computer, where the asker is: unrated, and without a time
// limit. It refuses NoSuchVariant, NotHere, TooManyGames and TooManyPractices.
func (s *Service) PlayComputer(ctx context.Context, by event.By, p Practice) (event.Done, error) {
	if s.Variant(p.Variant) == nil {
		return event.Done{}, event.Refuse(event.NoSuchVariant, 0)
	}
	heads := s.coin()
	return s.events.Once(ctx, by, func(w storage.Writer) (event.Done, error) {
		id, err := w.NewGameID()
		if err := cmp.Or(welcome(w.Reader, by, 0), err); err != nil {
			return event.Done{}, err
		}
		return s.practise(w, storage.Challenge{ID: id, From: by.Person, Variant: p.Variant, Color: p.Color, Place: by.Place}, p, heads)
	})
}

// PlayInstead lets the computer take up the asker's own open challenge: the game is that of the
// challenge, but unrated and without a time limit. It refuses NoSuchChallenge, NotYourChallenge,
// TooManyGames and TooManyPractices.
func (s *Service) PlayInstead(ctx context.Context, by event.By, id storage.GameID) (event.Done, error) {
	return s.take(ctx, by, id, Cancel, true, func(w storage.Writer, c storage.Challenge, heads bool) (event.Done, error) {
		c.Rated, c.Pace = false, storage.Pace{}
		done, err := s.practise(w, c, Practice{}, heads)
		return done, errors.Join(err, w.Challenges().Delete(c.ID))
	})
}

// freeToPractise refuses another game against the computer to a person who plays as many as allowed.
func freeToPractise(r storage.Reader, p storage.PersonID) error {
	games, err := r.Games().All(r.Playing(p))
	practices := slices.DeleteFunc(games, func(g storage.Game) bool { return !g.Practice() })
	if err == nil && len(practices) >= limit.Practices {
		err = event.Refuse(event.TooManyPractices, 0)
	}
	return cmp.Or(freeFor(r, p, event.TooManyGames), err)
}

// practise begins the game of a challenge that the computer takes up, at the usual level of its maker
// if none is given.
func (s *Service) practise(w storage.Writer, c storage.Challenge, p Practice, heads bool) (event.Done, error) {
	level, err := p.Level, error(nil)
	began := event.Event{Kind: event.Began, By: c.From}
	if level == 0 {
		level, err = levelOf(w.Reader, c.From, c.Variant)
		began.Payload = event.Position{Usual: true}
	}
	name := "Chimera"
	if p.Face != "" {
		name = strings.ToUpper(p.Face[:1]) + p.Face[1:]
	}
	account := storage.Address{Platform: storage.Computer, ID: strconv.Itoa(max(level, 0)) + p.Face}
	computer, err2 := w.Meet(account, fmt.Sprintf("%s %d", name, max(level, 0)))
	g, err3 := s.begin(c, computer.ID, heads)
	if err := cmp.Or(freeToPractise(w.Reader, c.From), err, err2, err3); err != nil {
		return event.Done{}, err
	}
	side, _ := g.SideOf(computer.ID)
	g.Levels[side], g.Face = level, p.Face
	return s.putNew(w, &g, began)
}

// Help notes that a player was given a hint against the computer, as the answer to the question with
// this number: the game will not count as beating it. It refuses what every change of a game in
// progress is refused for.
func (s *Service) Help(ctx context.Context, by event.By, id storage.GameID, number int) (event.Done, error) {
	game, err := s.stored(ctx, id)
	if err != nil || game.Helped && game.Hinted >= number {
		return event.Done{Kind: event.Helped, Game: id}, err
	}
	by.Message = storage.MessageID{} // whatever else the message asks for is still to be done
	return s.update(ctx, by, id, &game, func(c *change) error {
		c.Helped, c.Hinted, c.done = true, max(c.Hinted, number), event.Helped
		return nil
	})
}

// noteBeaten notes in a game that ends that the computer was beaten without help.
func noteBeaten(w storage.Writer, was, g *storage.Game) (err error) {
	side, level := g.Computer()
	if level <= 0 || was.Over() || !g.Over() || g.Helped || g.Result != rules.WinFor(rules.Color(1-side)).String() {
		return nil
	}
	g.Beaten = level
	g.Servers, err = w.Homes(g)
	return err
}

// Deed is what the computer does in a game: it plays Move, or if that is "", does What.
type Deed struct {
	Move string // coordinate text
	Draw bool   // offer a draw with the move
	What DeedKind
}

// DeedKind is something that the computer can do other than move.
type DeedKind uint8

// The kinds of deeds.
const (
	AgreeDraw DeedKind = iota
	DeclineDraw
	ClaimDraw
	GiveUp
)

// Act carries out the computer's decision on a game as it was read. If the game has changed since, it
// does nothing: nothing is done twice, or decided on another position.
func (s *Service) Act(ctx context.Context, seen storage.Game, d Deed) error {
	side, _ := seen.Computer()
	by := event.By{Person: seen.Players[side], Place: seen.Seat(side)}
	_, err := s.try(ctx, by, seen, func(c *change) error {
		switch {
		case d.Move != "":
			return s.moveOffering(c, d)
		case d.What == AgreeDraw:
			return s.agree(c, ADraw)
		case d.What == DeclineDraw:
			return c.decline(ADraw)
		case d.What == ClaimDraw:
			return s.claim(c)
		}
		return c.end(lost(c.side), nil)
	})
	if errors.Is(err, errOvertaken) {
		return nil
	}
	return err
}

// moveOffering plays a move, and offers a draw with it, also in the event that tells of it, unless the
// opponent cannot answer that now.
func (s *Service) moveOffering(c *change, d Deed) error {
	if err := s.move(c, d.Move); err != nil || !d.Draw || c.Over() || c.Turn == c.side {
		return err
	}
	c.Draw, c.Asked[c.side] = s.events.Offer(c.by), storage.Asked{Ply: len(c.Moves), Draws: 1}
	last := &c.said[len(c.said)-1]
	played := last.Payload.(event.Position)
	played.Draw = true
	last.Payload = played
	return nil
}

// MyLevel is the computer's level for somebody's next game of a kind. It follows their results: one
// higher after a win, and one lower after a loss.
func (s *Games) MyLevel(ctx context.Context, p storage.PersonID, kind string) (int, error) {
	return storage.Read(ctx, s.store, func(r storage.Reader) (int, error) { return levelOf(r, p, kind) })
}

func levelOf(r storage.Reader, p storage.PersonID, kind string) (int, error) {
	played, err := r.Played(p)
	slices.Reverse(played)
	for g, err := range r.Games().Each(played[:min(len(played), limit.Searched)], err) {
		side, level := g.Computer()
		switch {
		case err != nil:
			return 0, err
		case g.Variant != kind || level == 0:
			continue
		case g.Result == rules.WinFor(rules.Color(side)).String():
			return cmp.Or(NextLevel(level, -1), level), nil
		case g.Result == rules.WinFor(rules.Color(1-side)).String() && !g.Helped:
			return cmp.Or(NextLevel(level, 1), level), nil
		}
		return level, nil
	}
	return UsualLevel, nil
}
