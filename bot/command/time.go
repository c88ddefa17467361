package command

import (
	"regexp"
	"strconv"
	"time"

	"chimera/bot/match"
	"chimera/bot/rating"
	"chimera/storage"
)

var daysWord = regexp.MustCompile(`(?i)^([0-9]{1,4})d?$`)

// Days reads "3d" or "3", from 0 to 14; false if it is something else.
func Days(word string) (int, bool) {
	found := daysWord.FindStringSubmatch(word)
	if found == nil {
		return 0, false
	}
	n, _ := strconv.Atoi(found[1])
	return n, n <= match.VacationDays
}

var paceForm = regexp.MustCompile(`^([0-9]{1,4})d(?:\+([0-9]{1,4})d)?$`)

// Pace reads days for each move, and a bank of days for the whole game; false if a word
// is something else.
func Pace(word string) (storage.Pace, bool) {
	found := paceForm.FindStringSubmatch(word)
	if found == nil {
		return storage.Pace{}, false
	}
	move, _ := strconv.Atoi(found[1])
	bank, _ := strconv.Atoi("0" + found[2])
	return storage.Pace{Move: time.Duration(move) * match.Day, Bank: time.Duration(bank) * match.Day}, true
}

// Period reads what a leaderboard is about.
func Period(word string) (rating.Period, bool) {
	switch p := rating.Period(word); p {
	case rating.Ever, rating.Week, rating.Month, rating.Games, rating.Streak, rating.Combiner, rating.Computer, rating.Puzzles:
		return p, true
	default:
		return p, IsMonth(word)
	}
}

// IsMonth reports whether a word is one month of the calendar, such as 2026-10.
func IsMonth(word string) bool {
	_, ok := storage.ParseMonth(word)
	return ok
}
