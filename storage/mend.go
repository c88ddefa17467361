package storage

import (
	"context"
	"errors"

	"chimera/storage/kv"
)

// Mend makes a database of the current version whole of which parts are lost: index keys
// lead to the records that are there, and to no others, and numbers are given but once. In the
// place of a record that is lost, and to which a key leads, comes one that is corrupt, so that
// it is quarantined. It returns which those are.
func Mend(ctx context.Context, db kv.DB) (lost []Ref, err error) {
	err = db.Update(ctx, func(out kv.Writer) error {
		lost = nil
		err := PutSchema(out, Current)
		w := Over(SealTo(out))
		for _, prefix := range leads() {
			for item, err2 := range w.kv.Scan(kv.Prefix(Key(prefix))) {
				if err2 != nil {
					return err2
				}
				record := owner(prefix, item)
				var value []byte
				if record != nil {
					value, err2 = w.kv.Get(record)
				}
				f, _ := familyOf(record)
				_, standings := standingsAt(item.Key)
				switch {
				case errors.Is(err2, kv.ErrCorrupt), standings && value != nil: // the key may be right
				case value == nil && f.numbered: // the record is lost
					lost = append(lost, Ref{f.name, End(record)})
					err = errors.Join(err, err2, out.Put(record, nil))
				default: // if it is right, it is written again
					err = errors.Join(err, err2, out.Delete(item.Key))
				}
			}
		}
		for _, f := range families() {
			err = errors.Join(err, w.mend(f))
		}
		return err
	})
	return lost, err
}

// mend writes the index keys of the records of a family, and lets no number be given again that one
// of them has.
func (w Writer) mend(f family) error {
	var highest uint64
	for item, err := range w.kv.Scan(kv.Prefix(Key(f.prefix))) {
		if err != nil {
			return err
		}
		x, _ := f.index(item) // a corrupt record is quarantined where it is read
		if err := reindex(w.out, nil, x); err != nil {
			return err
		}
		highest = max(highest, End(item.Key))
	}
	counter := f.name
	if f.name == OfChallenge {
		counter = OfGame
	}
	last, err := w.kv.Get(Key("seq/" + counter))
	switch {
	case !f.numbered, highest == 0:
		return nil
	case err != nil && !Missing(err), End(last) >= highest:
		return err
	}
	return w.out.Put(Key("seq/"+counter), Number(highest))
}
