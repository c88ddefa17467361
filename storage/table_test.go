package storage_test

import (
	"testing"
	"time"

	"chimera/storage"
)

func TestARecordIsReadable(t *testing.T) {
	at := time.Date(2026, 11, 22, 8, 18, 47, 804049233, time.UTC)
	game := storage.Game{
		ID: 1, Variant: "combine", Players: [2]storage.PersonID{1, 2}, Began: at, Pace: storage.Pace{Move: 72 * time.Hour, Bank: 25*time.Hour + time.Minute},
		Draw: &storage.Offer{By: 1, At: at}, Figures: storage.Figures{Spreads: [2]float64{70, 80.5}}, Made: [2]map[string]int{{"RN": 2}},
	}
	const want = `{
  "ID": 1,
  "Variant": "combine",
  "Players": [
    1,
    2
  ],
  "Began": "2026-11-22 08:18:47 UTC",
  "Pace": {
    "Move": "3 days",
    "Bank": "1 day 1 hour 1 minute"
  },
  "Draw": {
    "By": 1,
    "At": "2026-11-22 08:18:47 UTC"
  },
  "Spreads": [
    70,
    80.5
  ],
  "Made": [
    {
      "RN": 2
    },
    null
  ]
}
`
	if got, err := storage.Readable(game); err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
}
