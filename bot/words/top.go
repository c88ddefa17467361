package words

import (
	"fmt"
	"strings"

	"chimera/bot/league"
	"chimera/bot/match"
	"chimera/rules"
	"chimera/rules/phrase"
	"chimera/storage"
)

func OddTop(word string, all []*rules.Variant) Text {
	return Say("I do not know “", Clip(word), "” there. Write ", code("top"), ", or ", code("top stealth world"), ", ", code("top week"), ", ", code("top month"), ", ", code("top 2026-10"),
		", ", code("top games"), ", ", code("top streak"), " or ", code("top combiner"), "; the games are ", keys(all), ".")
}

func Clash(one, other string) Text {
	return Say("“", Clip(one), "” and “", Clip(other), "” do not go together: leave one out.")
}

func Top(ask league.Asked, found *league.Leaderboard, v *rules.Variant) Text {
	title, note := topTitle(ask, found, v)
	if note != "" {
		title += ", " + note
	}
	t := Say(bold(title))
	add := func(lines []league.Line) {
		for i, l := range lines {
			if apart(lines, i) {
				t = append(t, Say("\n…")...)
			}
			if words := lineWords(ask, l); l.Person == ask.Asker {
				t = append(t, Say("\n", bold(words))...)
			} else {
				t = append(t, Say("\n", words)...)
			}
		}
	}
	add(found.Lines)
	if len(found.Guesses) > 0 {
		t = append(t, Say("\nProvisional:")...)
		add(found.Guesses)
	}
	for _, fact := range topFacts(ask, found) {
		t = append(t, Say("\n", fact)...)
	}
	if len(found.Lines)+len(found.Guesses) == 0 {
		nobody, first := "Nobody", true
		if _, past := storage.ParseMonth(string(ask.Period)); past {
			first = false
		}
		if found.Absent == league.OptedOut || found.Absent == league.TakenOff {
			nobody, first = "Nobody else", false
		}
		t = append(t, Say("\n", nobody, " has ", feat(ask), ofTop(ask, v), ".")...)
		if first {
			t = append(t, Say(" Write ", code("challenge @name rated"), " to be the first.")...)
		}
	}
	switch {
	case found.Absent == league.OptedOut:
		t = append(t, Say("\nYou are on no leaderboard: ", code("settings leaderboard on"), " puts you there.")...)
	case found.Absent == league.TakenOff:
		t = append(t, Say("\nYou aren't on any leaderboard here: a manager has taken you off.")...)
	case found.Absent == league.NotPlayed && len(found.Lines)+len(found.Guesses) > 0:
		t = append(t, Say("\nYou have not ", feat(ask), ofTop(ask, v), ".")...)
	}
	return t
}

// apart reports whether people are left out before a line.
func apart(lines []league.Line, i int) bool {
	return i > 0 && (lines[i].Place == 0 || lines[i-1].Place == 0 || lines[i].Place != lines[i-1].Place+1)
}

// feat is what puts people on a leaderboard.
func feat(ask league.Asked) string {
	switch ask.Period {
	case league.Streak:
		return "won a rated game"
	case league.Combiner:
		return "won with a merge in a rated game"
	default:
		return "played a rated game"
	}
}

// ofTop is which games a leaderboard is about.
func ofTop(ask league.Asked, v *rules.Variant) string {
	text := ""
	if v != nil {
		text = " of " + v.Name
	}
	if ask.Server == 0 {
		text += " anywhere"
	} else {
		text += " here"
	}
	if month, ok := storage.ParseMonth(string(ask.Period)); ok {
		return text + " in " + month.Begins().Format("January 2006")
	}
	switch ask.Period {
	case league.Week, league.Month:
		return text + " this " + string(ask.Period)
	default:
		return text + " yet"
	}
}

// topTitle is what a leaderboard is about, and of when and where.
func topTitle(ask league.Asked, found *league.Leaderboard, v *rules.Variant) (title, note string) {
	title = "All games"
	if v != nil {
		title = v.Name
	}
	var notes []string
	switch ask.Period {
	case league.Week, league.Month:
		notes = append(notes, "this "+string(ask.Period))
	case league.Ever:
	case league.Games, league.Streak, league.Combiner:
		notes = append(notes, mosts[ask.Period])
	default:
		if month, ok := storage.ParseMonth(string(ask.Period)); ok {
			notes = append(notes, month.Begins().Format("January 2006"))
		}
	}
	if ask.Server == 0 {
		notes = append(notes, "everywhere")
	}
	note = strings.Join(notes, ", ")
	if found.Final {
		note += ": the final table"
	}
	return title, note
}

// mosts are the names of what else than ratings and points is counted.
var mosts = map[league.Period]string{ //nolint:gochecknoglobals // never written
	league.Games: "most games", league.Streak: "longest winning streak", league.Combiner: "best combiner",
}

// topFacts are sentences about a leaderboard as a whole.
func topFacts(ask league.Asked, found *league.Leaderboard) []string {
	if ask.Period != league.Ever {
		if found.All > league.PageSize {
			return []string{plural(found.All, "person", "people") + "."}
		}
		return nil
	}
	if found.All+found.Unsure == 0 {
		return nil
	}
	count := plural(found.All, "person", "people")
	switch {
	case found.All == 0 && found.Unsure == 1:
		count = "1 person, provisional."
	case found.All == 0:
		count = plural(found.Unsure, "person", "people") + ", all provisional."
	case found.Unsure == 0:
		count += "."
	default:
		count += fmt.Sprintf(", and %d provisional.", found.Unsure)
	}
	facts := []string{"Ordered by rating less its ±.", count}
	if found.Unsure > 0 {
		facts[0] = "Ordered by rating less its ±; “?” is provisional."
	}
	for _, best := range found.Most {
		facts = append(facts, bestWords(best))
	}
	return facts
}

func lineWords(ask league.Asked, l league.Line) string {
	games, score := plural(l.Games, "game", "games"), figureWords(ask, l)
	if ask.Period == league.Ever {
		return fmt.Sprintf("%d. %s %s, %s", l.Rank, l.Name, score, games)
	}
	text := fmt.Sprintf("%d. %s: %s", l.Rank, l.Name, score)
	one := l.Value == 1
	switch {
	case ask.Period == league.Games:
		return fmt.Sprintf("%d. %s: %s, %d won", l.Rank, l.Name, games, l.Wins)
	case ask.Period == league.Streak && one:
		return text + " win"
	case ask.Period == league.Streak:
		return text + " wins in a row"
	case ask.Period == league.Combiner:
		return text + " merges a win, " + plural(l.Wins, "win", "wins")
	case one:
		return text + " point in " + games
	}
	return text + " points in " + games
}

// figureWords is what somebody has on a leaderboard, without its unit.
func figureWords(ask league.Asked, l league.Line) string {
	switch ask.Period {
	case league.Ever:
		return ratingWords(l.Value, l.Deviation, l.Unsure)
	case league.Combiner:
		return fmt.Sprintf("%.2f", l.Value)
	default:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", l.Value), ".0")
	}
}

// ratingWords is "1612±70", and "1612±170?" while it is provisional.
func ratingWords(value, deviation float64, unsure bool) string {
	text := fmt.Sprintf("%.0f±%.0f", value, 2*deviation)
	if unsure {
		text += "?"
	}
	return text
}

func bestWords(b league.Best) string {
	who, each := b.Name, ""
	if b.Others > 0 {
		who += fmt.Sprintf(" and %d more", b.Others)
		each = " each"
	}
	title := mosts[b.What]
	title = strings.ToUpper(title[:1]) + title[1:]
	if b.What == league.Combiner {
		return fmt.Sprintf("%s: %s, %.2f merges in a won game.", title, who, b.Score)
	}
	return fmt.Sprintf("%s: %s, %.0f%s.", title, who, b.Score, each)
}

func Profile(p *league.Profile, server storage.ServerID) Text {
	t := Say(bold(p.Person.Name), ": ", plural(p.Now, "game", "games"), " in progress")
	if p.Person.Away() {
		t = append(t, Say(", on vacation")...)
	}
	for i, g := range p.Games {
		t = append(t, Say([]string{": ", ", "}[min(i, 1)], Hash(g.ID), " ", g.Game, " against ", g.Opponent)...)
	}
	if len(p.Games) > 0 && p.Now > len(p.Games) {
		t = append(t, Say(" …")...)
	}
	t = append(t, Span{Words: "."})
	if len(p.Kinds) == 0 {
		t = append(t, Say(" No rated games yet.")...)
	}
	for _, k := range p.Kinds {
		t = append(t, Say("\n", kindWords(k, server))...)
	}
	if streak := streakWords(p); streak != "" {
		t = append(t, Say("\n", streak)...)
	}
	return append(t, historyWords(&p.History)...)
}

// historyWords are a line of each kind of figure.
func historyWords(h *league.History) Text {
	var t Text
	line := func(title string, items []string) {
		if len(items) > 0 {
			t = append(t, Say("\n", title, strings.Join(items, ", "), ".")...)
		}
	}
	var colors, against, made []string
	for side, score := range h.Colors {
		if score.Games() > 0 {
			colors = append(colors, "as "+rules.Color(side).String()+" "+scoreOf(score))
		}
	}
	for _, v := range h.Against {
		against = append(against, v.Name+" "+scoreOf(v.Score))
	}
	for _, m := range h.Made {
		made = append(made, fmt.Sprintf("%s %d", m.Name, m.Times))
	}
	line("All games, unrated too: won–drawn–lost ", colors)
	line("Most often against ", against)
	line("Favourite hybrids: ", made)
	return t
}

func scoreOf(s league.Score) string { return fmt.Sprintf("%d–%d–%d", s.Won, s.Drawn, s.Lost) }

// streakWords tell of wins in a row in rated games, "" if there are none.
func streakWords(p *league.Profile) string {
	for _, k := range p.Kinds {
		if k.Game == storage.Overall && k.Standing.Best > 0 {
			return fmt.Sprintf("Winning streak: %d now, %d at best.", k.Standing.Streak, k.Standing.Best)
		}
	}
	return ""
}

// kindName is what a kind of game is called, or all of them are.
func kindName(k league.Kind) string {
	if k.Game == storage.Overall {
		return "All games"
	}
	return k.Game
}

func kindWords(k league.Kind, server storage.ServerID) string {
	s := &k.Standing
	text := fmt.Sprintf("%s: %s, %d won, %d drawn, %d lost", kindName(k), ratingWords(s.Value, k.Deviation, k.Unsure), s.Wins, s.Draws, s.Losses)
	switch {
	case k.Rank > 0 && server == 0:
		text += fmt.Sprintf(", rank %d of all", k.Rank)
	case k.Rank > 0:
		text += fmt.Sprintf(", rank %d here", k.Rank)
	}
	return text
}

func CompareWhom() Text {
	return Say("Name one or two people, as in ", code("compare @bob"), " or ", code("compare @bob @carol"), ".")
}

func CompareSame(name string) Text {
	return Say("Those are both ", name, ": name somebody else, as in ", code("compare @bob"), " or ", code("compare @bob @carol"), ".")
}

func Compare(both [2]*league.Profile, score league.Score) Text {
	a, b := both[0].Person.Name, both[1].Person.Name
	t := Say(bold(a+" and "+b), ": ", fmt.Sprintf("%d won by %s, %d drawn, %d won by %s.", score.Won, a, score.Drawn, score.Lost, b))
	kinds := map[string][2]string{}
	var order []string
	for side, p := range both {
		for _, k := range p.Kinds {
			title := kindName(k)
			pair, known := kinds[title]
			if !known {
				order = append(order, title)
			}
			pair[side] = ratingWords(k.Standing.Value, k.Deviation, k.Unsure)
			kinds[title] = pair
		}
	}
	for _, title := range order {
		pair := kinds[title]
		for side := range pair {
			if pair[side] == "" {
				pair[side] = "none"
			}
		}
		t = append(t, Say("\n", title, ": ", pair[0], " and ", pair[1])...)
	}
	return t
}

// ratedWords tells what a game has done to both ratings, or why a rated one has done
// nothing.
func ratedWords(s *match.Sight) Text {
	switch {
	case s.Game.Annul, s.Game.Void == league.Annulled:
		return Tell("board.unrated-annulled")
	case s.Game.Void == league.TooShort:
		return Tell("board.unrated-short")
	case s.Game.Void == league.TooMany:
		return Tell("board.unrated-many", "n", league.MaxPairs)
	case !s.Game.Counted:
		return nil
	}
	var changes []string
	for side, change := range s.Game.Ratings {
		changes = append(changes, fmt.Sprintf("%s %.0f → %.0f", s.Names[side], change[0], change[1]))
	}
	return Tell("board.ratings", "changes", phrase.Commas(changes))
}
