package kv

import (
	"context"
	"errors"
)

// Conditions of Fill.
var (
	// ErrNotEmpty is returned by Fill for a database to fill that holds anything.
	ErrNotEmpty = errors.New("database holds something already")

	// ErrUnfinished is returned for a database that Fill has not filled to the end.
	ErrUnfinished = errors.New("database was filled in part only: copy or restore into it again")
)

// unfinished is the key that a database has until it is filled to the end.
const unfinished = "\x00unfinished"

// Whole returns ErrUnfinished for a database that Fill has begun to fill, and not more.
func Whole(r Reader) error {
	mark, err := r.Get([]byte(unfinished))
	if err == nil && mark != nil {
		return ErrUnfinished
	}
	return err
}

// Fill fills a database, which nobody else uses meanwhile, with all that another holds as of one moment,
// and returns how many bytes that are. The database is empty, or ErrNotEmpty is returned. Since no Update
// takes all, one that fails leaves a database that is ErrUnfinished; to fill that begins anew.
func Fill(ctx context.Context, from, to DB) (size int64, err error) {
	err = from.View(ctx, func(r Reader) error { // which may run again
		if err := Whole(r); err != nil {
			return err
		}
		if err := claim(ctx, to); err != nil {
			return err
		}
		size = 0
		var some []Item
		length := 0 // of those
		put := func(last bool) error {
			err := to.Update(ctx, func(w Writer) (err error) {
				for _, item := range some {
					err = errors.Join(err, w.Put(item.Key, item.Value))
				}
				if last {
					err = errors.Join(err, w.Delete([]byte(unfinished)))
				}
				return err
			})
			size += int64(length)
			some, length = nil, 0
			return err
		}
		for item, err := range r.Scan(nil, nil) {
			more := len(item.Key) + len(item.Value)
			if err == nil && (length+more > MaxUpdateSize || len(some) == MaxUpdateWrites/2) {
				err = put(false)
			}
			if err != nil {
				return err
			}
			some, length = append(some, item), length+more
		}
		return put(true)
	})
	return size, err
}

// claim marks an empty database as unfinished, or empties one that is.
func claim(ctx context.Context, db DB) error {
	err := db.Update(ctx, func(w Writer) error {
		for item, err := range w.Scan(nil, nil) {
			if err == nil && string(item.Key) != unfinished {
				err = ErrNotEmpty
			}
			return err
		}
		return w.Put([]byte(unfinished), nil)
	})
	for left := 1; err == nil && left > 0; {
		err = db.Update(ctx, func(w Writer) error {
			left = 0
			for item, err := range w.Scan([]byte(unfinished+"\x00"), nil) {
				if left++; err != nil || left > MaxUpdateWrites/2 {
					return err
				}
				if err := w.Delete(item.Key); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return err
}
