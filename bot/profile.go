package bot

import (
	"context"

	"chimera/bot/message"
	"chimera/bot/rating"
	"chimera/bot/words"
	"chimera/storage"
)

// public reports whether everyone may see what a person has reached: they have played rated games, and
// have not chosen to be on no leaderboard.
func (b *Bot) public(ctx context.Context, id storage.PersonID) (bool, error) {
	return storage.Read(ctx, b.Store, func(r storage.Reader) (bool, error) {
		p, err := r.People().Get(id)
		if storage.Missing(err) {
			return false, nil
		}
		if err != nil || p.Settings.Unranked || len(p.Identities) == 0 {
			return false, err
		}
		career, err := r.Standings(id)
		if storage.Missing(err) {
			return false, nil
		}
		return len(career.Standings) > 0, err
	})
}

// Profile is what somebody has reached, in a language.
type Profile struct {
	Name    string
	Head    words.Text // what they are doing
	Ratings []ProfileRating
	Scored  string // what Scores are about
	Scores  []ProfileScore
	Facts   []words.Text
}

// ProfileRating is somebody's rating in a kind of game.
type ProfileRating struct {
	Game, Rating     string
	Won, Drawn, Lost int
	Rank             int // of all, 0 for none
}

// ProfileScore is how games of some kind have ended for somebody.
type ProfileScore struct {
	Name             string
	Won, Drawn, Lost int
}

// Profile is that of a person, as the author of a message sees it: their own, or that of somebody who
// is on leaderboards; nil for anybody else.
func (b *Bot) Profile(ctx context.Context, m message.Incoming, id storage.PersonID) (*Profile, error) {
	r, _ := b.Asker(ctx, m)
	if public, err := b.public(ctx, id); err != nil || !public && (id == 0 || id != r.Me.ID) {
		return nil, err
	}
	of, err := b.Ratings.Profile(ctx, r.by(), id, 0)
	if err != nil {
		return nil, err
	}
	return profileOf(r, of), nil
}

func profileOf(r Request, of *rating.Profile) *Profile {
	l := r.Language()
	tally := words.ProfileTally(of)
	p := &Profile{Name: of.Person.Name, Head: words.ProfileHead(of).In(l), Scored: tally.Title.Text(l)}
	for _, k := range of.Kinds {
		s := &k.Standing
		p.Ratings = append(p.Ratings, ProfileRating{
			words.KindName(k).Text(l), words.RatingWords(s.Value, k.Deviation, k.Unsure), s.Wins, s.Draws, s.Losses, k.Rank,
		})
	}
	for _, row := range tally.Rows {
		p.Scores = append(p.Scores, ProfileScore{row.Name.Text(l), row.Won, row.Drawn, row.Lost})
	}
	for _, fact := range append(words.ProfileFacts(of), words.FavouriteHybrids(of)) {
		if fact != nil {
			p.Facts = append(p.Facts, fact.In(l))
		}
	}
	return p
}
