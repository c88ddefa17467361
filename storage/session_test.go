package storage_test

import (
	"bytes"
	"testing"

	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

func TestTheSecretIsMadeOnceForAllWhoShareADatabase(t *testing.T) {
	disk := new(kvtest.Disk)
	first, err := storage.Open(t.Context(), disk.Open("db"))
	kvtest.Must(t, err)
	key, err := first.Secret(t.Context())
	if err != nil || len(key) != 32 || bytes.Equal(key, make([]byte, 32)) {
		t.Fatalf("%x, %v", key, err)
	}
	kvtest.Must(t, first.Close())
	second, err := storage.Open(t.Context(), disk.Open("db"))
	kvtest.Must(t, err)
	defer func() { _ = second.Close() }()
	if again, err := second.Secret(t.Context()); err != nil || !bytes.Equal(again, key) {
		t.Errorf("%x, then %x: %v", key, again, err)
	}
	other, err := storage.Open(t.Context(), new(kvtest.Disk).Open("db"))
	kvtest.Must(t, err)
	defer func() { _ = other.Close() }()
	if others, err := other.Secret(t.Context()); err != nil || bytes.Equal(others, key) {
		t.Errorf("two databases have %x: %v", others, err)
	}
}
