package rating

import (
	"chimera/storage"
)

// Feat is the highest level of the computer that somebody has beaten in a kind of game.
type Feat struct {
	Game  string // its name
	Level int
}

// feats are somebody's, in the order of the games.
func (l *Service) feats(r storage.Reader, id storage.PersonID) (all []Feat, err error) {
	for _, v := range l.variants {
		f, err := r.BeatenLevel(id, v.Key)
		if err != nil {
			return nil, err
		}
		if f.Level > 0 {
			all = append(all, Feat{v.Name, f.Level})
		}
	}
	return all, nil
}

// aLevel is more than there are kinds of games: of two people who have beaten the same level,
// whoever has in more of them comes first.
const aLevel = 1000

// topComputer is the leaderboard of the levels of the computer that people have beaten. It is made
// of what is stored, each time.
func (l *Service) topComputer(r storage.Reader, ask Asked, found *Leaderboard) error {
	scores := map[storage.PersonID]int64{}
	for _, v := range l.variants {
		if ask.Game != storage.Overall && ask.Game != v.Key {
			continue
		}
		feats, err := r.BeatenLevels(ask.Server, v.Key)
		if err != nil {
			return err
		}
		for _, f := range feats {
			switch best := scores[f.Person] / aLevel; {
			case int64(f.Level) > best:
				scores[f.Person] = int64(f.Level)*aLevel + 1
			case int64(f.Level) == best:
				scores[f.Person]++
			}
		}
	}
	return found.fill(r, ask, scores, func(line *Line, score int64) {
		line.Value, line.Games = float64(score/aLevel), int(score%aLevel)
	})
}

// fill makes the page that is asked for of what people have scored, without those who are on no
// leaderboard there; tell says in a line what a score means.
func (found *Leaderboard) fill(r storage.Reader, ask Asked, scores map[storage.PersonID]int64, tell func(*Line, int64)) error {
	for p := range scores {
		switch hidden, err := unranked(r, p, ask.Server); {
		case err != nil:
			return err
		case hidden:
			delete(scores, p)
		}
	}
	all := newBoard(scores, true)
	found.All = len(all.order)
	var err error
	found.Lines, err = linesOf(r, all.page(ask.From, PageSize, ask.Asker), tell)
	return err
}
