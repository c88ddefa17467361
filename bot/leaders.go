package bot

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/rating"
	"chimera/bot/words"
	"chimera/render/chart"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// showLeaders shows a leaderboard: of this server unless the world is asked for.
func showLeaders(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	asked := rating.Asked{Server: r.Server.ID, Where: r.Msg.Called, Game: gameOf(b, r, storage.Overall), Period: rating.Ever, From: 1, Asker: r.Me.ID}
	if strings.EqualFold(r.Said["scope"], "world") {
		asked.Server = 0
	}
	period := strings.ToLower(r.Said["period"])
	switch month := r.Said["month"]; {
	case month != "" && period != "" && period != string(rating.Month): // the word "month" may stand before a month
		both := []string{r.Said["period"], month}
		slices.SortFunc(both, func(one, other string) int { return slices.Index(r.Args, one) - slices.Index(r.Args, other) })
		return r.answer(clash(nil, both[0], both[1])), nil
	case month != "" || period != "":
		asked.Period = rating.Period(cmp.Or(month, period))
	}
	if asked.Period == rating.Puzzles { // they count for all games
		asked.Game = storage.Overall
	}
	if n, err := strconv.Atoi(r.Said["rank"]); err == nil {
		asked.From = n
	}
	return leadersPage(ctx, b, r, asked)
}

// leadersPage shows a page of a leaderboard.
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

// turnLeaders shows another page of a leaderboard.
func turnLeaders(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	server, err := strconv.ParseUint(r.Args[0], 10, 64)
	from, err2 := strconv.Atoi(r.Args[3])
	period, ok := readPeriod(r.Args[2])
	if err != nil || err2 != nil || !ok || storage.ServerID(server) != r.Server.ID && server != 0 {
		return r.answer(words.Say("request.old-button")), nil
	}
	return leadersPage(ctx, b, r, rating.Asked{
		Server: storage.ServerID(server), Where: r.Msg.Called, Game: r.Args[1], Period: period, From: from, Asker: r.Me.ID,
	})
}

// showProfile shows what a person has reached.
func showProfile(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	whose, err := b.whose(ctx, r)
	if err != nil {
		return nil, err
	}
	p, err := b.Ratings.Profile(ctx, r.by(), whose.ID, r.Server.ID)
	if err != nil {
		return nil, err
	}
	p.At = p.At.In(r.Location())
	return &message.Message{To: r.Me.ID, Text: words.Profile(p, r.Server.ID), Chart: words.ProfileChart(p)}, nil
}

// comparePlayers shows two persons side by side.
func comparePlayers(ctx context.Context, b *Bot, r Request) (_ *message.Message, err error) {
	pair := []storage.Person{r.Me}
	for _, arg := range r.Args {
		who, err := b.met(ctx, r, arg)
		if err != nil {
			return nil, err
		}
		pair = append(pair, who)
	}
	if len(pair) < 2 {
		return r.answer(words.Say("top.compare-whom")), nil
	}
	pair = pair[len(pair)-2:]
	if pair[0].ID == pair[1].ID {
		return r.answer(words.Say("top.compare-same", "player", pair[0].Name)), nil
	}
	var profiles [2]*rating.Profile
	for i, who := range pair {
		if profiles[i], err = b.Ratings.Profile(ctx, r.by(), who.ID, r.Server.ID); err != nil {
			return nil, err
		}
	}
	score, err := b.Ratings.Between(ctx, pair[0].ID, pair[1].ID)
	return &message.Message{To: r.Me.ID, Text: words.Compare(profiles, score), Chart: words.CompareChart(profiles, score)}, err
}

// Leaders is a page of a leaderboard, in a language.
type Leaders struct {
	Game, Period string        // as they were asked for
	Title, About phrase.Phrase // the game; the period and the servers
	chart.Ranking
	People        []storage.PersonID // of its rows; 0 for people without a page that everyone may see
	Trends        []string           // of its rows: paths on a [chart.Sketch], "" for none
	Remarks       []words.Text       // about all of them, or why nobody is there
	Before, After int                // the first places of the pages around this one, 0 for none
}

// LeadersAsked says which leaderboard is wanted; its Game is "" for all.
type LeadersAsked = rating.Asked

// Period is something that leaderboards can be about.
type Period struct{ Key, Name string }

// Periods are the periods other than months, in a language.
func (*Bot) Periods(l phrase.Language) []Period {
	return phrase.Each(periods(), func(p rating.Period) Period { return Period{string(p), words.PeriodName(p).Text(l)} })
}

// Leaders is a page of a leaderboard for the author of a message, or [ErrNothing] if there is none for
// them: everyone may see those of all servers, but a server's only people who have played there. A
// period is one of Periods, or a month such as "2026-10"; "" means ratings.
func (b *Bot) Leaders(ctx context.Context, m message.Incoming, asked LeadersAsked, period string) (*Leaders, error) {
	r, _ := b.Asker(ctx, m)
	v, ok := b.Games.Variant(asked.Game), false
	if asked.Period, ok = readPeriod(cmp.Or(period, string(rating.Ever))); !ok || v == nil && asked.Game != "" {
		return nil, ErrNothing
	}
	wanted := asked.Game
	asked.From, asked.Asker = max(asked.From, 1), r.Me.ID
	if v == nil || asked.Period == rating.Puzzles { // they count for all games
		asked.Game = storage.Overall
	}
	if asked.Server != 0 {
		mine, err := b.HomeServers(ctx, m)
		if err != nil || !slices.ContainsFunc(mine, func(s storage.Server) bool { return s.ID == asked.Server }) {
			return nil, cmp.Or(err, ErrNothing)
		}
	}
	found, err := b.Ratings.Top(ctx, asked)
	if err != nil {
		return nil, err
	}
	found.At = found.At.In(r.Location())
	l := r.Language()
	page := &Leaders{Game: wanted, Period: string(asked.Period), Ranking: words.TopRanking(asked, found)}
	page.Title, page.About = words.TopTitle(asked, found, v)
	facts := phrase.Each(words.TopFacts(asked, found), func(fact phrase.Phrase) words.Text { return words.Of(fact) })
	page.Remarks = phrase.Each(append(words.TopRemarks(asked, found), facts...), func(remark words.Text) words.Text { return remark.In(l) })
	page.Before, page.After = pagesAround(found)
	for _, line := range slices.Concat(found.Lines, found.Guesses) {
		person, err := b.public(ctx, line.Person)
		trend, err2 := "", error(nil)
		if asked.Period == rating.Ever {
			trend, err2 = b.trend(ctx, line.Person, asked.Game)
		}
		if err := cmp.Or(err, err2); err != nil {
			return nil, err
		}
		page.People, page.Trends = append(page.People, person), append(page.Trends, trend)
	}
	return page, nil
}

// trend is the recent course of somebody's rating, as a path on a [chart.Sketch]; "" if it has not
// changed.
func (b *Bot) trend(ctx context.Context, id storage.PersonID, kind string) (string, error) {
	values, err := b.Ratings.Trend(ctx, id, kind)
	if len(values) < 2 {
		return "", err
	}
	points := phrase.Each(values, func(value float64) chart.Point { return chart.Point{Value: value} })
	return (&chart.Plot{Curves: []chart.Curve{{Points: points}}}).Sketch().Lines[0], nil
}

// HomeServers are the servers in which the author of a message has played.
func (b *Bot) HomeServers(ctx context.Context, m message.Incoming) ([]storage.Server, error) {
	who, _ := b.Asker(ctx, m)
	return storage.Read(ctx, b.Store, func(r storage.Reader) (all []storage.Server, err error) {
		career, err := r.Standings(who.Me.ID)
		for s, err := range r.Servers().Each(career.Servers, storage.UnlessMissing(err)) {
			if err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(all, func(known storage.Server) bool { return known.ID == s.ID }) {
				all = append(all, s)
			}
		}
		return all, nil
	})
}

// public is the person if everyone may see their profile, else 0: they have played rated games, and
// have not taken themself off leaderboards.
func (b *Bot) public(ctx context.Context, id storage.PersonID) (storage.PersonID, error) {
	return storage.Read(ctx, b.Store, func(r storage.Reader) (storage.PersonID, error) {
		p, err := r.People().Get(id)
		career, err2 := r.Standings(id)
		if err = cmp.Or(err, err2); err != nil || p.Settings.Unranked || len(p.Identities) == 0 || len(career.Standings) == 0 {
			return 0, storage.UnlessMissing(err)
		}
		return id, nil
	})
}

// Profile is a person's profile, in a language.
type Profile struct {
	*rating.Profile
	Curves        *chart.Plot     // how their ratings changed, nil if none has
	Tallies       [2]*chart.Tally // how games have ended for them with people, and with the computer
	Facts         []words.Text
	Bestiary      []Bestiary
	Beasts, Known int // in all games: how many kinds they have made, and how many have a name
}

// Profile is a person's profile for the author of a message: their own, or that of somebody on
// leaderboards; [ErrNothing] for anybody else.
func (b *Bot) Profile(ctx context.Context, m message.Incoming, id storage.PersonID) (*Profile, error) {
	r, _ := b.Asker(ctx, m)
	if public, err := b.public(ctx, id); err != nil || public == 0 && (id == 0 || id != r.Me.ID) {
		return nil, cmp.Or(err, ErrNothing)
	}
	of, err := b.Ratings.Profile(ctx, r.by(), id, 0)
	if err != nil {
		return nil, err
	}
	l := r.Language()
	p := &Profile{Profile: of, Curves: words.ProfileCurves(of), Tallies: [2]*chart.Tally{words.ProfileTally(of), words.ComputerTally(of)}}
	for _, fact := range words.ProfileFacts(of) {
		p.Facts = append(p.Facts, words.If(fact != nil, fact.In(l))...)
	}
	for _, v := range b.Games.Variants() {
		if kinds := bestiary(v, of.Kept, l); kinds.All > 0 {
			p.Bestiary = append(p.Bestiary, kinds)
			p.Beasts, p.Known = p.Beasts+kinds.Made, p.Known+kinds.All
		}
	}
	return p, nil
}

// Bestiary is the kinds of pieces with a name that can be made in a game, and those without one that somebody has made.
type Bestiary struct {
	Key, Game string
	Made, All int // of those with a name
	Beasts    []Beast
}

// Beast is a kind of piece in a Bestiary.
type Beast struct {
	Code, Name string
	rating.Kept
}

func bestiary(v *rules.Variant, kept map[rating.KindOfPiece]rating.Kept, l phrase.Language) Bestiary {
	found := Bestiary{Key: v.Key, Game: v.Title().Text(l)}
	for _, p := range made(v) {
		sign := rating.SignOf(v.Table, p)
		name := v.Noun(rules.Piece{White: p.White}).Text(l)
		if p.Shared() { // the colours of its halves matter
			name += " + " + v.Noun(rules.Piece{White: p.Black}).Text(l)
		}
		b := Beast{codeOf(v, p), name, kept[rating.KindOfPiece{Key: v.Key, Sign: sign}]}
		if named(v, p) {
			found.All++
			if b.First != 0 {
				found.Made++
			}
		} else if b.First == 0 {
			continue
		}
		found.Beasts = append(found.Beasts, b)
	}
	return found
}

// fresh are the kinds of pieces that somebody has made for the first time in a game that has ended.
func (b *Bot) fresh(ctx context.Context, view *match.GameView, id storage.PersonID, l phrase.Language) (all []Beast, err error) {
	if _, plays := view.Game.SideOf(id); !plays || !view.Game.Over() || !view.Game.Gathers() {
		return nil, nil
	}
	firsts, err := storage.Read(ctx, b.Store, func(r storage.Reader) ([]storage.FirstMade, error) { return r.FirstMade(id) })
	kept := map[rating.KindOfPiece]rating.Kept{}
	for _, f := range firsts {
		if f.Game == view.Game.ID {
			kept[rating.KindOfPiece{Key: f.Kind, Sign: f.Piece}] = rating.Kept{First: f.Game}
		}
	}
	for _, beast := range bestiary(view.Variant, kept, l).Beasts {
		all = append(all, words.If(beast.First != 0, beast)...)
	}
	return all, err
}

// made are the pieces that can be made in a game, in the order of its piece table, with those of both
// sides if there are any.
func made(v *rules.Variant) (all []rules.Piece) {
	start, _ := v.Position("") // it is the game's own
	board := start.Board()
	for r, one := range v.Table {
		for s, other := range v.Table {
			p := rules.Piece{White: rules.Role(r), Black: rules.Role(s)}
			if one.Royal || one.Pawn || other.Royal || other.Pawn || v.Shares() != p.Shared() || p.White == rules.NoRole || slices.Contains(board[:], p) {
				continue
			}
			all = append(all, p)
		}
	}
	return all
}

// named reports whether a piece has a name, not just letters.
func named(v *rules.Variant, p rules.Piece) bool { return v.Noun(p).String() != v.Table.Code(p) }

// codeOf is the code of a piece in addresses.
func codeOf(v *rules.Variant, p rules.Piece) string {
	return strings.Replace(rating.SignOf(v.Table, p), "/", "-", 1)
}

// pieceOf is the piece with a code of codeOf; none if the game has no such piece.
func pieceOf(v *rules.Variant, code string) rules.Piece {
	p := rating.PieceOf(v.Table, strings.Replace(code, "-", "/", 1))
	return words.Either(p.White == rules.NoRole || p.Shared() && !v.Shares(), rules.Piece{}, p)
}
