package storage

import (
	"bytes"
	"slices"

	"chimera/storage/kv"
)

// An Index is the keys that lead to a record, and what stands there. It is made of the
// record alone, so that writing, checking and repairing can all go by it.
type Index []kv.Item

// Add adds a key that says all by being there.
func (x *Index) Add(key []byte) { *x = append(*x, kv.Item{Key: key, Value: []byte{}}) }

// Point adds a key that has the number of the record.
func (x *Index) Point(key []byte, id uint64) {
	*x = append(*x, kv.Item{Key: key, Value: Number(id)})
}

// reindex replaces what leads to a record by what leads to that which it has become.
func reindex(w kv.Writer, was, now Index) error {
	for _, item := range was {
		if _, stays := now.find(item.Key); !stays {
			if err := w.Delete(item.Key); err != nil {
				return err
			}
		}
	}
	for _, item := range now {
		if before, stood := was.find(item.Key); !stood || !bytes.Equal(before, item.Value) {
			if err := w.Put(item.Key, item.Value); err != nil {
				return err
			}
		}
	}
	return nil
}

// find is what stands at a key.
func (x Index) find(key []byte) (value []byte, ok bool) {
	for _, item := range x {
		if bytes.Equal(item.Key, key) {
			return item.Value, true
		}
	}
	return nil, false
}

// Prefixes of index keys that stand in several places.
const (
	here       = "here/"
	identities = "identity/"
	addresses  = "address/"
	serverAt   = "serverat/"
)

// addDue adds the key of a deadline to an index.
func addDue(x *Index, d Deadline) {
	if !d.At.IsZero() {
		x.Add(dueKey(d))
	}
}

func (g *Game) index() (x Index) {
	for _, p := range g.Players {
		x.Add(playerKey(p, g))
	}
	if !g.Over() {
		for _, p := range g.Places() {
			x.Add(Key(here, p, g.ID))
		}
	}
	if !g.Over() && g.Season != 0 {
		x.Add(Key(running, g.Season, g.ID))
	}
	addDue(&x, Deadline{g.Clock.Wake, DueGame, uint64(g.ID)})
	if g.Counted {
		addResult(&x, ResultOf(g))
	}
	if g.Awaited() != 0 {
		x.Add(Key(thinking, g.ID))
	}
	addBeaten(&x, g)
	for side, pieces := range g.Made {
		for piece := range pieces {
			if g.Listed && g.Levels[side] == 0 {
				x.Add(Key(made, g.Players[side], g.Variant, piece, g.ID))
			}
		}
	}
	return x
}

func (c *Challenge) index() (x Index) {
	x.Add(Key("challenger/", c.From, c.ID))
	if c.To != 0 {
		x.Add(Key("challenged/", c.To, c.ID))
	} else {
		x.Add(Key("open/", c.Place, c.ID))
		if c.Server != 0 || c.Public {
			x.Add(Key("lobby/", c.Server, c.ID))
		}
	}
	for _, p := range c.places() {
		x.Add(Key("toldat/", p, c.ID))
	}
	addDue(&x, Deadline{c.Due(), DueChallenge, uint64(c.ID)})
	return x
}

func (p *Person) index() (x Index) {
	for _, a := range p.Identities {
		x.Point(Key(identities, a), uint64(p.ID))
	}
	for _, other := range p.Blocked {
		x.Add(Key("blocked/", other, p.ID))
	}
	if p.unlisted() {
		x.Add(Key("unlisted/", p.ID))
	}
	addDue(&x, Deadline{p.Vacation.Until, DueVacation, uint64(p.ID)})
	return x
}

func (p *Place) index() (x Index) {
	if p.Address.ID != "" {
		x.Point(Key(addresses, p.Address), uint64(p.ID))
	}
	if p.Server != 0 {
		x.Add(Key("in/", p.Server, p.ID))
	}
	return x
}

func (s *Server) index() (x Index) {
	if s.Into != 0 {
		return x
	}
	x.Point(Key(serverAt, s.Address), uint64(s.ID))
	for _, p := range s.Settings.Hidden {
		x.Add(Key("hidden/", p, s.ID))
	}
	if season := s.Settings.Season; season.Place != 0 {
		x.Add(Key("closing/", uint64(season.Month), s.ID))
	}
	if next := s.Settings.Puzzles.Next; !next.IsZero() {
		x.Add(Key(dailyAt, uint64(next.Unix()), s.ID))
	}
	return x
}

// A family is a kind of record, and what leads to records of it.
type family struct {
	name, prefix string
	numbered     bool     // its keys have one number
	leads        []string // the prefixes of the index keys
	index        func(kv.Item) (Index, error)
}

// families are all kinds of records that are checked.
func families() []family {
	return []family{
		games.family(true, "player/", here, running, due, results, thinking, beaten, made),
		challenges.family(true, "challenger/", "challenged/", "open/", "lobby/", "toldat/", due),
		people.family(true, identities, "blocked/", "unlisted/", due),
		places.family(true, addresses, "in/"),
		servers.family(true, serverAt, "hidden/", "closing/", dailyAt),
		leagues.family(true, leagueOf, leagueAt),
		members.family(false, memberOf),
		solvers.family(false, solversIn),
		sessions.family(false, sessionsOf),
		entries.family(false),
		dead.family(false),
		{"", states.prefix, false, []string{statesAbout}, func(item kv.Item) (Index, error) {
			var m State
			_ = Decode(item.Value, &m) // what is corrupt is as good as missing
			m.loaded(stateIDAt(item.Key[len(states.prefix):]))
			return m.index(), nil
		}},
	}
}

func (k *kind[K, V]) family(numbered bool, leads ...string) family {
	return family{k.name, k.prefix, numbered, leads, func(item kv.Item) (Index, error) {
		found := new(V)
		if err := Decode(item.Value, found); err != nil {
			return nil, err
		}
		return indexOf(found), nil
	}}
}

// familyOf is that of the record at a key; false if none is.
func familyOf(key []byte) (family, bool) {
	all := families()
	i := slices.IndexFunc(all, func(f family) bool { return bytes.HasPrefix(key, []byte(f.prefix)) })
	if i < 0 {
		return family{}, false
	}
	return all[i], true
}

// leads are the prefixes of all index keys.
func leads() (all []string) {
	for _, f := range families() {
		all = append(all, f.leads...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// owner is the key of the only record that can account for an index key, nil if that is damaged.
func owner(prefix string, item kv.Item) []byte {
	rest := item.Key[len(prefix):]
	switch prefix {
	case due:
		d, ok := readDue(rest)
		kind, known := map[string]string{DueGame: games.prefix, DueChallenge: challenges.prefix, DueVacation: people.prefix}[d.Kind]
		if !ok || !known {
			return nil
		}
		return Key(kind, d.ID)
	case identities, addresses, serverAt, leagueOf:
		rest = item.Value
	case memberOf:
		n := numbersIn(item.Key, prefix, 2)
		if n == nil {
			return nil
		}
		return members.key(MemberID{LeagueID(n[1]), PersonID(n[0])})
	case solversIn:
		n := numbersIn(item.Key, prefix, 2)
		if n == nil {
			return nil
		}
		return solvers.key(solverID{PersonID(n[1]), ServerID(n[0])})
	case sessionsOf:
		return sessions.key(rest[min(len(rest), NumberSize):])
	case statesAbout:
		return stateLedTo(item.Key)
	}
	if p, ok := standingsAt(item.Key); ok {
		return people.key(p)
	}
	for _, f := range families() {
		if len(rest) >= NumberSize && slices.Contains(f.leads, prefix) {
			return Key(f.prefix, End(rest))
		}
	}
	return nil
}
