package storage_test

import (
	"bytes"
	"errors"
	"testing"

	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

func TestTheSecretIsMadeOnceForAllWhoShareADatabase(t *testing.T) {
	var disk kvtest.Disk
	secret := func(path string) []byte {
		store, err := storage.Open(t.Context(), disk.Open(path))
		kvtest.Must(t, err)
		key, err := store.Secret(t.Context())
		kvtest.Must(t, errors.Join(err, store.Close()))
		return key
	}
	key := secret("one")
	if len(key) != 32 || bytes.Equal(key, make([]byte, 32)) {
		t.Errorf("it is %x", key)
	}
	if again := secret("one"); !bytes.Equal(again, key) {
		t.Errorf("%x, then %x", key, again)
	}
	if other := secret("other"); bytes.Equal(other, key) {
		t.Errorf("two databases have %x", other)
	}
}
