package rating

import "chimera/storage"

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
