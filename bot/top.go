package bot

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/command"
	"chimera/bot/message"
	"chimera/bot/rating"
	"chimera/bot/words"
	"chimera/storage"
)

// Top shows a leaderboard: of this server unless the world is asked for.
func showLeaders(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	asked := rating.Asked{Server: r.Server.ID, Where: r.Msg.Called, Game: storage.Overall, Period: rating.Ever, From: 1, Asker: r.Me.ID}
	if strings.EqualFold(r.Said["scope"], "world") {
		asked.Server = 0
	}
	if v := command.Variant(b.Games.Variants(), r.Said["game"]); v != nil {
		asked.Game = v.Key
	}
	period := strings.ToLower(r.Said["period"])
	switch month := r.Said["month"]; {
	case month != "" && period != "" && period != string(rating.Month): // that word may stand before one
		both := []string{r.Said["period"], month}
		slices.SortFunc(both, func(one, other string) int { return slices.Index(r.Args, one) - slices.Index(r.Args, other) })
		return r.Answer(words.Say("top.clash", "one", words.Clip(both[0]), "other", words.Clip(both[1]))), nil
	case month != "" || period != "":
		asked.Period = rating.Period(cmp.Or(month, period))
	}
	if asked.Period == rating.Puzzles { // of whatever game they are
		asked.Game = storage.Overall
	}
	if n, err := strconv.Atoi(r.Said["rank"]); err == nil {
		asked.From = n
	}
	return leadersPage(ctx, b, r, asked)
}

// showTop shows a page of a leaderboard.
func leadersPage(ctx context.Context, b *Bot, r Request, asked rating.Asked) (*message.Message, error) {
	found, err := b.Ratings.Top(ctx, asked)
	if err != nil {
		return nil, err
	}
	found.At = found.At.In(r.Location())
	page := topOf(asked, found, b.Games.Variant(asked.Game))
	page.Step = true
	return &page, nil
}

// TurnTop shows another page of a leaderboard.
func TurnTop(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	server, err := strconv.ParseUint(r.Args[0], 10, 64)
	from, err2 := strconv.Atoi(r.Args[3])
	period, ok := command.Period(r.Args[2])
	if err != nil || err2 != nil || !ok || storage.ServerID(server) != r.Server.ID && server != 0 {
		return r.Answer(words.Say("request.old-button")), nil
	}
	return leadersPage(ctx, b, r, rating.Asked{
		Server: storage.ServerID(server), Where: r.Msg.Called, Game: r.Args[1], Period: period, From: from, Asker: r.Me.ID,
	})
}

// Profile shows what a person has reached.
func showProfile(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	whose, err := b.Whose(ctx, r)
	if err != nil {
		return nil, err
	}
	p, err := b.Ratings.Profile(ctx, r.By(), whose.ID, r.Server.ID)
	if err != nil {
		return nil, err
	}
	p.At = p.At.In(r.Location())
	return &message.Message{To: r.Me.ID, Text: words.Profile(p, r.Server.ID), Chart: words.ProfileChart(p)}, nil
}

// Compare shows two persons side by side.
func Compare(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	pair := []storage.Person{r.Me}
	for _, arg := range r.Args {
		who, err := b.Met(ctx, r, arg)
		if err != nil {
			return nil, err
		}
		pair = append(pair, who)
	}
	if len(pair) < 2 {
		return r.Answer(words.Say("top.compare-whom")), nil
	}
	pair = pair[len(pair)-2:]
	if pair[0].ID == pair[1].ID {
		return r.Answer(words.Say("top.compare-same", "player", pair[0].Name)), nil
	}
	var profiles [2]*rating.Profile
	for i, who := range pair {
		var err error
		if profiles[i], err = b.Ratings.Profile(ctx, r.By(), who.ID, r.Server.ID); err != nil {
			return nil, err
		}
	}
	score, err := b.Ratings.Between(ctx, pair[0].ID, pair[1].ID)
	if err != nil {
		return nil, err
	}
	return &message.Message{To: r.Me.ID, Text: words.Compare(profiles, score), Chart: words.CompareChart(profiles, score)}, nil
}
