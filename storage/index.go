package storage

import (
	"bytes"
	"slices"

	"chimera/storage/kv"
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

// A family is a kind of record, and what leads to those of it.
type family struct {
	name   string // as people read it
	prefix string // of the keys
	index  func(kv.Item) (record.Index, error)
}

// families are all kinds of records that can be damaged or to which keys lead.
func families() []family {
	return []family{
		kin(OfGame, "game/", (*Game).index),
		kin(OfChallenge, "challenge/", (*Challenge).index),
		kin(OfPerson, "person/", (*Person).index),
		kin(OfPlace, "place/", (*Place).index),
		kin(OfServer, "server/", (*Server).index),
		kin("solver at server", solvers, (*Solver).index),
		kin("pass", sessions, (*Session).index),
		kin(OfEntry, outbox, func(*Entry) record.Index { return nil }),
		kin("undeliverable entry", dead, func(*Entry) record.Index { return nil }),
		{"memory", states, func(item kv.Item) (record.Index, error) {
			m := stateAt(item)
			return m.index(), nil
		}},
	}
}

func kin[T any](name, prefix string, index func(*T) record.Index) family {
	return family{name, prefix, func(item kv.Item) (record.Index, error) {
		found := new(T)
		if err := record.Decode(item.Value, found); err != nil {
			return nil, err
		}
		return index(found), nil
	}}
}

// Rebuild writes the keys of some kinds that lead to records, which an earlier version had
// none of.
func (w Writer) Rebuild(kinds ...string) error {
	var all record.Index
	for _, f := range families() {
		for item, err := range w.kv.Scan(kv.Prefix(record.Key(f.prefix))) {
			if err != nil {
				return err
			}
			x, err := f.index(item)
			if err != nil {
				continue // what cannot be read is set aside where it is read
			}
			for _, lead := range x {
				if slices.ContainsFunc(kinds, func(kind string) bool { return bytes.HasPrefix(lead.Key, []byte(kind)) }) {
					all = append(all, lead)
				}
			}
		}
	}
	return record.Reindex(w.out, nil, all)
}
