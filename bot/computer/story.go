package computer

import (
	"errors"
	"slices"

	"chimera/rules"
	"chimera/storage"
)

// Story is a review as it can be told: with the game.
type Story struct {
	Scores        []int          // of each position, White's, as chess has them
	Marks         []string       // of each move that lost much: "?!", "?" or "??"
	Moves         []string       // as people write them, with their marks
	Accuracy      [2]float64     // of White and Black, in per cent
	TurningPoints []TurningPoint // that decided it, in their order
	Births        []Birth        // likewise
}

// TurningPoint is a move that was worse than another.
type TurningPoint struct {
	Ply           int
	Before        *rules.Position // in which it was played
	Played        rules.Move
	Better        []rules.Move // how the game could have gone on instead; one at least
	Could, Became float64      // the chances of its side with what is better, and after it
	Gain          Fate         // what Better comes to for its side
	Loss          Fate         // what the answer to the move comes to for the other; nothing that was exchanged
	Left          *Danger      // of a piece that the answer captures; nil for none
}

// Fate is what a line of moves comes to for the side that begins it.
type Fate struct {
	Mates int           // in how many of its moves it mates; 0 if it does not
	Wins  []rules.Piece // what it captures without losing more than pawns: pawns if nothing else
	Gives bool          // it loses something
}

// Birth is a piece that became more than it was.
type Birth struct {
	Ply   int    // of the move that made it
	Move  string // as people write that
	Side  rules.Color
	Piece rules.Piece
	On    rules.Square
}

// errOther is about a review that is none of its game.
var errOther = errors.New("computer: it is of another game")

// Tell is the story of a review: of a game with those positions, and those moves between them.
// An error means that the review is not this game's.
func Tell(found storage.Review, games []rules.Game, moves []rules.Move) (*Story, error) {
	if len(found.Scores) != len(games) {
		return nil, errOther
	}
	scores := evened(games[0].Position.Variant(), found.Scores)
	s := &Story{Scores: scores, Accuracy: Accuracy(scores, games[0].Position.Turn())}
	for _, m := range found.Moments {
		if m.Ply < 0 || m.Ply >= len(moves) {
			return nil, errOther
		}
		told, err := turningPoint(scores, m, games, moves)
		if err != nil {
			return nil, err
		}
		if told.Could-told.Became >= slight {
			s.TurningPoints = append(s.TurningPoints, told)
		}
	}
	for i, m := range moves {
		pos := games[i].Position
		s.Marks = append(s.Marks, s.mark(i, pos.Turn()))
		s.Moves = append(s.Moves, pos.Chat(m)+s.Marks[i])
		for _, e := range rules.Made(m, pos.Effects(m)) {
			s.Births = append(s.Births, Birth{i, pos.Chat(m), pos.Turn(), e.Into, e.To})
		}
	}
	return s, nil
}

// mark is that of a move of a side: by how much of its chances it lost, and whether it decided the game.
func (s *Story) mark(ply int, side rules.Color) string {
	switch lost := chances(s.Scores[ply], side) - chances(s.Scores[ply+1], side); {
	case lost >= .3:
		return "??"
	case lost >= .2:
		return "?"
	case lost >= .1, slices.ContainsFunc(s.TurningPoints, func(m TurningPoint) bool { return m.Ply == ply }):
		return "?!"
	}
	return ""
}

// slight are chances that a move may lose without having changed the game.
const slight = .1

func turningPoint(scores []int, m storage.TurningPoint, games []rules.Game, moves []rules.Move) (told TurningPoint, err error) {
	before, after := games[m.Ply], games[m.Ply+1]
	turn := before.Position.Turn()
	told = TurningPoint{
		Ply: m.Ply, Before: before.Position, Played: moves[m.Ply],
		Could: chances(scores[m.Ply], turn), Became: chances(scores[m.Ply+1], turn),
	}
	told.Better, told.Gain, err = follow(before, m.Better)
	answer, loss, err2 := follow(after, m.Answer)
	told.Loss = loss
	if err := errors.Join(err, err2); err != nil || len(told.Better) == 0 {
		return told, errors.Join(errOther, err)
	}
	if slices.ContainsFunc(before.Position.Effects(told.Played), func(e rules.Effect) bool {
		return removes(e.Kind) && !isPawn(before.Position, e.Piece)
	}) {
		told.Loss.Wins = nil // it may have been an exchange
	}
	if len(answer) > 0 && len(told.Loss.Wins) == 1 {
		told.Left = left(after.Position, answer[0])
	}
	told.Gain.Mates, told.Loss.Mates = matesFor(scores[m.Ply], turn), matesFor(scores[m.Ply+1], turn.Other())
	return told, nil
}

// matesFor is in how many moves a side mates by a score, 0 if it does not.
func matesFor(score int, side rules.Color) int {
	moves, _ := mates(score)
	if side == rules.Black {
		moves = -moves
	}
	return max(0, moves)
}

// follow plays a line, and sees what its side wins and gives. What is captured by the last move of
// the line may cost more than it wins: that is not known, and counts for nothing.
func follow(now rules.Game, texts []string) (line []rules.Move, fate Fate, err error) {
	side := now.Position.Turn()
	var pawns, men []rules.Piece
	for i, text := range texts {
		pos := now.Position
		m, err := pos.ParseCoordinate(text)
		if err != nil {
			return nil, fate, err
		}
		last := i == len(texts)-1 && pos.Turn() == side
		for _, e := range pos.Effects(m) {
			switch p := e.Piece; {
			case !removes(e.Kind) || p.Shared() || last:
			case p.Half(side) != rules.NoRole:
				fate.Gives = fate.Gives || !isPawn(pos, p)
			case isPawn(pos, p):
				pawns = append(pawns, p)
			default:
				men = append(men, p)
			}
		}
		line = append(line, m)
		if now, err = now.Play(m); err != nil {
			return nil, fate, err
		}
	}
	switch {
	case fate.Gives:
	case len(men) > 0:
		fate.Wins = men
	default:
		fate.Wins = pawns
	}
	return line, fate, nil
}

// removes reports whether the piece of an effect is gone by it.
func removes(kind rules.EffectKind) bool {
	return kind == rules.Captured || kind == rules.Absorbed || kind == rules.Shot || kind == rules.Annihilated
}

func isPawn(pos *rules.Position, p rules.Piece) bool {
	return pos.Variant().Table[p.White|p.Black].Pawn
}
