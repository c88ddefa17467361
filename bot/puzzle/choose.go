package puzzle

import (
	"hash/fnv"
	"math"
	"slices"
	"strconv"

	"chimera/bot/rating"
	"chimera/rules"
	given "chimera/rules/puzzle"
	"chimera/storage"
)

// strength is the rating of a puzzle as an opponent: the levels of the computer are about 200
// apart.
func strength(p *given.Puzzle) rating.Rating {
	const easiest, apart, spread = 800, 200, 60
	return rating.Rating{
		Value: easiest + apart*float64(p.Level-1), Deviation: spread, Volatility: rating.MinVolatility,
	}
}

// about reports whether a puzzle is about a theme, "" for any.
func (c *Collection) about(v *rules.Variant, number int, theme given.Theme) bool {
	return theme == "" || slices.Contains(c.of(v)[number].Themes, theme)
}

// themes are those that a game has puzzles about.
func (c *Collection) themes(v *rules.Variant) (has []given.Theme) {
	for _, theme := range given.Themes() {
		if slices.ContainsFunc(c.of(v), func(p given.Puzzle) bool { return slices.Contains(p.Themes, theme) }) {
			has = append(has, theme)
		}
	}
	return has
}

// choose is the number of the puzzle about a theme that somebody gets next: of those that they have
// not seen yet, one of the nearest to their rating; of all, if they have seen all. It is -1 if there is none.
func (c *Collection) choose(who *storage.Person, v *rules.Variant, theme given.Theme) int {
	const near = 150
	seen := &who.Training
	var all, fresh []int
	for i := range c.of(v) {
		if !c.about(v, i, theme) {
			continue
		}
		all = append(all, i)
		if !seen.Has(v.Key, i) {
			fresh = append(fresh, i)
		}
	}
	if len(fresh) == 0 {
		fresh = all
	}
	if len(fresh) == 0 {
		return -1
	}
	mine := standing(&seen.Standing).Value
	off := func(number int) float64 { return math.Abs(strength(&c.of(v)[number]).Value - mine) }
	nearest := slices.MinFunc(fresh, func(a, b int) int { return int(off(a) - off(b)) })
	fresh = slices.DeleteFunc(fresh, func(i int) bool { return off(i) > off(nearest)+near })
	// Others get others first, and each the same if they ask again.
	draw := fnv.New32a()
	draw.Write([]byte(v.Key + strconv.FormatUint(uint64(who.ID), 10) + " " + strconv.Itoa(len(fresh))))
	return fresh[int(draw.Sum32()%uint32(len(fresh)))]
}
