package bolt_test

import (
	"testing"

	"chimera/storage/bolt"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

func TestBoltKeepsTheContract(t *testing.T) {
	kvtest.Run(t, func(t testing.TB, path string) kv.DB {
		db, err := bolt.Open(path)
		kvtest.Must(t, err)
		return db
	})
}
