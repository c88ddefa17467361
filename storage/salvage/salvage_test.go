package salvage_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chimera/storage"
	"chimera/storage/bolt"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
	"chimera/storage/salvage"
)

var noon = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

const pageSize = 4096

// specimen is the file of a database in which many games have been played, and all that it holds.
func specimen(t *testing.T, seed uint64) (image []byte, holds map[string]string) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(t.TempDir(), "db")
	db, err := bolt.Open(path)
	kvtest.Must(t, err)
	s, err := storage.Open(t.Context(), db)
	kvtest.Must(t, err)
	games := map[storage.GameID]storage.Game{}
	var open []storage.GameID
	for round := range 60 {
		kvtest.Must(t, s.Update(t.Context(), func(w storage.Writer) error {
			p, err := w.Meet(storage.Address{Platform: "test", ID: fmt.Sprint(round)}, fmt.Sprint("person ", round))
			place, err2 := w.Visit(storage.Address{Platform: "test", ID: fmt.Sprint("room ", round%7)}, storage.Address{Platform: "test", ID: "server"})
			err = errors.Join(err, err2)
			for range 4 {
				id, err2 := w.NewGameID()
				err = errors.Join(err, err2)
				if random.IntN(2) == 0 {
					open = append(open, id)
					err = errors.Join(err, w.Challenges().Put(storage.Challenge{ID: id, From: p.ID, Place: place.ID, Server: place.Server, Variant: "chess"}))
					continue
				}
				g := storage.Game{ID: id, Variant: "chess", Players: [2]storage.PersonID{p.ID, 1}, Place: place.ID, Began: noon, Changed: noon, Result: "*", Revision: 1}
				games[id] = g
				err = errors.Join(err, w.Games().Put(g))
			}
			for range 6 {
				ids := slices.Sorted(maps.Keys(games))
				if len(ids) == 0 {
					break
				}
				was := games[ids[random.IntN(len(ids))]]
				g := was
				for range random.IntN(60) {
					g.Moves = append(slices.Clone(g.Moves), "e2e4")
				}
				g.Revision++
				games[g.ID] = g
				err = errors.Join(err, w.Games().Put(g))
			}
			if len(open) > 5 {
				c, err2 := w.Challenges().Get(open[0])
				err = errors.Join(err, err2, w.Challenges().Delete(c.ID))
				open = open[1:]
			}
			return err
		}))
	}
	holds = kvtest.Contents(t, db)
	kvtest.Must(t, s.Close())
	image, err = os.ReadFile(path)
	kvtest.Must(t, err)
	return image, holds
}

// damages are what may happen to a file, or to a page of one that is in use.
func damages() map[string]func(*rand.Rand, []byte) []byte {
	page := func(random *rand.Rand, b []byte) []byte {
		for {
			n := random.IntN(len(b) / pageSize)
			if page := b[n*pageSize:][:pageSize]; !bytes.Equal(page, make([]byte, pageSize)) {
				return page
			}
		}
	}
	return map[string]func(*rand.Rand, []byte) []byte{
		"a bit": func(r *rand.Rand, b []byte) []byte {
			page(r, b)[r.IntN(pageSize)] ^= 1 << r.IntN(8)
			return b
		},
		"32 bits": func(r *rand.Rand, b []byte) []byte {
			for range 32 {
				page(r, b)[r.IntN(pageSize)] ^= 1 << r.IntN(8)
			}
			return b
		},
		"the beginning of a page": func(r *rand.Rand, b []byte) []byte {
			page(r, b)[r.IntN(80)] ^= 1 << r.IntN(8)
			return b
		},
		"zeros": func(r *rand.Rand, b []byte) []byte {
			for range 1 + r.IntN(3) {
				clear(page(r, b))
			}
			return b
		},
		"torn": func(r *rand.Rand, b []byte) []byte {
			at := 512 * (1 + r.IntN(7))
			if r.IntN(2) == 0 {
				clear(page(r, b)[at:])
			} else {
				copy(page(r, b)[:at], page(r, b)[:at])
			}
			return b
		},
		"swapped": func(r *rand.Rand, b []byte) []byte {
			one, other := page(r, b), page(r, b)
			was := bytes.Clone(one)
			copy(one, other)
			copy(other, was)
			return b
		},
		"cut": func(r *rand.Rand, b []byte) []byte {
			return b[:2*pageSize+r.IntN(len(bytes.TrimRight(b, "\x00"))-2*pageSize)]
		},
		"both beginnings": func(_ *rand.Rand, b []byte) []byte {
			clear(b[100:200])
			b[30]++
			b[pageSize+30]++
			return b
		},
	}
}

// TestOfADamagedFileComesBackEveryGameThatIsSound damages a file in many ways. A game is to come
// back if its whole record, its key before it, stands anywhere in what is left. The seed does not fix
// on which pages that is, for bbolt takes any that are free.
func TestOfADamagedFileComesBackEveryGameThatIsSound(t *testing.T) {
	each := 20 // times 8 ways
	if testing.Short() {
		each = 4
	}
	const seed = 5
	image, holds := specimen(t, seed)
	for name, damage := range damages() {
		t.Run(name, func(t *testing.T) {
			for n := range uint64(each) {
				random := rand.New(rand.NewPCG(seed, n))
				rescued(t, fmt.Sprintf("seed %d, %d", seed, n), damage(random, bytes.Clone(image)), holds)
			}
		})
	}
}

func TestAPageWithTheWrongCountOfElementsIsNotTakenForWhole(t *testing.T) {
	image, holds := specimen(t, 5)
	for at, bit := 2*pageSize, 0; at < len(image); at += pageSize {
		if flags := image[at+8]; flags != 1 && flags != 2 || image[at+10] == 0 {
			continue // neither a branch nor a leaf
		}
		b := bytes.Clone(image)
		b[at+10+bit/8] ^= 1 << (bit % 8)
		rescued(t, fmt.Sprintf("page %d, bit %d", at/pageSize, bit), b, holds)
		bit = (bit + 1) % 16
	}
}

func TestABucketThatIsNowhereIsNoPanic(t *testing.T) {
	image, holds := specimen(t, 5)
	for at := 0; at < len(image); at += pageSize {
		if image[at+8] == 2 && image[at+16] == 1 { // the leaf that names the bucket
			clear(image[at+34:][:8])
		}
	}
	rescued(t, "root 0", image, holds)
}

func TestATreeThatBeginsBelowItsRootIsNotTakenForWhole(t *testing.T) {
	image, holds := specimen(t, 5)
	for at := 2 * pageSize; at < len(image); at += pageSize {
		if image[at+8] != 2 || image[at+9] != 0 || image[at+16] != 1 {
			continue // not a leaf that names the bucket
		}
		root := image[at+34:]
		if page := image[int(root[0])*pageSize:]; page[8] == 1 {
			root[0] = page[24] // its first child
		}
	}
	if report := rescued(t, "below the root", image, holds); report.Lost == 0 || report.Records != len(holds) || len(report.Missing) > 0 {
		t.Errorf("%+v of %d", report, len(holds))
	}
}

// TestAGameComesBackWhereverItsRecordBegins lays games where the tree does not lead, across the end of
// a page that was free: what is lost elsewhere may be all that tells that they are.
func TestAGameComesBackWhereverItsRecordBegins(t *testing.T) {
	image, holds := specimen(t, 5)
	lost := "place/" + string(binaryID(1))
	image = bytes.ReplaceAll(image, []byte(lost+holds[lost]), []byte(lost+strings.Repeat("x", len(holds[lost]))))
	var free []byte
	for at := 2 * pageSize; at < len(image); at += pageSize {
		if image[at+8] == 16 { // the newest list of free pages, or an older one
			free = bytes.Clone(image[at+16:][:8])
		}
	}
	begins := pageSize - 20
	for id := range storage.GameID(40) {
		key := "game/" + string(binaryID(1000+id))
		value, err := storage.Encode(storage.Game{ID: 1000 + id, Variant: "chess", Began: noon, Changed: noon, Result: "*", Revision: 1})
		kvtest.Must(t, err)
		holds[key] = string(storage.Seal([]byte(key), value))
		pages := bytes.Repeat([]byte{0xff}, 2*pageSize)
		copy(pages, free)
		copy(pages[begins+int(id):], key+holds[key])
		image = append(image, pages...)
	}
	rescued(t, "no page", image, holds)
}

// rescued salvages a file, compares what comes back with what was there, and is the report.
func rescued(t *testing.T, name string, image []byte, holds map[string]string) *salvage.Report {
	t.Helper()
	from, to := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "to")
	kvtest.Must(t, os.WriteFile(from, image, 0o400))
	report, err := salvage.Run(t.Context(), from, to)
	if err != nil {
		for key, value := range holds {
			if !errors.Is(err, salvage.ErrNothing) || bytes.Contains(image, []byte(key+value)) {
				t.Errorf("%s: %q: %v", name, key, err)
				break
			}
		}
		return report
	}
	if after, err := os.ReadFile(from); err != nil || !bytes.Equal(after, image) {
		t.Errorf("%s: it was changed: %v", name, err)
	}
	db, err := bolt.Open(to)
	kvtest.Must(t, err)
	found := kvtest.Contents(t, db)
	for key, value := range holds {
		kind, _, _ := strings.Cut(key, "/")
		if kind == "game" && bytes.Contains(image, []byte(key+value)) && (found[key] != value && !report.Older || found[key] == "") {
			t.Errorf("%s: %q is sound, but comes back as %q: %q", name, key, found[key][max(0, len(found[key])-40):], report.Lines())
		}
		if report.Whole() && found[key] != value {
			t.Errorf("%s: all is said to be there, but %q is %q", name, key, found[key])
		}
	}
	for key, value := range found {
		if strings.HasPrefix(key, "challenge/") && holds[key] == "" && value != "" && !report.Blind && !report.Older {
			t.Errorf("%s: %q has come back", name, key)
		}
	}
	s, err := storage.Open(t.Context(), db)
	kvtest.Must(t, err)
	err = s.Check(t.Context(), func(fault string) {
		if !strings.Contains(fault, "cannot be read") || len(report.Missing) == 0 {
			t.Errorf("%s: %s", name, fault)
		}
	})
	err = errors.Join(err, s.Update(t.Context(), func(w storage.Writer) error {
		id, err := w.NewGameID()
		if _, used := found["game/"+string(binaryID(id))]; used {
			t.Errorf("%s: the number %d is given again", name, id)
		}
		return err
	}))
	if err := errors.Join(err, s.Close()); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	return report
}

func binaryID(id storage.GameID) []byte {
	return []byte{0, 0, 0, 0, byte(id >> 24), byte(id >> 16), byte(id >> 8), byte(id)}
}

func TestASoundFileComesBackWhole(t *testing.T) {
	image, holds := specimen(t, 1)
	if report := rescued(t, "sound", image, holds); report.Records != len(holds) || !report.Whole() || len(report.Lines()) > 0 {
		t.Errorf("%+v", report)
	}
}

func TestWhatCannotBeSalvagedIsRefused(t *testing.T) {
	folder := t.TempDir()
	to := filepath.Join(folder, "to")
	text := filepath.Join(folder, "text")
	kvtest.Must(t, os.WriteFile(text, bytes.Repeat([]byte("no pages\n"), 1000), 0o600))
	midway := filepath.Join(folder, "midway")
	db, err := bolt.Open(midway)
	kvtest.Must(t, err)
	_, err = storage.Open(t.Context(), db)
	kvtest.Must(t, errors.Join(err, db.Update(t.Context(), func(w kv.Writer) error { return storage.BeginUpgrade(w, 12) }), db.Close()))
	for path, want := range map[string]error{
		filepath.Join(folder, "none"): fs.ErrNotExist, text: kv.ErrNotDatabase, midway: salvage.ErrUpgrading,
	} {
		if _, err := salvage.Run(t.Context(), path, to); !errors.Is(err, want) {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := os.Stat(to); err == nil {
			t.Error("it has made a file")
		}
	}
}
