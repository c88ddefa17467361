package bot

import (
	"fmt"
	"strings"

	"chimera/bot/match"
	"chimera/rules"
	"chimera/storage"
)

// Words about ratings and leaderboards.

func oddTop(word string, all []*rules.Variant) Text {
	return say("I do not know “", clip(word), "” there. Write ", code("top"), ", or ", code("top stealth world"), " or ", code("top month"), " or ", code("top month 2026-10"), "; the games are ", keys(all), ".")
}

func topWords(ask match.Asked, found *match.Leaderboard, v *rules.Variant) Text {
	title, note := topTitle(ask, found, v)
	if note != "" {
		title += ", " + note
	}
	t := say(bold(title))
	if len(found.Lines)+len(found.Guesses) == 0 && isMonth(ask.Period) {
		return append(t, say("\nThere is nobody.")...)
	}
	if len(found.Lines)+len(found.Guesses) == 0 {
		return append(t, say("\nNobody has played a rated game of that yet. Write ", code("challenge @name rated"), " to be the first.")...)
	}
	for _, l := range found.Lines {
		t = append(t, say("\n", lineWords(ask, l))...)
	}
	if len(found.Mine) > 0 {
		t = append(t, say("\n…")...)
		for _, l := range found.Mine {
			t = append(t, say("\n", lineWords(ask, l))...)
		}
	}
	if len(found.Guesses) > 0 {
		t = append(t, say("\nStill provisional:")...)
		for _, l := range found.Guesses {
			t = append(t, say("\n", l.Name, " ", ratingWords(l.Value, l.Deviation, true), ", ", plural(l.Games, "game", "games"))...)
		}
	}
	for _, best := range found.Most {
		t = append(t, say("\n", bestWords(best))...)
	}
	return t
}

// topTitle is what a leaderboard is about, and of when and where.
func topTitle(ask match.Asked, found *match.Leaderboard, v *rules.Variant) (title, note string) {
	title = "All games"
	if v != nil {
		title = v.Name
	}
	var notes []string
	switch ask.Period {
	case match.Week:
		notes = append(notes, "this week")
	case match.Month:
		notes = append(notes, "this month")
	case match.Ever:
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

func lineWords(ask match.Asked, l match.Line) string {
	games := plural(l.Games, "game", "games")
	if ask.Period != match.Ever {
		points := strings.TrimSuffix(fmt.Sprintf("%.1f", l.Value), ".0")
		unit := "points"
		if l.Value == 1 {
			unit = "point"
		}
		return fmt.Sprintf("%d. %s: %s %s in %s", l.Rank, l.Name, points, unit, games)
	}
	return fmt.Sprintf("%d. %s %s, %s", l.Rank, l.Name, ratingWords(l.Value, l.Deviation, l.Unsure), games)
}

// ratingWords is "1612±70", and "1612±170?" while it is provisional.
func ratingWords(value, deviation float64, unsure bool) string {
	text := fmt.Sprintf("%.0f±%.0f", value, 2*deviation)
	if unsure {
		text += "?"
	}
	return text
}

func bestWords(b match.Best) string {
	switch b.What {
	case "games":
		return fmt.Sprintf("Most games: %s, %d.", b.Name, b.Score)
	case "streak":
		return fmt.Sprintf("Longest winning streak: %s, %d.", b.Name, b.Score)
	}
	return fmt.Sprintf("Best combiner: %s, %.1f merges in a won game.", b.Name, float64(b.Score)/1000)
}

func profileWords(p *match.Profile) Text {
	t := say(bold(p.Person.Name), ": ", plural(p.Now, "game", "games"), " in progress")
	if p.Person.Away() {
		t = append(t, say(", on vacation")...)
	}
	for i, g := range p.Games {
		t = append(t, say([]string{": ", ", "}[min(i, 1)], hash(g.ID), " against ", g.Opponent)...)
	}
	if p.Now > len(p.Games) {
		t = append(t, say(" …")...)
	}
	t = append(t, Span{Words: "."})
	if len(p.Kinds) == 0 {
		t = append(t, say(" No rated games yet.")...)
	}
	for _, k := range p.Kinds {
		t = append(t, say("\n", kindWords(k))...)
	}
	if streak := streakWords(p); streak != "" {
		t = append(t, say("\n", streak)...)
	}
	return append(t, historyWords(&p.History)...)
}

// historyWords are a line of each kind of figure.
func historyWords(h *match.History) Text {
	var t Text
	line := func(title string, items []string) {
		if len(items) > 0 {
			t = append(t, say("\n", title, strings.Join(items, ", "), ".")...)
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
	line("Won–drawn–lost: ", colors)
	line("Most often against ", against)
	line("Favourite hybrids: ", made)
	return t
}

func scoreOf(s match.Score) string { return fmt.Sprintf("%d–%d–%d", s.Won, s.Drawn, s.Lost) }

// streakWords tell of wins in a row in rated games, "" if there are none.
func streakWords(p *match.Profile) string {
	for _, k := range p.Kinds {
		if k.Game == storage.Overall && k.Standing.Best > 0 {
			return fmt.Sprintf("Winning streak: %d now, %d at best.", k.Standing.Streak, k.Standing.Best)
		}
	}
	return ""
}

func kindWords(k match.Kind) string {
	s := &k.Standing
	title := k.Game
	if title == storage.Overall {
		title = "All games"
	}
	text := fmt.Sprintf("%s: %s, %d won, %d drawn, %d lost", title, ratingWords(s.Value, k.Deviation, k.Unsure), s.Wins, s.Draws, s.Losses)
	if k.Rank > 0 {
		text += fmt.Sprintf(", rank %d here", k.Rank)
	}
	return text
}

func compareWhom() Text {
	return say("Name one or two people, as in ", code("compare @bob"), " or ", code("compare @bob @carol"), ".")
}

func compareWords(both [2]*match.Profile, score match.Score) Text {
	a, b := both[0].Person.Name, both[1].Person.Name
	t := say(bold(a+" and "+b), ": ", fmt.Sprintf("%d won by %s, %d drawn, %d won by %s.", score.Won, a, score.Drawn, score.Lost, b))
	kinds := map[string][2]string{}
	var order []string
	for side, p := range both {
		for _, k := range p.Kinds {
			title := k.Game
			if title == storage.Overall {
				title = "All games"
			}
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
		t = append(t, say("\n", title, ": ", pair[0], " and ", pair[1])...)
	}
	return t
}

// ratedWords tells what a game has done to both ratings, or why a rated one has done
// nothing.
func ratedWords(s *match.Sight) Text {
	switch {
	case s.Game.Annul, s.Game.Void == match.Annulled:
		return say(" Annulled by who manages the server: it counts for no rating.")
	case s.Game.Void == match.TooShort:
		return say(" Not rated: shorter than four plies.")
	case s.Game.Void == match.TooMany:
		return say(" Not rated: these two had played three rated games that day already.")
	case !s.Game.Counted:
		return nil
	}
	var parts []string
	for side, change := range s.Game.Ratings {
		parts = append(parts, fmt.Sprintf("%s %.0f → %.0f", s.Names[side], change[0], change[1]))
	}
	return say(" Ratings: ", strings.Join(parts, ", "), ".")
}

func hideWhom(verb string) Text {
	return say("Name the person, as in ", code("settings here "+verb+" @name"), ".")
}

func hiddenWords(p storage.Person, hidden bool) Text {
	switch {
	case hidden:
		return say("Done: ", p.Name, " is on no leaderboard here.")
	case p.Settings.Unranked:
		return say("Done: ", p.Name, " is hidden here no more, but has chosen to be on no leaderboard.")
	}
	return say("Done: ", p.Name, " is on the leaderboards again.")
}

func annulWhat() Text { return say("Name the game, as in ", code("settings here annul #12"), ".") }

func sureToAnnul(id storage.GameID) Text {
	return say("Really annul game ", hash(id), "? It counts for no rating then, and there is no way back. Write ",
		code("settings here annul "+hash(id)), " again within two minutes, or press a button.")
}

func annulledWords(id storage.GameID) Text {
	return say("Done: game ", hash(id), " counts for no rating any more, as soon as all that hangs on it has been computed again.")
}

func stillCounts(id storage.GameID) Text { return say("All right, game ", hash(id), " counts.") }
