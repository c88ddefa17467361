package storage_test

import (
	"os"
	"testing"
	"time"

	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

func TestARecordIsReadable(t *testing.T) {
	at := time.Date(2026, 11, 22, 8, 18, 47, 804049233, time.UTC)
	game := storage.Game{
		ID: 1, Variant: "combine", Players: [2]storage.PersonID{1, 2}, Began: at, Pace: storage.Pace{Move: 72 * time.Hour, Bank: 25*time.Hour + time.Minute},
		Draw: &storage.Offer{By: 1, At: at}, Figures: storage.Figures{Spreads: [2]float64{70, 80.5}}, Made: [2]map[string]int{{"RN": 2}},
	}
	want, err := os.ReadFile("testdata/record.json")
	kvtest.Must(t, err)
	if got, err := storage.Readable(game); err != nil || got != string(want) {
		t.Errorf("%v\n%s", err, got)
	}
}
