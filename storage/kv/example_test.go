package kv_test

import (
	"context"
	"errors"
	"fmt"

	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// An Update that fails stores nothing, and a View sees the keys of a prefix in order.
func Example() {
	ctx := context.Background()
	db := new(kvtest.Disk).Open("games") // package storage/bolt opens one in a file
	err := db.Update(ctx, func(w kv.Writer) error {
		return errors.Join(w.Put([]byte("game/2"), []byte("stealth")), w.Put([]byte("game/1"), []byte("chess")))
	})
	fmt.Println(err)
	err = db.Update(ctx, func(w kv.Writer) error {
		return errors.Join(w.Delete([]byte("game/1")), errors.New("the game goes on"))
	})
	fmt.Println(err)
	err = db.View(ctx, func(r kv.Reader) error {
		for item, err := range r.Scan(kv.Prefix([]byte("game/"))) {
			if err != nil {
				return err
			}
			fmt.Printf("%s is %s\n", item.Key, item.Value)
		}
		return nil
	})
	fmt.Println(err)
	fmt.Println(db.Close())
	// Output:
	// <nil>
	// the game goes on
	// game/1 is chess
	// game/2 is stealth
	// <nil>
	// <nil>
}
