package storage

import (
	"bytes"
	"slices"

	"chimera/storage/kv"
)

// An index is the keys that lead to a record, and what stands there. It is made of the
// record alone: writing, Check and repair all go by it.
type index []kv.Item

func (x *index) add(key []byte) { *x = append(*x, kv.Item{Key: key, Value: []byte{}}) }

// point adds a key that has the number of the record.
func (x *index) point(key []byte, id uint64) {
	*x = append(*x, kv.Item{Key: key, Value: number(nil, id)})
}

func (x *index) due(d Deadline) {
	if !d.At.IsZero() {
		x.add(dueKey(d))
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
		return []string{"serverat/", "hidden/", "closing/"}
	}
	return nil
}

func (g *Game) index() index {
	var x index
	if g.ID == 0 {
		return x
	}
	for _, p := range g.Players {
		x.add(playerKey(p, g))
	}
	if !g.Over() {
		for _, p := range g.Places() {
			x.add(hereKey(p, g.ID))
		}
	}
	x.due(Deadline{g.Clock.Wake, DueGame, uint64(g.ID)})
	if g.Counted {
		x.result(ResultOf(g))
	}
	if g.Awaited() != 0 {
		x.add(number(key(thinking), g.ID))
	}
	x.beaten(g)
	return x
}

func (c *Challenge) index() index {
	var x index
	x.add(challengerKey("challenger/", c.From, c.ID))
	if c.To != 0 {
		x.add(challengerKey("challenged/", c.To, c.ID))
	} else {
		x.add(number(number(key("open/"), c.Place), c.ID))
		if c.Server != 0 {
			x.add(number(number(key("lobby/"), c.Server), c.ID))
		}
	}
	for _, p := range c.places() {
		x.add(toldAtKey(p, c.ID))
	}
	x.due(Deadline{c.Due(), DueChallenge, uint64(c.ID)})
	return x
}

func (p *Person) index() index {
	var x index
	for _, a := range p.Identities {
		x.point(identityKey(a), uint64(p.ID))
	}
	for _, other := range p.Blocked {
		x.add(unwantedKey("blocked/", other, uint64(p.ID)))
	}
	if p.unlisted() {
		x.add(number(key("unlisted/"), p.ID))
	}
	x.due(Deadline{p.Vacation.Until, DueVacation, uint64(p.ID)})
	return x
}

func (p *Place) index() index {
	var x index
	if p.Address.ID != "" {
		x.point(addressKey(p.Address), uint64(p.ID))
	}
	if p.Server != 0 {
		x.add(inKey(p))
	}
	return x
}

func (s *Server) index() index {
	var x index
	if s.ID == 0 || s.Into != 0 {
		return x
	}
	x.point(serverAddressKey(s.Address), uint64(s.ID))
	for _, p := range s.Settings.Hidden {
		x.add(unwantedKey("hidden/", p, uint64(s.ID)))
	}
	if season := s.Settings.Season; season.Place != 0 {
		x.add(closingKey(season.Month, s.ID))
	}
	return x
}

// reindex replaces what leads to a record by what leads to that which it has become.
func (w *writer) reindex(was, now index) error {
	for _, item := range was {
		if _, stays := now.find(item.Key); !stays {
			if err := w.out.Delete(item.Key); err != nil {
				return err
			}
		}
	}
	for _, item := range now {
		if before, stood := was.find(item.Key); !stood || !bytes.Equal(before, item.Value) {
			if err := w.out.Put(item.Key, item.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

// find is what stands at a key.
func (x index) find(key []byte) (value []byte, ok bool) {
	for _, item := range x {
		if bytes.Equal(item.Key, key) {
			return item.Value, true
		}
	}
	return nil, false
}

// indexed calls do with the index of each record that can be read, and unreadable with each
// other, of which it says what it is.
func (r *tx) indexed(unreadable func(what string, id uint64, err error), do func(index)) error {
	bad := func(what string) func(uint64, error) {
		return func(id uint64, err error) { unreadable(what, id, err) }
	}
	for _, kind := range []func() error{
		func() error { return each(r.kv, "game/", bad("game"), func(g Game) { do(g.index()) }) },
		func() error { return each(r.kv, "challenge/", bad("challenge"), func(c Challenge) { do(c.index()) }) },
		func() error { return each(r.kv, "person/", bad("person"), func(p Person) { do(p.index()) }) },
		func() error { return each(r.kv, "place/", bad("place"), func(p Place) { do(p.index()) }) },
		func() error { return each(r.kv, "server/", bad("server"), func(s Server) { do(s.index()) }) },
		func() error { return each(r.kv, outbox, bad("entry"), func(Entry) {}) },
		func() error { return each(r.kv, dead, bad("undeliverable entry"), func(Entry) {}) },
	} {
		if err := kind(); err != nil {
			return err
		}
	}
	return nil
}

// rebuild writes the keys of some kinds that lead to records, which an earlier version had
// none of.
func (w *writer) rebuild(kinds ...string) error {
	var all index
	err := w.indexed(func(string, uint64, error) {}, func(x index) { // what cannot be read is set aside where it is read
		for _, item := range x {
			if slices.ContainsFunc(kinds, func(kind string) bool { return bytes.HasPrefix(item.Key, []byte(kind)) }) {
				all = append(all, item)
			}
		}
	})
	if err != nil {
		return err
	}
	return w.reindex(nil, all)
}
