package storage

import (
	"bytes"
	"slices"

	"chimera/storage/passes"
	"chimera/storage/puzzles"
	"chimera/storage/record"
)

// addDue adds the key of a deadline to an index.
func addDue(x *record.Index, d Deadline) {
	if !d.At.IsZero() {
		x.Add(dueKey(d))
	}
}

// indexes are the kinds of keys that lead to a kind of record.
func indexes(kind string) []string {
	switch kind {
	case OfGame:
		return []string{"player/", "here/", "due/", results, thinking, beaten}
	case OfChallenge:
		return []string{"challenger/", "challenged/", "open/", "lobby/", "toldat/", "due/"}
	case OfPerson:
		return []string{"identity/", "blocked/", "unlisted/", "due/"}
	case OfPlace:
		return []string{"address/", "in/"}
	case OfServer:
		return []string{"serverat/", "hidden/", "closing/", dailyAt}
	}
	return nil
}

func (g *Game) index() record.Index {
	var x record.Index
	if g.ID == 0 {
		return x
	}
	for _, p := range g.Players {
		x.Add(playerKey(p, g))
	}
	if !g.Over() {
		for _, p := range g.Places() {
			x.Add(record.Pair("here/", p, g.ID))
		}
	}
	addDue(&x, Deadline{g.Clock.Wake, DueGame, uint64(g.ID)})
	if g.Counted {
		addResult(&x, ResultOf(g))
	}
	if g.Awaited() != 0 {
		x.Add(record.Number(record.Key(thinking), g.ID))
	}
	addBeaten(&x, g)
	return x
}

func (c *Challenge) index() record.Index {
	var x record.Index
	x.Add(record.Pair("challenger/", c.From, c.ID))
	if c.To != 0 {
		x.Add(record.Pair("challenged/", c.To, c.ID))
	} else {
		x.Add(record.Pair("open/", c.Place, c.ID))
		if c.Server != 0 {
			x.Add(record.Pair("lobby/", c.Server, c.ID))
		}
	}
	for _, p := range c.places() {
		x.Add(record.Pair("toldat/", p, c.ID))
	}
	addDue(&x, Deadline{c.Due(), DueChallenge, uint64(c.ID)})
	return x
}

func (p *Person) index() record.Index {
	var x record.Index
	for _, a := range p.Identities {
		x.Point(accountKey("identity/", a), uint64(p.ID))
	}
	for _, other := range p.Blocked {
		x.Add(record.Pair("blocked/", other, p.ID))
	}
	if p.unlisted() {
		x.Add(record.Number(record.Key("unlisted/"), p.ID))
	}
	addDue(&x, Deadline{p.Vacation.Until, DueVacation, uint64(p.ID)})
	return x
}

func (p *Place) index() record.Index {
	var x record.Index
	if p.Address.ID != "" {
		x.Point(accountKey("address/", p.Address), uint64(p.ID))
	}
	if p.Server != 0 {
		x.Add(record.Pair("in/", p.Server, p.ID))
	}
	return x
}

func (s *Server) index() record.Index {
	var x record.Index
	if s.ID == 0 || s.Into != 0 {
		return x
	}
	x.Point(accountKey("serverat/", s.Address), uint64(s.ID))
	for _, p := range s.Settings.Hidden {
		x.Add(record.Pair("hidden/", p, s.ID))
	}
	if season := s.Settings.Season; season.Place != 0 {
		x.Add(record.Pair("closing/", uint64(season.Month), s.ID))
	}
	if next := s.Settings.Puzzles.Next; !next.IsZero() {
		x.Add(record.Pair(dailyAt, uint64(next.Unix()), s.ID))
	}
	return x
}

// indexed calls do with the index of each record that can be read, and unreadable with each
// other, of which it says what it is.
func (r *tx) indexed(unreadable func(what string, id uint64, err error), do func(record.Index)) error {
	bad := func(what string) func(uint64, error) {
		return func(id uint64, err error) { unreadable(what, id, err) }
	}
	for _, kind := range []func() error{
		func() error { return record.Each(r.kv, "game/", bad("game"), func(g Game) { do(g.index()) }) },
		func() error {
			return record.Each(r.kv, "challenge/", bad("challenge"), func(c Challenge) { do(c.index()) })
		},
		func() error { return record.Each(r.kv, "person/", bad("person"), func(p Person) { do(p.index()) }) },
		func() error { return record.Each(r.kv, "place/", bad("place"), func(p Place) { do(p.index()) }) },
		func() error { return record.Each(r.kv, "server/", bad("server"), func(s Server) { do(s.index()) }) },
		func() error {
			return record.Each(r.kv, puzzles.OfSolvers, bad("solver at server"), func(s puzzles.Solver) { do(s.Index()) })
		},
		func() error {
			return record.Each(r.kv, passes.Kind, bad("pass"), func(p passes.Pass) { do(p.Index()) })
		},
		func() error { return record.Each(r.kv, outbox, bad("entry"), func(Entry) {}) },
		func() error { return record.Each(r.kv, dead, bad("undeliverable entry"), func(Entry) {}) },
	} {
		if err := kind(); err != nil {
			return err
		}
	}
	return nil
}

// Rebuild writes the keys of some kinds that lead to records, which an earlier version had
// none of.
func (w Writer) Rebuild(kinds ...string) error {
	var all record.Index
	err := w.indexed(func(string, uint64, error) {}, func(x record.Index) { // what cannot be read is set aside where it is read
		for _, item := range x {
			if slices.ContainsFunc(kinds, func(kind string) bool { return bytes.HasPrefix(item.Key, []byte(kind)) }) {
				all = append(all, item)
			}
		}
	})
	if err != nil {
		return err
	}
	return record.Reindex(w.out, nil, all)
}
