package storage

import (
	"fmt"

	"chimera/storage/kv"
)

// Check compares all indexes with what the records say, and reports each key that is
// missing or that no record accounts for.
func (r Reader) Check(report func(fault string)) error {
	want := wanted{}
	err := each(r, "game/", func(g Game) {
		for _, p := range g.Players {
			if g.Over() {
				want.add(playerKey("played/", p, g.ID))
			} else {
				want.add(playerKey("playing/", p, g.ID))
			}
		}
		if !g.Over() {
			for _, p := range g.Places() {
				want.add(hereKey(p, g.ID))
			}
		}
		want.due(gameDue(&g))
	})
	if err != nil {
		return err
	}
	err = each(r, "challenge/", func(c Challenge) {
		want.add(playerKey("challenger/", c.From, c.ID))
		if c.To != 0 {
			want.add(playerKey("challenged/", c.To, c.ID))
		} else {
			want.add(number(number(key("open/"), c.Place), c.ID))
		}
		want.due(challengeDue(&c))
	})
	if err != nil {
		return err
	}
	err = each(r, "person/", func(p Person) {
		for _, a := range p.Identities {
			want.add(identityKey(a))
		}
		want.due(vacationDue(&p))
	})
	if err != nil {
		return err
	}
	if err := each(r, "place/", func(p Place) { want.add(addressKey(p.Address)) }); err != nil {
		return err
	}
	if err := each(r, "server/", func(s Server) { want.add(serverAddressKey(s.Address)) }); err != nil {
		return err
	}
	for _, prefix := range []string{
		"playing/", "played/", "here/", "challenger/", "challenged/", "open/", "identity/", "address/", "serverat/", "due/",
	} {
		start, end := kv.Prefix(key(prefix))
		for item, err := range r.kv.Scan(start, end) {
			if err != nil {
				return err
			}
			if !want[string(item.Key)] {
				report(fmt.Sprintf("the key %q stands for no record", item.Key))
			}
			delete(want, string(item.Key))
		}
	}
	for missing := range want {
		report(fmt.Sprintf("the key %q is missing", missing))
	}
	return nil
}

// wanted are the index keys that the records account for.
type wanted map[string]bool

func (w wanted) add(key []byte) { w[string(key)] = true }

func (w wanted) due(d Deadline) {
	if !d.At.IsZero() {
		w.add(dueKey(d))
	}
}

// each calls do with each record of a kind.
func each[T any](r Reader, prefix string, do func(T)) error {
	start, end := kv.Prefix(key(prefix))
	for item, err := range r.kv.Scan(start, end) {
		if err != nil {
			return err
		}
		var record T
		if err := decode(item.Value, &record); err != nil {
			return fmt.Errorf("%q: %w", item.Key, err)
		}
		do(record)
	}
	return nil
}
