package words

import (
	"fmt"
	"slices"

	"chimera/bot/rating"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

func Profile(p *rating.Profile, server storage.ServerID) Text {
	all := []Text{ProfileHead(p)}
	for _, k := range p.Kinds {
		all = append(all, Of(kindWords(k, server)))
	}
	all = append(all, ProfileFacts(p)...)
	all = append(all, scoreWords(&p.History)...)
	return Lines(append(all, FavouriteHybrids(p)))
}

// ProfileHead is what somebody is doing.
func ProfileHead(p *rating.Profile) Text {
	playing := each(p.Games, func(g rating.Current) phrase.Phrase {
		return book.Say("top.playing", "game", Hash(g.ID), "kind", g.Game, "opponent", g.Opponent)
	})
	first := Say("top.profile", "player", p.Person.Name, "n", p.Now, "away", p.Person.Away(),
		"shown", len(playing), "games", phrase.Commas(playing), "more", p.Now > len(playing))
	if len(p.Kinds) == 0 {
		first = joined(" ", first, Say("top.no-rated"))
	}
	return first
}

// ProfileFacts are sentences about somebody's play, but for ratings, scores and hybrids.
func ProfileFacts(p *rating.Profile) (all []Text) {
	if len(p.Kinds) > 0 {
		unsure := slices.ContainsFunc(p.Kinds, func(k rating.Kind) bool { return k.Unsure })
		all = append(all, Say("top.plus-minus", "unsure", unsure))
	}
	if streak := streakWords(p); !streak.IsZero() {
		all = append(all, Of(streak))
	}
	beaten := each(p.Beaten, func(f rating.Feat) phrase.Phrase { return book.Say("top.feat", "kind", f.Game, "level", f.Level) })
	if beaten != nil {
		all = append(all, Say("top.beaten", "feats", phrase.Commas(beaten)))
	}
	if solved := trainingWords(&p.Person.Training); solved != nil {
		all = append(all, solved)
	}
	return all
}

// FavouriteHybrids are those that somebody has made most, nil for none.
func FavouriteHybrids(p *rating.Profile) Text {
	made := each(p.Made, func(m rating.Made) phrase.Phrase { return book.Say("top.made", "piece", m.Noun, "n", m.Times) })
	if made == nil {
		return nil
	}
	return Say("top.hybrids", "pieces", phrase.Commas(made))
}

// scoreWords are a line of each kind of score.
func scoreWords(h *rating.History) (all []Text) {
	var colours []phrase.Phrase
	for side, score := range h.Colors {
		if score.Games() > 0 {
			colours = append(colours, book.Say("top.as-colour", "side", rules.Color(side), "score", scoreOf(score)))
		}
	}
	against := each(h.Against, func(v rating.Versus) phrase.Phrase {
		return book.Say("top.against", "player", v.Name, "score", scoreOf(v.Score))
	})
	if colours != nil {
		all = append(all, Say("top.colours", "scores", phrase.Commas(colours)))
	}
	if against != nil {
		all = append(all, Say("top.opponents", "scores", phrase.Commas(against)))
	}
	return all
}

func scoreOf(s rating.Score) string { return fmt.Sprintf("+%d =%d −%d", s.Won, s.Drawn, s.Lost) }

// streakWords tell of wins in a row in rated games, if there are any.
func streakWords(p *rating.Profile) phrase.Phrase {
	for _, k := range p.Kinds {
		if k.Game == storage.Overall && k.Standing.Best > 0 {
			return book.Say("top.streak", "now", k.Standing.Streak, "best", k.Standing.Best)
		}
	}
	return phrase.Phrase{}
}

// KindName is what a kind of game is called, or all of them are.
func KindName(k rating.Kind) phrase.Phrase {
	if k.Game == storage.Overall {
		return book.Say("top.all-games")
	}
	return phrase.As(k.Game)
}

func kindWords(k rating.Kind, server storage.ServerID) phrase.Phrase {
	s := &k.Standing
	return book.Say("top.kind", "kind", KindName(k), "rating", RatingWords(s.Value, k.Deviation, k.Unsure),
		"wins", s.Wins, "draws", s.Draws, "losses", s.Losses, "rank", k.Rank, "here", server != 0)
}

func Compare(both [2]*rating.Profile, score rating.Score) Text {
	all := []Text{Say("top.compare", "player", both[0].Person.Name, "other", both[1].Person.Name,
		"won", score.Won, "drawn", score.Drawn, "lost", score.Lost)}
	kinds := map[string][2]string{}
	var order []rating.Kind
	for side, p := range both {
		for _, k := range p.Kinds {
			pair, known := kinds[k.Game]
			if !known {
				order, pair = append(order, k), [2]string{"–", "–"}
			}
			pair[side] = RatingWords(k.Standing.Value, k.Deviation, k.Unsure)
			kinds[k.Game] = pair
		}
	}
	for _, k := range order {
		pair := kinds[k.Game]
		all = append(all, Say("top.compared", "kind", KindName(k), "rating", pair[0], "other-rating", pair[1]))
	}
	return Lines(all)
}
