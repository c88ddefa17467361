package bot

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"chimera/bot/computer"
	"chimera/bot/event"
	"chimera/bot/match"
	"chimera/bot/message"
	"chimera/bot/season"
	"chimera/bot/words"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// inLeague is a league as one person sees it.
type inLeague struct {
	season.Seen
	kind phrase.Phrase // the name of its game
}

// leaguesOf are the leagues of the request's server, or without one, those that a person is in; of a variant if not "".
func (b *Bot) leaguesOf(ctx context.Context, r Request, whose storage.Person, variant string) (found []inLeague, _ error) {
	all, err := b.Seasons.Leagues(ctx, r.Server.ID, whose.ID)
	for _, l := range all {
		if v := b.Games.Variant(l.Variant); v != nil && (variant == "" || variant == l.Variant) {
			found = append(found, inLeague{l, v.Title()})
		}
	}
	return found, err
}

// league shows a league, or does what the request asks about it.
func league(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	whose, err := b.whose(ctx, r)
	all, err2 := b.leaguesOf(ctx, r, whose, gameOf(b, r, ""))
	switch err := cmp.Or(err, err2); {
	case err != nil:
		return nil, err
	case len(all) == 0:
		none := r.answer(words.Say(words.Either(r.Server.ID == 0, "league.none-yours", "league.none")))
		none.Buttons = b.newLeagues(r)
		return none, nil
	}
	action := strings.ToLower(r.Said["action"])
	division, _ := strconv.Atoi(r.Said["division"])
	another := whose.ID != r.Me.ID
	tables := action == "table" || division != 0 || another
	if fit := slices.DeleteFunc(slices.Clone(all), func(l inLeague) bool { return (l.Member == nil) != (action == "join") }); len(fit) == 1 && (action != "" || another) {
		all = fit // the only one that can be meant
	}
	if len(all) > 1 {
		names := phrase.Each(all, func(l inLeague) phrase.Phrase {
			alike := func(other inLeague) bool { return other.Variant == l.Variant && other.ID != l.ID }
			return words.Either(slices.ContainsFunc(all, alike), words.Book().Say("league.of-server", "kind", l.kind, "n", int(l.Server)), l.kind)
		})
		said := r.answer(words.Say("league.which", "leagues", phrase.Commas(names)))
		for i, l := range all {
			verb := map[string]string{"join": "league-join", "leave": "league-leave", "history": "league-history"}[action]
			button := leagueButton(names[i], cmp.Or(verb, "league"), l.ID)
			said.Buttons = append(said.Buttons, words.Either(tables && verb == "", tableButton(names[i], l.ID, 0, cmp.Or(division, l.Division())), button))
		}
		return said, nil
	}
	l := all[0]
	switch {
	case action == "join":
		return b.joinLeague(ctx, r, l)
	case action == "leave":
		return b.askLeave(ctx, r, l)
	case action == "history":
		return b.leagueHistory(ctx, r, l)
	case another && l.Member == nil:
		return r.answer(words.Say("league.not-member", "player", whose.Name, "kind", l.kind)), nil
	case another && l.Runs && l.Member.Season != l.League.Season:
		return r.answer(words.Say("league.not-playing", "player", whose.Name, "kind", l.kind)), nil
	case tables:
		return b.leagueTable(ctx, r, l, 0, cmp.Or(division, l.Division()), whose.ID)
	}
	return b.leagueCard(ctx, r, l)
}

func leagueButton(label phrase.Phrase, verb string, l storage.LeagueID, more ...string) message.Button {
	return plainButton(label, verb, append([]string{fmt.Sprint(uint64(l))}, more...)...)
}

// tableButton shows a division; season 0 is the current or last one.
func tableButton(label phrase.Phrase, l storage.LeagueID, season, division int) message.Button {
	return leagueButton(label, "league-table", l, strconv.Itoa(season), strconv.Itoa(division))
}

// turns reports whether the answer to a press may replace the message with the button, since nobody else sees it.
func (r *Request) turns() bool { return r.Msg.Press != "" && r.Msg.Private }

// silent reports whether the asker can't be told anything in private, as far as is known.
func (b *Bot) silent(ctx context.Context, r Request) bool {
	home, err := storage.Read(ctx, b.Store, func(s storage.Reader) (storage.Place, error) { return s.Places().Find(r.Me.Home) })
	return err == nil && (home.ID == 0 || !home.Gone.IsZero()) && r.Msg.Place.Platform != season.OneRoom
}

// leagueCard shows how a league stands, with the asker's own division and games.
func (b *Bot) leagueCard(ctx context.Context, r Request, l inLeague) (*message.Message, error) {
	said := &message.Message{To: r.Me.ID, Text: words.LeagueCard(l.kind, &l.League, &l.Season, l.Members, l.Member, b.silent(ctx, r)), Step: r.turns()}
	if l.Runs && l.Member != nil && l.Member.Season == l.League.Season {
		d, err := b.Seasons.Division(ctx, l.ID, 0, l.Member.Division)
		if err != nil {
			return nil, err
		}
		whole, brief := words.LeagueTable(l.kind, d, r.Me.ID)
		mine := d.GamesOf(r.Me.ID)
		games := words.If(len(mine) > 0, words.Say("league.games", "games", phrase.Commas(phrase.Each(mine, words.Hash)))...)
		said.Text, said.Brief = words.Join("\n", said.Text, whole, games), words.Join("\n", said.Text, brief, games)
		said.Chart = words.LeagueChart(b.Games.Variant(l.Variant), d, r.Me.ID, r.Location())
	}
	if l.Member != nil {
		said.Buttons = append(said.Buttons, leagueButton(words.Label("leave"), "league-leave", l.ID))
	} else if !l.Off {
		said.Buttons = append(said.Buttons, leagueButton(words.Label("join"), "league-join", l.ID))
	}
	if l.League.Season != 0 {
		said.Buttons = append(said.Buttons, tableButton(words.Label("table"), l.ID, 0, l.Division()), leagueButton(words.Label("history"), "league-history", l.ID))
	}
	return said, nil
}

// leagueTable shows division n of the season of a number, with one person's line in bold.
func (b *Bot) leagueTable(ctx context.Context, r Request, l inLeague, number, n int, whose storage.PersonID) (*message.Message, error) {
	if l.League.Season == 0 {
		return r.answer(words.Say("league.no-season")), nil
	}
	d, err := b.Seasons.Division(ctx, l.ID, number, n)
	if storage.Missing(err) {
		return r.answer(words.Say("league.no-division", "division", n, "n", l.Season.Divisions)), nil
	}
	if err != nil {
		return nil, err
	}
	said := &message.Message{To: r.Me.ID, Step: r.Msg.Press != ""}
	said.Text, said.Brief = words.LeagueTable(l.kind, d, whose)
	said.Chart = words.LeagueChart(b.Games.Variant(l.Variant), d, whose, r.Location())
	said.Buttons = append(said.Buttons, words.If(n > 1, tableButton(words.Label("before"), l.ID, d.Season.Number, n-1))...)
	said.Buttons = append(said.Buttons, words.If(n < d.Season.Divisions, tableButton(words.Label("after"), l.ID, d.Season.Number, n+1))...)
	said.Buttons = append(said.Buttons, leagueButton(words.Label("export"), "league-export", l.ID, strconv.Itoa(d.Season.Number), strconv.Itoa(n)))
	return said, nil
}

// exportDivision gives the ended games of a division as one file in PGN.
func (b *Bot) exportDivision(ctx context.Context, r Request, l inLeague, number, n int) (*message.Message, error) {
	d, err := b.Seasons.Division(ctx, l.ID, number, n)
	if err != nil {
		return nil, err
	}
	var games []string
	for _, result := range d.Results {
		if result.Outcome == season.Pending {
			continue
		}
		text, err := b.Archive.Export(ctx, result.Game)
		if err != nil && !match.Unfit(err) {
			return nil, err
		}
		games = append(games, words.If(err == nil, text)...)
	}
	if len(games) == 0 {
		return r.answer(words.Say("league.none-ended")), nil
	}
	file := &message.File{Name: fmt.Sprintf("chimera-%s-%d-%d.pgn", l.Variant, d.Season.Number, n), Content: strings.Join(games, "\n")}
	return &message.Message{To: r.Me.ID, Text: words.Say("league.exported", "n", len(games)), File: file}, nil
}

// listedSeasons is how many seasons a list shows.
const listedSeasons = 20

func (b *Bot) leagueHistory(ctx context.Context, r Request, l inLeague) (*message.Message, error) {
	all, err := b.Seasons.Seasons(ctx, l.ID, listedSeasons)
	if err != nil || len(all) == 0 {
		return r.answer(words.Say("league.no-season")), err
	}
	said := &message.Message{To: r.Me.ID, Text: words.Lines(append([]words.Text{words.Say("league.history", "kind", l.kind)}, phrase.Each(all, words.LeagueSeason)...)), Step: r.Msg.Press != ""}
	for i, d := range all {
		number := d.Season.Number
		said.Buttons = append(said.Buttons, tableButton(phrase.As(strconv.Itoa(number)), l.ID, number, 1).Beside(i+2))
	}
	return said, nil
}

func (b *Bot) joinLeague(ctx context.Context, r Request, l inLeague) (*message.Message, error) {
	if l.Member == nil {
		if _, err := b.Seasons.Join(ctx, r.by(), l.ID); err != nil {
			return nil, err
		}
	}
	// Until the first season, the terms stand above the button. Others need that, too.
	if l.Member != nil || r.Msg.Press != "" && !r.turns() && l.League.Season == 0 {
		return r.answer(words.Join(" ", words.Say("league.joined"), words.If(b.silent(ctx, r), words.Say("league.no-chat")...))), nil
	}
	all, err := b.leaguesOf(ctx, r, r.Me, l.Variant)
	if err != nil || len(all) == 0 {
		return r.answer(words.Say("league.joined")), err
	}
	said, err := b.leagueCard(ctx, r, all[0])
	if err == nil {
		said.Text = words.Of(words.Say("league.joined"), "\n", said.Text)
	}
	return said, err
}

// askLeave lets somebody leave a league; if they would lose running games, it asks first.
func (b *Bot) askLeave(ctx context.Context, r Request, l inLeague) (*message.Message, error) {
	if l.Member == nil {
		return nil, &event.Refusal{Why: event.NotInLeague}
	}
	running := 0
	if l.Runs && l.Member.Season == l.League.Season {
		d, err := b.Seasons.Division(ctx, l.ID, 0, l.Member.Division)
		if err != nil {
			return nil, err
		}
		running = len(d.GamesOf(r.Me.ID))
	}
	if running == 0 {
		return b.leaveLeague(ctx, r, l)
	}
	return &message.Message{To: r.Me.ID, Text: words.Say("league.leave-sure", "kind", l.kind, "n", running), Buttons: []message.Button{
		leagueButton(words.Label("yes"), "league-leave-yes", l.ID), leagueButton(words.Label("no"), "league", l.ID),
	}}, nil
}

func (b *Bot) leaveLeague(ctx context.Context, r Request, l inLeague) (*message.Message, error) {
	_, err := b.Seasons.Leave(ctx, r.by(), l.ID)
	return r.answer(words.Say("league.left", "kind", l.kind)), err
}

// pressLeague makes a handler of a button whose first argument is a league.
func pressLeague(do func(*Bot, context.Context, Request, inLeague) (*message.Message, error)) handler {
	return func(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
		id, _ := strconv.ParseUint(r.Args[0], 10, 64) // 0 is no league
		all, err := b.leaguesOf(ctx, r, r.Me, "")
		i := slices.IndexFunc(all, func(l inLeague) bool { return uint64(l.ID) == id })
		switch {
		case err != nil:
			return nil, err
		case i < 0:
			return r.answer(words.Say("request.old-button")), nil
		}
		return do(b, ctx, r, all[i])
	}
}

// ofDivision makes a handler of a button whose arguments are a league, a season and a division.
func ofDivision(do func(b *Bot, ctx context.Context, r Request, l inLeague, number, n int) (*message.Message, error)) handler {
	return pressLeague(func(b *Bot, ctx context.Context, r Request, l inLeague) (*message.Message, error) {
		number, err := strconv.Atoi(r.Args[1])
		n, err2 := strconv.Atoi(r.Args[2])
		if err != nil || err2 != nil {
			return r.answer(words.Say("request.old-button")), nil
		}
		return do(b, ctx, r, l, number, n)
	})
}

// turnTable shows a division, with the asker's line in bold.
func (b *Bot) turnTable(ctx context.Context, r Request, l inLeague, number, n int) (*message.Message, error) {
	return b.leagueTable(ctx, r, l, number, n, r.Me.ID)
}

var weeksForm = regexp.MustCompile(`(?i)^([0-9]{1,2})w$`)

// Left records that an account has left the server of a place: its person leaves that server's leagues and ladders.
func (b *Bot) Left(ctx context.Context, account, at storage.Address) error {
	who, err := b.Users.Known(ctx, account, at)
	if err != nil {
		return storage.UnlessMissing(err)
	}
	return b.Seasons.Bar(ctx, event.By{Place: who.Place.ID}, who.Person.ID)
}

// newLeagues are buttons with which a manager sets up a league, one for each kind of game.
func (b *Bot) newLeagues(r Request) []message.Button {
	games := words.If(r.Server.ID != 0 && r.Msg.Manager, b.Games.Variants()...)
	return phrase.Each(games, func(v *rules.Variant) message.Button { return plainButton(v.Title(), "league-new", v.Key) })
}

// setLeague sets up, changes or ends a league of a server; a press that names none of its terms is asked about first.
func setLeague(ctx context.Context, b *Bot, r Request) (*message.Message, error) {
	n := leadingVariant(b.Games.Variants(), r.Args)
	v := variantNamed(b.Games.Variants(), r.Args[:n]...)
	bounds := []any{"least", season.LeastWeeks, "most", season.MostWeeks, "small", season.LeastSize, "large", season.MostSize}
	how := r.answer(words.Say("league.how", bounds...))
	bad := func(what, word string) *message.Message {
		return r.answer(words.Join(" ", words.Say("league.bad", append(bounds, "what", what, "word", words.Clip(word))...), how.Text))
	}
	switch {
	case v == nil && len(r.Args) > 0:
		return bad("word", r.Args[0]), nil
	case v == nil:
		how.Buttons = b.newLeagues(r)
		return how, nil
	}
	zone := storage.ZoneOf(r.Server.Settings.Zone)
	terms := season.Terms{Variant: v.Key, Weeks: season.UsualWeeks, Size: season.UsualSize}
	known, err := b.leaguesOf(ctx, r, r.Me, v.Key)
	if err != nil {
		return nil, err
	} else if len(known) > 0 {
		terms.Weeks, terms.Size = known[0].Weeks, known[0].Size
	}
	if r.Msg.Press != "" && len(r.Args) == n {
		sure := r.answer(words.Say("league.new-sure", "kind", v.Title(), "weeks", terms.Weeks, "size", terms.Size))
		sure.Buttons = []message.Button{plainButton(words.Label("yes"), "league-set", v.Key, fmt.Sprintf("%dw", terms.Weeks), strconv.Itoa(terms.Size))}
		return sure, nil
	}
	if len(r.Args) == n+1 && strings.EqualFold(r.Args[n], "off") {
		_, err := b.Seasons.TurnOff(ctx, r.by(), v.Key)
		return r.answer(words.Say("league.turned-off", "kind", v.Title(), "runs", len(known) > 0 && (known[0].Runs || known[0].Draft != 0))), err
	}
	day, hour, unknown := readTerms(r.Args[n:], zone, &terms)
	if unknown != "" {
		return bad("word", unknown), nil
	}
	if !day.IsZero() || !hour.IsZero() {
		if len(known) > 0 && !known[0].Next.IsZero() && !known[0].Waits { // what is not said stays
			next := known[0].Next.In(zone)
			day, hour = words.Either(day.IsZero(), next, day), words.Either(hour.IsZero(), season.HourOf(&known[0].League, next), hour)
		}
		terms.Begins, terms.Hour = b.Seasons.First(zone, day, hour), words.Either(hour.IsZero(), "", hour.Format("15:04"))
	}
	_, err = b.Seasons.SetUp(ctx, r.by(), terms)
	if event.IsRefused(err, event.BadValue) {
		odd := words.Either(terms.Size < season.LeastSize || terms.Size > season.MostSize, "size", "day")
		return bad(words.Either(terms.Weeks < season.LeastWeeks || terms.Weeks > season.MostWeeks, "weeks", odd), ""), nil
	}
	all, err2 := b.leaguesOf(ctx, r, r.Me, v.Key)
	if err := cmp.Or(err, err2); err != nil || len(all) == 0 {
		return nil, err
	}
	said := &message.Message{To: r.Me.ID, Text: words.Say("league.set", "kind", v.Title(), "weeks", terms.Weeks, "size", terms.Size)}
	undated := !terms.Begins.IsZero() && (all[0].Runs || all[0].Draft != 0)
	said.Text = words.Join(" ", said.Text, words.LeagueState(&all[0].League, &all[0].Season, all[0].Members), words.If(undated, words.Say("league.undated")...))
	week := words.Either(all[0].Next.IsZero(), time.Time{}, b.Seasons.First(zone, time.Time{}, time.Time{}).In(zone))
	said.Step, said.Buttons = r.Msg.Press != "", termsButtons(terms, week)
	return said, nil
}

// readTerms reads how many weeks and how large into terms, and on which day and at which hour; unknown is the first word
// that is none of these.
func readTerms(said []string, zone *time.Location, terms *season.Terms) (day, hour time.Time, unknown string) {
	for _, word := range said {
		date, noDate := time.ParseInLocation(time.DateOnly, word, zone)
		clock, noHour := time.Parse("15:04", word)
		size, noSize := strconv.Atoi(word)
		switch weeks := weeksForm.FindStringSubmatch(word); {
		case noDate == nil:
			day = date
		case noHour == nil:
			hour = clock
		case weeks != nil:
			terms.Weeks, _ = strconv.Atoi(weeks[1])
		case noSize == nil:
			terms.Size = size
		default:
			return day, hour, word
		}
	}
	return day, hour, ""
}

// termsButtons change the terms of a league, or end it; its next season may begin on a day of the week from
// day on, unless that is zero.
func termsButtons(t season.Terms, day time.Time) (all []message.Button) {
	add := func(label phrase.Phrase, word string) {
		all = append(all, plainButton(label, "league-term", t.Variant, word).Choose(phrase.As("")))
	}
	for _, weeks := range []int{season.LeastWeeks, season.UsualWeeks, 2 * season.UsualWeeks, season.MostWeeks} {
		if weeks != t.Weeks {
			add(words.Book().Say("label.weeks", "n", weeks), fmt.Sprintf("%dw", weeks))
		}
	}
	for size := season.LeastSize; size <= season.MostSize; size += 2 {
		if size != t.Size {
			add(words.Book().Say("label.division", "n", size), strconv.Itoa(size))
		}
	}
	if !day.IsZero() {
		for ahead := range 7 {
			on := day.AddDate(0, 0, ahead)
			add(words.Day(on), on.Format(time.DateOnly))
		}
		for _, hour := range []string{"10:00", "12:00", "14:00", "16:00", "18:00", "19:00", "20:00", "21:00"} {
			add(phrase.As(hour), hour)
		}
	}
	return append(all, plainButton(words.Label("league-off"), "league-off", t.Variant, "off"))
}

// tellLeague tells a server what has happened in its league.
func (b *Bot) tellLeague(ctx context.Context, n *notice) (said message.Message, err error) {
	of := event.PayloadOf[event.League](&n.Entry)
	l, s, members, err := b.Seasons.League(ctx, of.League, of.Season)
	v := b.Games.Variant(l.Variant)
	if err != nil || v == nil {
		return said, storage.UnlessMissing(err)
	}
	join := leagueButton(words.Label("join"), "league-join", l.ID)
	show := []message.Button{leagueButton(words.Label("league"), "league", l.ID), tableButton(words.Label("table"), l.ID, s.Number, 1)}
	if n.what == event.Withdrawn {
		said := words.Say("league.withdrawn", "kind", v.Title(), "number", s.Number, "n", of.Lost, "again", bool(of.Again))
		return say(said, words.If(!bool(of.Again), show...)...) // else they are in it no more
	}
	if n.what == event.SeasonWaits || n.what == event.LeagueSet {
		return say(words.LeagueCard(v.Title(), &l, &s, members, nil, false), words.If(!l.Off, join)...)
	}
	var first *season.Division
	var ups, downs, idle []string // who goes up, who goes down, and who has not moved
	played, settled := 0, false
	for number := 1; number <= s.Divisions; number++ {
		d, err := b.Seasons.Division(ctx, l.ID, s.Number, number)
		if err != nil {
			return said, err
		}
		first = cmp.Or(first, d)
		played, settled = played+len(d.Standings), settled || d.Settled()
		up, down := d.Exchanged()
		for i, s := range d.Order() {
			name := d.Names[d.Line(s.Seat)]
			ups, downs = append(ups, words.If(i < up, name)...), append(downs, words.If(i >= len(d.Standings)-down, name)...)
			idle = append(idle, words.If(!s.Out && d.Idle[s.Seat], name)...)
		}
	}
	switch {
	case first == nil:
		return said, nil
	case n.what == event.SeasonBegan:
		ends := words.Span{Moment: s.Ends}
		return say(words.Say("league.began", "kind", v.Title(), "number", s.Number, "n", played, "divisions", s.Divisions, "at", ends), show...)
	case n.what == event.SeasonHalf:
		return say(words.LeagueHalf(v.Title(), first, idle), show...)
	}
	ended := words.LeagueEnded(v.Title(), &l, first, ups, downs, settled)
	whole, brief := words.LeagueTable(v.Title(), first, 0)
	ended = words.Join("\n", ended, b.toRemember(ctx, first))
	said.Text, said.Brief = words.Join("\n", ended, whole), words.Join("\n", ended, brief)
	said.Chart, said.Buttons = words.LeagueChart(v, first, 0, storage.ZoneOf(n.in.Settings.Zone)), append(show, words.If(!l.Off, join)...)
	return said, nil
}

// toRemember tells which game of a division had the largest swing, if a review finds one. Games whose reviews are not
// ready in time are left out.
func (b *Bot) toRemember(ctx context.Context, d *season.Division) (told words.Text) {
	const patience = 10 * time.Second
	ctx, end := context.WithTimeout(ctx, patience)
	defer end()
	most := .2 // of the chances: less is no swing
	for _, played := range d.Results {
		review, going, err := b.Thinker.Review(ctx, 0, played.Game, patience)
		if err != nil || going != nil {
			continue
		}
		if ply, lost := computer.Swing(b.Games.Variant(d.League.Variant), review.Scores); lost > most {
			most, told = lost, words.LeagueGame(d, played, ply, lost)
		}
	}
	return told
}
