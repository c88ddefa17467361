package words

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"chimera/bot/rating"
	"chimera/render/chart"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Top tells a leaderboard in words; brief leaves out what its picture shows.
func Top(ask rating.Asked, found *rating.Leaderboard, v *rules.Variant) (whole, brief Text) {
	title, notes := topTitle(ask, found, v)
	all := []Text{Say("top.title", "title", title, "n", len(notes), "notes", phrase.Commas(notes))}
	for above, l := range linesOf(found, book.Say("top.provisional")) {
		line := Say(known("top.line-"+string(ask.Period), "top.line-points"), "rank", l.Rank, "player", l.Name, "n", figureOfLine(ask, l),
			"rating", RatingWords(l.Value, l.Deviation, l.Unsure), "games", l.Games, "wins", l.Wins, "streak", l.Row)
		all = append(all, Of(above), boldIf(l.Person == ask.Asker, line))
	}
	all = append(all, phrase.Each(TopFacts(ask, found), func(fact phrase.Phrase) Text { return Of(fact) })...)
	remarks := TopRemarks(ask, found)
	if _, past := pastMonth(ask.Period); nobody(found) && !past && !hidden(found) {
		remarks[0] = Join(" ", remarks[0], Say(known("top.be-first-"+string(ask.Period), "top.be-first")))
	}
	return Lines(append(all, remarks...)), Lines(append([]Text{all[0]}, remarks...))
}

// TopChart is a leaderboard as a picture, nil if nobody is on it.
func TopChart(ask rating.Asked, found *rating.Leaderboard, v *rules.Variant) *chart.Chart {
	if nobody(found) {
		return nil
	}
	about, notes := topTitle(ask, found, v)
	if _, past := pastMonth(ask.Period); !past {
		notes = append(notes, chart.Date(found.At))
	}
	ranking := TopRanking(ask, found)
	picture := &chart.Chart{Title: book.Say("chart.leaderboard"), About: about, Note: remark(notes...), Crest: crestOf(v), Parts: []chart.Part{&ranking}}
	if facts := chart.Facts(TopFacts(ask, found)); len(facts) > 0 {
		picture.Parts = append(picture.Parts, &facts)
	}
	return picture
}

// TopRanking are the lines of a leaderboard as its picture shows them.
func TopRanking(ask rating.Asked, found *rating.Leaderboard) chart.Ranking {
	ranking := chart.Ranking{Bars: ask.Period != rating.Ever, Unit: book.Say("chart.points")}
	if slices.Contains([]rating.Period{rating.Ever, rating.Games, rating.Streak, rating.Combiner, rating.Computer, rating.Champion}, ask.Period) {
		ranking.Unit = PeriodName(ask.Period)
	}
	for above, l := range linesOf(found, book.Say("chart.provisional")) {
		row := rowOf(ask, l)
		row.Above = above
		ranking.Rows = append(ranking.Rows, row)
	}
	return ranking
}

// TableOf lists the people of a chart's rankings and crosstables in rows below headings; nil if it has neither.
func TableOf(c *chart.Chart) (rows [][]Text) {
	add := func(rank int, name string, mine bool, cells ...Text) {
		rows = append(rows, append([]Text{Of(Either(rank > 0, fmt.Sprint(rank, ". "), ""), Span{Words: name, Style: Either(mine, Bold, Plain)})}, cells...))
	}
	for _, part := range c.Parts {
		switch part := part.(type) {
		case *chart.Ranking:
			rows = append(rows, []Text{Say("table.name"), Of(part.Unit)})
			for _, row := range part.Rows {
				rows = append(rows, If(!row.Above.IsZero(), []Text{Of(row.Above)})...)
				add(row.Rank, row.Name, row.Mine, append([]Text{Join(" ", Of(row.Score), Of(row.Spread))}, If(!row.Note.IsZero(), Of(row.Note))...)...)
			}
		case *chart.Crosstable:
			rows = append(rows, []Text{Say("table.name"), Of(part.Unit)})
			for _, row := range part.Rows {
				add(row.Place, row.Name, row.Mine, Of(row.Points), Of(strings.Join(phrase.Each(row.Results, func(r chart.Result) string { return cmp.Or(r.String(), "–") }), " ")))
			}
		}
	}
	return rows
}

// TopRemarks tell why nobody is on a leaderboard, and why the asker is not.
func TopRemarks(ask rating.Asked, found *rating.Leaderboard) (all []Text) {
	month, past := pastMonth(ask.Period)
	all = append(all, If(nobody(found), Say(Either(past, "top.nobody-past", "top.nobody"), "other", hidden(found), "month", month))...)
	switch {
	case found.Absent == rating.OptedOut:
		all = append(all, Say("top.opted-out"))
	case found.Absent == rating.TakenOff:
		all = append(all, Say("top.taken-off"))
	case found.Absent != rating.NotPlayed, nobody(found):
	case past:
		all = append(all, Say("top.not-played", "month", month))
	default:
		all = append(all, Say(known("top.not-you-"+string(ask.Period), "top.not-you")))
	}
	return all
}

// TopTitle is the game that a leaderboard is about, and notes on its period and place.
func TopTitle(ask rating.Asked, found *rating.Leaderboard, v *rules.Variant) (title, notes phrase.Phrase) {
	title, all := topTitle(ask, found, v)
	return title, remark(all...)
}

func topTitle(ask rating.Asked, found *rating.Leaderboard, v *rules.Variant) (title phrase.Phrase, notes []phrase.Phrase) {
	title = book.Say("top.all-games")
	if v != nil {
		title = v.Title()
	}
	if month, past := pastMonth(ask.Period); past {
		notes = append(notes, month)
	} else if ask.Period != rating.Ever {
		notes = append(notes, book.Say("top.of-"+string(ask.Period)))
	}
	if ask.Server == 0 {
		notes = append(notes, book.Say("top.everywhere"))
	} else if ask.Where != "" {
		notes = append(notes, book.Say("top.in-server", "server", ask.Where))
	}
	notes = append(notes, If(found.Final, book.Say("top.final"))...)
	return title, notes
}

// remark joins the notes that follow a title.
func remark(notes ...phrase.Phrase) phrase.Phrase {
	return book.Say("top.note", "notes", phrase.Commas(notes))
}

// PeriodName says what leaderboards of a period count, or which time they cover. The period must not be a month.
func PeriodName(p rating.Period) phrase.Phrase {
	return Either(p == rating.Ever, book.Say("chart.ratings"), remark(book.Say("top.of-"+string(p))))
}

func nobody(found *rating.Leaderboard) bool { return len(found.Lines)+len(found.Guesses) == 0 }

// hidden reports whether the asker is on no leaderboard by their choice or a manager's.
func hidden(found *rating.Leaderboard) bool {
	return found.Absent == rating.OptedOut || found.Absent == rating.TakenOff
}

// pastMonth is the month that a leaderboard is about, if it is about one.
func pastMonth(p rating.Period) (phrase.Phrase, bool) {
	month, ok := storage.ParseMonth(string(p))
	begins := month.Begins()
	return book.Say("top.past-month", "month", int(begins.Month()), "year", begins.Year()), ok
}

// linesOf are the lines of a leaderboard, each with what stands above it: a heading, "…" where people are
// left out, or nothing.
func linesOf(found *rating.Leaderboard, provisional phrase.Phrase) iter.Seq2[phrase.Phrase, rating.Line] {
	return func(yield func(phrase.Phrase, rating.Line) bool) {
		heading := phrase.Phrase{}
		for _, lines := range [][]rating.Line{found.Lines, found.Guesses} {
			for i, l := range lines {
				above := heading
				if i > 0 && (lines[i-1].Place == 0 || l.Place != lines[i-1].Place+1) {
					above = phrase.As("…")
				}
				if !yield(above, l) {
					return
				}
				heading = phrase.Phrase{}
			}
			heading = provisional
		}
	}
}

// TopFacts are sentences about a leaderboard as a whole.
func TopFacts(ask rating.Asked, found *rating.Leaderboard) []phrase.Phrase {
	if ask.Period != rating.Ever && found.All <= rating.PageSize || found.All+found.Unsure == 0 {
		return nil
	}
	if ask.Period != rating.Ever {
		return []phrase.Phrase{book.Say("top.people", "n", found.All)}
	}
	people := Either(found.Unsure == 0, "top.people", Either(found.All == 0, "top.all-provisional", "top.people-and-provisional"))
	facts := []phrase.Phrase{
		book.Say("top.order", "provisional", found.Unsure), book.Say(people, "n", cmp.Or(found.All, found.Unsure), "provisional", found.Unsure),
	}
	return append(facts, phrase.Each(found.Most, func(best rating.Best) phrase.Phrase {
		return book.Say("top.best-"+string(best.What), "player", best.Name, "others", best.Others, "n", phrase.Decimal(best.Score, 2))
	})...)
}

// figureOfLine is the figure that a leaderboard shows for somebody.
func figureOfLine(ask rating.Asked, l rating.Line) any {
	return phrase.Decimal(l.Value, Either(ask.Period == rating.Combiner, 2, 1))
}

func rowOf(ask rating.Asked, l rating.Line) chart.Row {
	row := chart.Row{
		Rank: l.Rank, Name: l.Name, Note: Either(l.Games > 0, book.Say("chart.games", "n", l.Games), phrase.Phrase{}), Mine: l.Person == ask.Asker,
		Value: l.Value, Low: l.Value - 2*l.Deviation, High: l.Value + 2*l.Deviation,
	}
	if ask.Period == rating.Ever {
		value, spread, _ := strings.Cut(RatingWords(l.Value, l.Deviation, l.Unsure), "±")
		row.Score, row.Spread, row.Unsure = phrase.As(value), phrase.As("±"+spread), l.Unsure
		return row
	}
	if ask.Period == rating.Games || ask.Period == rating.Combiner {
		row.Note = book.Say("chart.won", "n", l.Wins)
	}
	figure := figureOfLine(ask, l)
	row.Score, row.Spread = book.Say("chart.figure", "n", figure), book.Say(known("chart.unit-"+string(ask.Period), "chart.unit-points"), "n", figure)
	return row
}

// aKing is a piece table with only a king, for no game in particular.
//
//nolint:gochecknoglobals // never written
var aKing = rules.Table{{}, {Glyph: "king", Royal: true}}

// crestOf shows the piece that a game is known by; a king for nil, which means all games together.
func crestOf(v *rules.Variant) *chart.Crest {
	if v == nil {
		return &chart.Crest{Table: aKing, Piece: rules.PieceOf(rules.White, 1)}
	}
	return &chart.Crest{Table: v.Table, Piece: Emblem(v)}
}

// Emblem is the piece that a game is known by: the largest that can be put together in it, of both sides
// where they share pieces, else the last of its simple ones.
func Emblem(v *rules.Variant) rules.Piece {
	best, next := rules.NoRole, rules.NoRole
	for r, info := range v.Table {
		if !info.Royal && !info.Pawn && len(v.Table.Simple(rules.Role(r))) >= max(1, len(v.Table.Simple(best))) {
			best, next = rules.Role(r), best
		}
	}
	return Either(v.Shares(), rules.Piece{White: next, Black: best}, rules.PieceOf(rules.White, best))
}

// RatingWords is "1612±70", and "1612±170?" while it is provisional.
func RatingWords(value, deviation float64, unsure bool) string {
	return fmt.Sprintf("%.0f±%.0f", value, 2*deviation) + Either(unsure, "?", "")
}

// KindRating is somebody's rating in a kind of game.
func KindRating(k rating.Kind) string { return RatingWords(k.Standing.Value, k.Deviation, k.Unsure) }

// Profile tells what somebody has achieved; server is where it is told, 0 outside any.
func Profile(p *rating.Profile, server storage.ServerID) Text {
	all := []Text{profileHead(p)}
	for _, k := range p.Kinds {
		s := &k.Standing
		all = append(all, Say("top.kind", "kind", KindName(k), "rating", KindRating(k),
			"wins", s.Wins, "draws", s.Draws, "losses", s.Losses, "rank", k.Rank, "here", server != 0))
	}
	var colours []phrase.Phrase
	for side, s := range p.Colors {
		colours = append(colours, If(s.Games() > 0, book.Say("top.as-colour", "side", rules.Color(side), "score", scoreOf(s)))...)
	}
	against := phrase.Each(p.Against, func(v rating.Versus) phrase.Phrase {
		return book.Say("top.against", "player", v.Name, "score", scoreOf(v.Score))
	})
	made := phrase.Each(p.Made, func(m rating.Made) phrase.Phrase { return book.Say("top.made", "piece", m.Noun, "n", m.Times) })
	all = append(all, ProfileFacts(p)...)
	return Lines(append(all, listed("top.colours", "scores", colours), listed("top.opponents", "scores", against), listed("top.hybrids", "pieces", made)))
}

// listed is a sentence with items in it, nil if there are none.
func listed(key, part string, items []phrase.Phrase) Text {
	return If(items != nil, Say(key, part, phrase.Commas(items))...)
}

// profileHead tells what somebody is playing.
func profileHead(p *rating.Profile) Text {
	playing := phrase.Each(p.Games, func(g rating.Current) phrase.Phrase {
		return book.Say("top.playing", "game", Hash(g.ID), "kind", g.Game, "opponent", g.Opponent)
	})
	head := Say("top.profile", "player", p.Person.Name, "n", p.Now, "away", p.Person.Away(),
		"shown", len(playing), "games", phrase.Commas(playing), "more", p.Now > len(playing))
	return Join(" ", head, If(len(p.Kinds) == 0, Say("top.no-rated")...))
}

// ProfileFacts are sentences about somebody's play, except ratings, scores and hybrids; some may be empty.
func ProfileFacts(p *rating.Profile) (all []Text) {
	unsure := slices.ContainsFunc(p.Kinds, func(k rating.Kind) bool { return k.Unsure })
	all = append(all, If(len(p.Kinds) > 0, Say("top.plus-minus", "unsure", unsure))...)
	beaten := phrase.Each(p.Beaten, func(f rating.Feat) phrase.Phrase { return book.Say("top.feat", "kind", f.Game, "level", f.Level) })
	titles := phrase.Each(p.Titles, func(t rating.Title) phrase.Phrase {
		return book.Say("top.champion", "kind", t.Game, "season", t.Season)
	})
	all = append(all, Of(streakWords(p)), listed("top.beaten", "feats", beaten), listed("top.titles", "titles", titles))
	if s := &p.Person.Training.Standing; s.Games() > 0 {
		all = append(all, Say("puzzle.profile", "rating", strconv.Itoa(int(math.Round(s.Value))), "solved", s.Wins, "all", s.Games()))
	}
	return all
}

func scoreOf(s rating.Score) string { return fmt.Sprintf("+%d =%d −%d", s.Won, s.Drawn, s.Lost) }

// streakWords tell of wins in a row in rated games, if there are any.
func streakWords(p *rating.Profile) phrase.Phrase {
	s := kindOf(p, storage.Overall).Standing
	return Either(s.Best > 0, book.Say("top.streak", "now", s.Streak, "best", s.Best), phrase.Phrase{})
}

// kindOf is what somebody has achieved in a kind of game; the zero value if nothing.
func kindOf(p *rating.Profile, game string) (found rating.Kind) {
	if i := slices.IndexFunc(p.Kinds, func(k rating.Kind) bool { return k.Key == game }); i >= 0 {
		found = p.Kinds[i]
	}
	return found
}

// KindName is the name of a kind of game, or of all games together.
func KindName(k rating.Kind) phrase.Phrase {
	return Either(k.Key == storage.Overall, book.Say("top.all-games"), k.Game)
}

// Compare tells how two have done, and how against each other.
func Compare(both [2]*rating.Profile, score rating.Score) Text {
	all := []Text{Say("top.compare", "player", both[0].Person.Name, "other", both[1].Person.Name,
		"won", score.Won, "drawn", score.Drawn, "lost", score.Lost)}
	told := map[string]bool{}
	for _, k := range slices.Concat(both[0].Kinds, both[1].Kinds) {
		if told[k.Key] {
			continue
		}
		told[k.Key] = true
		ratings := [2]string{"–", "–"}
		for side, p := range both {
			if own := kindOf(p, k.Key); own.Key != "" {
				ratings[side] = KindRating(own)
			}
		}
		all = append(all, Say("top.compared", "kind", KindName(k), "rating", ratings[0], "other-rating", ratings[1]))
	}
	return Lines(all)
}

// mostCourses is the most kinds of games for which a profile plots the rating.
const mostCourses = 3

// ProfileChart is a profile as a picture, nil if no game has ended.
func ProfileChart(p *rating.Profile) *chart.Chart {
	var parts []chart.Part
	plotted := p.Courses[:min(len(p.Courses), mostCourses)]
	for i, c := range plotted {
		plot := &chart.Plot{Title: c.Game, Small: i > 0, Curves: []chart.Curve{curveOf("", p, c)}}
		if k := kindOf(p, c.Key); k.Key != "" {
			plot.Figure = KindRating(k)
		}
		parts = append(parts, plot)
	}
	figures := &chart.Figures{}
	for _, k := range p.Kinds {
		if !slices.ContainsFunc(plotted, func(c rating.Course) bool { return c.Key == k.Key }) {
			figures.Rows = append(figures.Rows, chart.Figure{Name: KindName(k), Figure: phrase.As(KindRating(k))})
		}
	}
	parts = append(parts, If[chart.Part](len(figures.Rows) > 0, figures)...)
	if tally := ProfileTally(p); len(tally.Rows) > 0 {
		parts = append(parts, tally)
	}
	crest := crestOf(nil)
	if len(p.Made) > 0 {
		crest = &chart.Crest{Table: p.Made[0].Table, Piece: p.Made[0].Piece}
		parts = append(parts, &chart.Pieces{Title: book.Say("chart.hybrids"), Pieces: phrase.Each(p.Made, func(m rating.Made) chart.Count {
			return chart.Count{Table: m.Table, Piece: m.Piece, Name: m.Noun, Times: m.Times}
		})})
	}
	if streak := streakWords(p); !streak.IsZero() {
		parts = append(parts, &chart.Facts{streak})
	}
	if parts == nil {
		return nil
	}
	return &chart.Chart{
		Title: phrase.As(p.Person.Name), Crest: crest, Parts: parts,
		Note: remark(book.Say("chart.in-progress", "n", p.Now), chart.Date(p.At)),
	}
}

// ProfileCurves plots how somebody's ratings changed, one curve for each kind of game; nil if there is none.
func ProfileCurves(p *rating.Profile) *chart.Plot {
	if len(p.Courses) == 0 {
		return nil
	}
	return &chart.Plot{Title: book.Say("chart.ratings"), Small: true, Curves: phrase.Each(p.Courses[:min(len(p.Courses), mostCourses)], func(c rating.Course) chart.Curve {
		return curveOf(c.Game.Text(phrase.English), p, c)
	})}
}

// ProfileTally is somebody's scores with either color, and against those whom they have played most.
func ProfileTally(p *rating.Profile) *chart.Tally {
	tally := &chart.Tally{Title: book.Say("chart.results")}
	for side, score := range p.Colors {
		tally.Rows = append(tally.Rows, If(score.Games() > 0, scoreRow(book.Say("chart.as-colour", "side", rules.Color(side)), score))...)
	}
	for _, v := range p.Against {
		tally.Rows = append(tally.Rows, scoreRow(book.Say("chart.against", "player", v.Name), v.Score))
	}
	return tally
}

// ComputerTally is somebody's scores against each level of the computer.
func ComputerTally(p *rating.Profile) *chart.Tally {
	return &chart.Tally{Title: book.Say("chart.computer"), Rows: phrase.Each(p.Tried, func(t rating.Tried) chart.Score {
		return scoreRow(book.Say("top.feat", "kind", t.Game, "level", t.Level), t.Score)
	})}
}

func scoreRow(name phrase.Phrase, s rating.Score) chart.Score {
	return chart.Score{Name: name, Won: s.Won, Drawn: s.Drawn, Lost: s.Lost}
}

// curveOf is how somebody's rating changed in a kind of game, up to now.
func curveOf(name string, p *rating.Profile, c rating.Course) chart.Curve {
	points := c.Points
	k := kindOf(p, c.Key)
	if n := len(points); k.Key != "" && n > 0 && points[n-1].At.Before(p.At) {
		points = append(slices.Clip(points), rating.Reached{At: p.At, Value: k.Standing.Value, Deviation: k.Deviation})
	}
	return chart.Curve{Name: name, Points: phrase.Each(points, func(at rating.Reached) chart.Point {
		return chart.Point{At: at.At, Value: at.Value, Spread: 2 * at.Deviation}
	})}
}

// CompareChart shows how the ratings of two changed in the kind of game that both have
// played most, and how they played against each other; nil if there is neither.
func CompareChart(both [2]*rating.Profile, score rating.Score) *chart.Chart {
	a, b := both[0].Person.Name, both[1].Person.Name
	most := 0
	var parts []chart.Part
	for _, one := range both[0].Courses {
		for _, other := range both[1].Courses {
			if n := min(len(one.Points), len(other.Points)); one.Key == other.Key && n > most {
				most = n
				parts = []chart.Part{&chart.Plot{Title: one.Game, Curves: []chart.Curve{curveOf(a, both[0], one), curveOf(b, both[1], other)}}}
			}
		}
	}
	if score.Games() > 0 {
		other := rating.Score{Won: score.Lost, Drawn: score.Drawn, Lost: score.Won}
		parts = append(parts, &chart.Tally{Title: book.Say("chart.each-other"), Rows: []chart.Score{scoreRow(phrase.As(a), score), scoreRow(phrase.As(b), other)}})
	}
	if parts == nil {
		return nil
	}
	return &chart.Chart{Title: phrase.As(a), And: b, Parts: parts}
}
