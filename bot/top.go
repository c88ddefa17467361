package bot

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"chimera/bot/inbox"
	"chimera/bot/league"
	"chimera/bot/typed"
	"chimera/bot/words"
	"chimera/storage"
)

// top shows a leaderboard: of this server unless the world is asked for.
func (b *Bot) top(ctx context.Context, r request) ([]Note, error) {
	ask := league.Asked{Server: r.server.ID, Game: storage.Overall, Period: league.Ever, From: 1, Asker: r.me.ID}
	said := map[string]string{} // which word said what
	for rest := r.args; len(rest) > 0; {
		arg, taken := rest[0], 1
		word, about := strings.ToLower(arg), ""
		v, called := typed.FirstVariant(b.games.Variants(), rest)
		n, err := strconv.Atoi(word)
		period, timed := typed.Period(word)
		switch {
		case word == "world", word == "server":
			about = "scope"
			if word == "world" {
				ask.Server = 0
			}
		case word == string(league.Month) && typed.IsMonth(ask.Period): // so it may be called
			rest = rest[1:]
			continue
		case timed:
			if about = "period"; typed.IsMonth(period) && ask.Period == league.Month {
				said[about] = ""
			}
			ask.Period = period
		case v != nil:
			about, ask.Game, taken = "game", v.Key, called
			arg = strings.Join(rest[:called], " ")
		case err == nil && n > 0:
			about = "rank"
			ask.From = n
		default:
			return r.answer(words.OddTop(arg, b.games.Variants())), nil
		}
		if said[about] != "" {
			return r.answer(words.Clash(said[about], arg)), nil
		}
		said[about] = arg
		rest = rest[taken:]
	}
	return b.showTop(ctx, ask)
}

// showTop shows a page of a leaderboard, with buttons to those before and after it.
func (b *Bot) showTop(ctx context.Context, ask league.Asked) ([]Note, error) {
	found, err := b.league.Top(ctx, ask)
	if err != nil {
		return nil, err
	}
	v := b.games.Variant(ask.Game)
	note := Note{Text: words.Top(ask, found, v), Chart: words.TopChart(ask, found, v), Step: true}
	page := func(label string, from int) {
		note.Buttons = append(note.Buttons, Button{label, fmt.Sprintf("top 0 - %d %s %s %d", ask.Server, ask.Game, ask.Period, from)})
	}
	if found.From > 1 {
		page(labelBefore, max(found.From-league.PageSize, 1))
	}
	if found.From+league.PageSize <= found.All+found.Unsure {
		page(labelAfter, found.From+league.PageSize)
	}
	return []Note{note}, nil
}

// monthNote is the final table of a month.
func (b *Bot) monthNote(ctx context.Context, e storage.Entry, server storage.ServerID) (Note, error) {
	notes, err := b.showTop(ctx, league.Asked{
		Server: server, Game: storage.Overall, Period: league.Period(e.Facts[inbox.FactMonth]), From: 1,
	})
	if err != nil {
		return Note{}, err
	}
	notes[0].Step = false
	return notes[0], nil
}

// turnTop shows another page of a leaderboard.
func (b *Bot) turnTop(ctx context.Context, r request) ([]Note, error) {
	server, err := strconv.ParseUint(r.args[0], 10, 64)
	from, err2 := strconv.Atoi(r.args[3])
	period, ok := typed.Period(r.args[2])
	if err != nil || err2 != nil || !ok || storage.ServerID(server) != r.server.ID && server != 0 {
		return r.answer(words.OldButton()), nil
	}
	return b.showTop(ctx, league.Asked{
		Server: storage.ServerID(server), Game: r.args[1], Period: period, From: from, Asker: r.me.ID,
	})
}

func (b *Bot) profile(ctx context.Context, r request) ([]Note, error) {
	whose, err := b.whose(ctx, r)
	if err != nil {
		return nil, err
	}
	p, err := b.league.Profile(ctx, r.by(), whose.ID, r.server.ID)
	if err != nil {
		return nil, err
	}
	return []Note{{To: r.me.ID, Text: words.Profile(p, r.server.ID), Chart: words.ProfileChart(p)}}, nil
}

func (b *Bot) compare(ctx context.Context, r request) ([]Note, error) {
	pair := []storage.Person{r.me}
	for _, arg := range r.args {
		who, err := b.met(ctx, r, arg)
		if err != nil {
			return nil, err
		}
		pair = append(pair, who)
	}
	if len(pair) < 2 {
		return r.answer(words.CompareWhom()), nil
	}
	pair = pair[len(pair)-2:]
	if pair[0].ID == pair[1].ID {
		return r.answer(words.CompareSame(pair[0].Name)), nil
	}
	var profiles [2]*league.Profile
	for i, who := range pair {
		var err error
		if profiles[i], err = b.league.Profile(ctx, r.by(), who.ID, r.server.ID); err != nil {
			return nil, err
		}
	}
	won, drawn, lost, err := b.league.Between(ctx, pair[0].ID, pair[1].ID)
	if err != nil {
		return nil, err
	}
	score := league.Score{Won: won, Drawn: drawn, Lost: lost}
	return []Note{{To: r.me.ID, Text: words.Compare(profiles, score), Chart: words.CompareChart(profiles, score)}}, nil
}
