package words

import (
	"chimera/bot/rating"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

func OddTop(word string, all []*rules.Variant) Text {
	return Say("top.odd", "word", Clip(word), "kinds", keys(all))
}

func Top(ask rating.Asked, found *rating.Leaderboard, v *rules.Variant) Text {
	title, notes := topTitle(ask, found, v)
	all := []Text{Say("top.title", "title", title, "n", len(notes), "notes", phrase.Commas(notes))}
	add := func(rows []rating.Line) {
		for i, l := range rows {
			if apart(rows, i) {
				all = append(all, Of("…"))
			}
			line := Of(lineWords(ask, l))
			if l.Person == ask.Asker {
				line[0].Style = Bold
			}
			all = append(all, line)
		}
	}
	add(found.Lines)
	if len(found.Guesses) > 0 {
		all = append(all, Say("top.provisional"))
		add(found.Guesses)
	}
	for _, fact := range topFacts(ask, found) {
		all = append(all, Of(fact))
	}
	if nobody(found) {
		none := topNobody(ask, found)
		_, past := storage.ParseMonth(string(ask.Period))
		switch {
		case past, hidden(found):
		case ask.Period == rating.Computer:
			none = joined(" ", none, Say("top.be-first-computer"))
		case ask.Period == rating.Puzzles:
			none = joined(" ", none, Say("top.be-first-puzzles"))
		default:
			none = joined(" ", none, Say("top.be-first"))
		}
		all = append(all, none)
	}
	if why := topAbsent(ask, found); why != nil {
		all = append(all, why)
	}
	return Lines(all)
}

// TopRemarks tell why nobody is on a leaderboard, and why the asker is not.
func TopRemarks(ask rating.Asked, found *rating.Leaderboard) (all []Text) {
	if nobody(found) {
		all = append(all, topNobody(ask, found))
	}
	if why := topAbsent(ask, found); why != nil {
		all = append(all, why)
	}
	return all
}

// TopTitle is what a leaderboard is about, and of when and where.
func TopTitle(ask rating.Asked, found *rating.Leaderboard, v *rules.Variant) (title, notes phrase.Phrase) {
	title, all := topTitle(ask, found, v)
	if len(all) == 0 {
		return title, phrase.Phrase{}
	}
	return title, book.Say("top.note", "notes", phrase.Commas(all))
}

// PeriodName is what leaderboards of a period that is no month count, or of when.
func PeriodName(p rating.Period) phrase.Phrase {
	if p == rating.Ever {
		return book.Say("chart.ratings")
	}
	return book.Say("top.note", "notes", book.Say("top.of-"+string(p)))
}

func nobody(found *rating.Leaderboard) bool { return len(found.Lines)+len(found.Guesses) == 0 }

// hidden reports whether the asker is on no leaderboard by a choice of theirs or a manager's.
func hidden(found *rating.Leaderboard) bool {
	return found.Absent == rating.OptedOut || found.Absent == rating.TakenOff
}

func topNobody(ask rating.Asked, found *rating.Leaderboard) Text {
	if month, past := storage.ParseMonth(string(ask.Period)); past {
		return Say("top.nobody-past", "other", hidden(found), "month", monthWords(month))
	}
	return Say("top.nobody", "other", hidden(found))
}

// topAbsent says why the asker is not on a leaderboard, nil where they are or that goes without saying.
func topAbsent(ask rating.Asked, found *rating.Leaderboard) Text {
	switch {
	case found.Absent == rating.OptedOut:
		return Say("top.opted-out")
	case found.Absent == rating.TakenOff:
		return Say("top.taken-off")
	case found.Absent == rating.NotPlayed && !nobody(found):
		return notYou(ask.Period)
	}
	return nil
}

// apart reports whether people are left out before a line.
func apart(lines []rating.Line, i int) bool {
	return i > 0 && (lines[i].Place == 0 || lines[i-1].Place == 0 || lines[i].Place != lines[i-1].Place+1)
}

// notYou tells somebody why they are not on a leaderboard of a period.
func notYou(period rating.Period) Text {
	switch period {
	case rating.Streak:
		return Say("top.not-you-win")
	case rating.Combiner:
		return Say("top.not-you-merge")
	case rating.Computer:
		return Say("top.not-you-computer")
	case rating.Puzzles:
		return Say("top.not-you-puzzles")
	default:
		if month, past := storage.ParseMonth(string(period)); past {
			return Say("top.not-you-past", "month", monthWords(month))
		}
		return Say("top.not-you-play")
	}
}

func monthWords(m storage.Month) phrase.Phrase {
	begins := m.Begins()
	return book.Say("top.past-month", "month", int(begins.Month()), "year", begins.Year())
}

// topTitle is what a leaderboard is about, and of when and where.
func topTitle(ask rating.Asked, found *rating.Leaderboard, v *rules.Variant) (title phrase.Phrase, notes []phrase.Phrase) {
	title = book.Say("top.all-games")
	if v != nil {
		title = phrase.As(v.Name)
	}
	switch ask.Period {
	case rating.Week, rating.Month, rating.Games, rating.Streak, rating.Combiner, rating.Computer, rating.Puzzles:
		notes = append(notes, book.Say("top.of-"+string(ask.Period)))
	case rating.Ever:
	default:
		if month, ok := storage.ParseMonth(string(ask.Period)); ok {
			notes = append(notes, monthWords(month))
		}
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

// topFacts are sentences about a leaderboard as a whole.
func topFacts(ask rating.Asked, found *rating.Leaderboard) []phrase.Phrase {
	if ask.Period != rating.Ever {
		if found.All > rating.PageSize {
			return []phrase.Phrase{book.Say("top.people", "n", found.All)}
		}
		return nil
	}
	if found.All+found.Unsure == 0 {
		return nil
	}
	facts := []phrase.Phrase{book.Say("top.order", "provisional", found.Unsure)}
	switch {
	case found.All == 0:
		facts = append(facts, book.Say("top.all-provisional", "n", found.Unsure))
	case found.Unsure == 0:
		facts = append(facts, book.Say("top.people", "n", found.All))
	default:
		facts = append(facts, book.Say("top.people-and-provisional", "n", found.All, "provisional", found.Unsure))
	}
	for _, best := range found.Most {
		facts = append(facts, book.Say("top.best-"+string(best.What), "player", best.Name, "others", best.Others, "n", phrase.Decimal(best.Score, 2)))
	}
	return facts
}

// lineWords are somebody's place on a leaderboard.
func lineWords(ask rating.Asked, l rating.Line) phrase.Phrase {
	parts := []any{"rank", l.Rank, "player", l.Name, "games", l.Games, "wins", l.Wins, "streak", l.Row}
	switch ask.Period {
	case rating.Ever:
		return book.Say("top.line-ever", append(parts, "rating", RatingWords(l.Value, l.Deviation, l.Unsure))...)
	case rating.Games, rating.Streak, rating.Combiner, rating.Computer, rating.Puzzles:
		return book.Say("top.line-"+string(ask.Period), append(parts, "n", figureOfLine(ask, l))...)
	default: // a month has points
	}
	return book.Say("top.line-points", append(parts, "n", figureOfLine(ask, l))...)
}

// figureOfLine is what somebody has on a leaderboard.
func figureOfLine(ask rating.Asked, l rating.Line) any {
	if ask.Period == rating.Combiner {
		return phrase.Decimal(l.Value, 2)
	}
	return phrase.Decimal(l.Value, 1)
}
