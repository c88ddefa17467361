package training

import (
	"hash/fnv"
	"math"
	"math/big"
	"slices"
	"strconv"
	"sync"

	"chimera/bot/rating"
	"chimera/rules"
	given "chimera/rules/puzzle"
	"chimera/storage"
)

// Collection has the puzzles of all games. It is safe for concurrent use.
type Collection struct {
	variants []*rules.Variant
	puzzles  map[string]func() []given.Puzzle // by the keys of games
}

// NewCollection is that of the games, of which each one's puzzles are read when they are asked for.
func NewCollection(variants []*rules.Variant) *Collection {
	c := &Collection{variants, map[string]func() []given.Puzzle{}}
	for _, v := range variants {
		c.puzzles[v.Key] = sync.OnceValue(func() []given.Puzzle {
			all, _ := given.Read(v) // of an error the tests of the game tell; a game without puzzles is one still
			return all
		})
	}
	return c
}

func (c *Collection) of(v *rules.Variant) []given.Puzzle {
	if read := c.puzzles[v.Key]; read != nil {
		return read()
	}
	return nil
}

// game is that of a key, nil if there is none.
func (c *Collection) game(key string) *rules.Variant { return rules.Find(c.variants, key) }

// Count is how many puzzles a game has.
func (c *Collection) Count(v *rules.Variant) int { return len(c.of(v)) }

// Daily is the puzzle of a game for a day, by its number since 1970 or any other count: the same
// for all, and no two the same before all had their day. It is nil for a game without puzzles.
func (c *Collection) Daily(day int64, v *rules.Variant) *Task {
	all := int64(c.Count(v))
	if all == 0 {
		return nil
	}
	step := all*5/8 + 1 // so that neighbors, which are of one game, are days apart
	for new(big.Int).GCD(nil, nil, big.NewInt(step), big.NewInt(all)).Int64() != 1 {
		step++
	}
	number := int((day%all + all) % all * step % all)
	for range all { // the next, where that has been withdrawn
		if p := c.of(v)[number]; !p.Withdrawn {
			return c.Task(v, number, 0)
		}
		number = (number + 1) % int(all)
	}
	return nil
}

// Task is a turn of a game's puzzle of a number, both from 0; nil if there is none.
func (c *Collection) Task(v *rules.Variant, number, turn int) *Task {
	if v == nil || number < 0 || number >= c.Count(v) {
		return nil
	}
	p := &c.of(v)[number]
	steps, err := p.Steps(v)
	if err != nil || turn < 0 || turn >= p.Turns() {
		return nil
	}
	return &Task{v, number, turn, p, steps}
}

// strength is the rating of a puzzle as an opponent: the levels of the computer are about 200
// apart.
func strength(p *given.Puzzle) rating.Rating {
	const easiest, apart, spread = 800, 200, 60
	return rating.Rating{Value: easiest + apart*float64(p.Level-1), Deviation: spread, Volatility: rating.MinVolatility}
}

// about reports whether a puzzle that is still given is about a theme, "" for any.
func (c *Collection) about(v *rules.Variant, number int, theme given.Theme) bool {
	p := &c.of(v)[number]
	return !p.Withdrawn && (theme == "" || slices.Contains(p.Themes, theme))
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
	var all []int
	for i := range c.of(v) {
		if c.about(v, i, theme) {
			all = append(all, i)
		}
	}
	if len(all) == 0 {
		return -1
	}
	fresh := slices.DeleteFunc(slices.Clone(all), func(i int) bool { return seen.Has(v.Key, i) })
	if len(fresh) == 0 {
		fresh = all
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
