package words

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"chimera/bot/rating"
	"chimera/render/chart"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

// Top is a leaderboard in words; in brief, without what its picture tells.
func Top(ask rating.Asked, found *rating.Leaderboard, v *rules.Variant) (whole, brief Text) {
	title, notes := topTitle(ask, found, v)
	all := []Text{Say("top.title", "title", title, "n", len(notes), "notes", phrase.Commas(notes))}
	for above, l := range linesOf(found, book.Say("top.provisional")) {
		line := Say(known("top.line-"+string(ask.Period), "top.line-points"), "rank", l.Rank, "player", l.Name, "n", figureOfLine(ask, l),
			"rating", RatingWords(l.Value, l.Deviation, l.Unsure), "games", l.Games, "wins", l.Wins, "streak", l.Row)
		if l.Person == ask.Asker {
			line[0].Style = Bold
		}
		all = append(all, Of(above), line)
	}
	for _, fact := range topFacts(ask, found) {
		all = append(all, Of(fact))
	}
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
	ranking := &chart.Ranking{Bars: ask.Period != rating.Ever, Unit: book.Say("chart.points")}
	if slices.Contains([]rating.Period{rating.Ever, rating.Games, rating.Streak, rating.Combiner, rating.Computer}, ask.Period) {
		ranking.Unit = PeriodName(ask.Period)
	}
	for above, l := range linesOf(found, book.Say("chart.provisional")) {
		row := rowOf(ask, l)
		row.Above = above
		ranking.Rows = append(ranking.Rows, row)
	}
	picture := &chart.Chart{Title: book.Say("chart.leaderboard"), About: about, Note: remark(notes...), Crest: crestOf(v), Parts: []chart.Part{ranking}}
	if facts := chart.Facts(topFacts(ask, found)); len(facts) > 0 {
		picture.Parts = append(picture.Parts, &facts)
	}
	return picture
}

// TopRemarks tell why nobody is on a leaderboard, and why the asker is not.
func TopRemarks(ask rating.Asked, found *rating.Leaderboard) (all []Text) {
	month, past := pastMonth(ask.Period)
	if nobody(found) {
		all = append(all, Say(Either(past, "top.nobody-past", "top.nobody"), "other", hidden(found), "month", month))
	}
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

// TopTitle is what a leaderboard is about, and of when and where.
func TopTitle(ask rating.Asked, found *rating.Leaderboard, v *rules.Variant) (title, notes phrase.Phrase) {
	title, all := topTitle(ask, found, v)
	return title, remark(all...)
}

func topTitle(ask rating.Asked, found *rating.Leaderboard, v *rules.Variant) (title phrase.Phrase, notes []phrase.Phrase) {
	title = book.Say("top.all-games")
	if v != nil {
		title = phrase.As(v.Name)
	}
	if month, past := pastMonth(ask.Period); past {
		notes = append(notes, month)
	} else if ask.Period != rating.Ever {
		notes = append(notes, book.Say("top.of-"+string(ask.Period)))
	}
	switch {
	case ask.Server == 0:
		notes = append(notes, book.Say("top.everywhere"))
	case ask.Where != "":
		notes = append(notes, book.Say("top.in-server", "server", ask.Where))
	}
	if found.Final {
		notes = append(notes, book.Say("top.final"))
	}
	return title, notes
}

// remark joins what stands behind a title.
func remark(notes ...phrase.Phrase) phrase.Phrase {
	return book.Say("top.note", "notes", phrase.Commas(notes))
}

// PeriodName is what leaderboards of a period that is no month count, or of when.
func PeriodName(p rating.Period) phrase.Phrase {
	if p == rating.Ever {
		return book.Say("chart.ratings")
	}
	return remark(book.Say("top.of-" + string(p)))
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
				if i > 0 && (l.Place == 0 || lines[i-1].Place == 0 || l.Place != lines[i-1].Place+1) {
					above = phrase.As("…")
				} else if i > 0 {
					above = phrase.Phrase{}
				}
				if !yield(above, l) {
					return
				}
			}
			heading = provisional
		}
	}
}

// topFacts are sentences about a leaderboard as a whole.
func topFacts(ask rating.Asked, found *rating.Leaderboard) []phrase.Phrase {
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
	for _, best := range found.Most {
		facts = append(facts, book.Say("top.best-"+string(best.What), "player", best.Name, "others", best.Others, "n", phrase.Decimal(best.Score, 2)))
	}
	return facts
}

// figureOfLine is what somebody has on a leaderboard.
func figureOfLine(ask rating.Asked, l rating.Line) any {
	if ask.Period == rating.Combiner {
		return phrase.Decimal(l.Value, 2)
	}
	return phrase.Decimal(l.Value, 1)
}

func rowOf(ask rating.Asked, l rating.Line) chart.Row {
	row := chart.Row{
		Rank: l.Rank, Name: l.Name, Note: book.Say("chart.games", "n", l.Games), Mine: l.Person == ask.Asker,
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

// aKing is the piece table of no game.
//
//nolint:gochecknoglobals // never written
var aKing = rules.Table{{}, {Glyph: "king", Royal: true}}

// crestOf shows the piece that a game is known by; a king for all games together, which is nil.
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
	if v.Shares() {
		return rules.Piece{White: next, Black: best}
	}
	return rules.PieceOf(rules.White, best)
}
