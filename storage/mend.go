package storage

import (
	"context"
	"errors"

	"chimera/storage/kv"
)

// Mend makes whole what is left of a database of the current version, or of which that is lost: keys
// lead to the records that are there, and to no others, and numbers are given but once. In the
// place of a record that is lost, and to which a key leads, comes one that cannot be read, so that
// it is set aside. It returns which those are.
func Mend(ctx context.Context, db kv.DB) (lost []Ref, err error) {
	err = db.Update(ctx, func(w kv.Writer) error {
		lost = nil
		err := PutSchema(w, Current)
		sealed := SealTo(w)
		for _, prefix := range leads() {
			for item, err2 := range sealed.Scan(kv.Prefix(Key(prefix))) {
				if err2 != nil {
					return err2
				}
				ref, err2 := mend(w, sealed, prefix, item)
				if err = errors.Join(err, err2); ref.Kind != "" {
					lost = append(lost, ref)
				}
			}
		}
		over := Over(sealed)
		return errors.Join(err, over.Rebuild(leads()...), countOn(sealed))
	})
	return lost, err
}

// mend removes a key that leads to a record which does not account for it. If the record is
// lost, that is noted in its place.
func mend(w kv.Writer, sealed SealedWriter, prefix string, item kv.Item) (lost Ref, err error) {
	key := owner(prefix, item)
	if key == nil {
		return lost, w.Delete(item.Key)
	}
	stored, err := w.Get(key)
	if err != nil {
		return lost, err
	}
	if stored == nil {
		if f, _ := familyOf(key); f.numbered {
			return Ref{f.name, End(key)}, w.Put(key, nil)
		}
		return lost, w.Delete(item.Key)
	}
	_, _, career := standingsAt(item.Key)
	value, sound := Unseal(key, stored)
	if !sound || career {
		return lost, nil
	}
	if found := own(kv.Item{Key: key, Value: value}); !found.unreadable && !found.leads[string(item.Key)] {
		return lost, sealed.Delete(item.Key)
	}
	return lost, nil
}

// countOn lets no number be given again that a record has.
func countOn(w SealedWriter) error {
	highest := map[string]uint64{}
	for _, kind := range []string{OfGame, OfChallenge, OfPerson, OfPlace, OfServer} {
		counter := kind
		if kind == OfChallenge {
			counter = OfGame
		}
		for item, err := range w.Scan(kv.Prefix(Key(kind + "/"))) {
			if err != nil {
				return err
			}
			highest[counter] = max(highest[counter], End(item.Key))
		}
	}
	var err error
	for kind, n := range highest {
		seq := Key("seq/" + kind)
		last, err2 := w.Get(seq)
		if err2 != nil && !Missing(err2) {
			return err2
		}
		if End(last) < n {
			err = errors.Join(err, w.Put(seq, Number(n)))
		}
	}
	return err
}
