package migrate

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"time"

	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/record"
)

// work is the transaction of a step, in which there are records as they are today, and keys.
type work struct {
	storage.Writer
	out  kv.Writer
	past Past
}

// Past are the keys of earlier positions that the record of a game should have, as its moves say;
// storage knows no rules.
type Past func(*storage.Game) ([]uint64, error)

// steps are what leads from each schema to the next, but from unsealed.
func steps() []func(work) error {
	return []func(work) error{
		1: work.addTurns, 2: work.gatherPlayers, 3: work.nothing, 4: work.nothing, 5: work.indexByPlace,
		6: work.indexUnwanted, 7: work.countByQueue, 8: work.recodeMemories, 9: work.logResults,
		10: work.keyByQueue, 11: work.listLobbies, 12: work.rememberPawns,
	}
}

// playerKey begins the keys of a player.
func playerKey(p storage.PersonID) []byte { return record.Number(record.Key("player/"), p) }

// addTurns leads from schema 1, whose games had no time limit, did not say whose
// turn it is, and were not listed by place.
func (w work) addTurns() error {
	ids, err := w.Games()
	if err != nil {
		return err
	}
	for g, err := range w.Read(ids) {
		if err != nil {
			return err
		}
		if fields := strings.Fields(g.FEN); len(fields) > 1 && fields[1] == "b" {
			g.Turn = storage.Black
		}
		if err := record.Mark(w.out, record.Number(record.Number(record.Key("here/"), g.Place), g.ID), !g.Over()); err != nil {
			return err
		}
		if err := record.Put(w.out, record.Number(record.Key("game/"), g.ID), g); err != nil {
			return err
		}
	}
	return nil
}

// gatherPlayers leads from schema 2, which had a person's games, standings, servers and
// pairings of a day in different places, and a key for each score.
func (w work) gatherPlayers() error {
	for _, kind := range []string{"played/", "playing/"} {
		err := w.move(kind, func(k, _ []byte) error {
			p := storage.PersonID(binary.BigEndian.Uint64(k))
			return w.out.Put(append(append(playerKey(p), kind...), k[8:]...), []byte{})
		})
		if err != nil {
			return err
		}
	}
	made := map[storage.PersonID]*storage.Standings{}
	of := func(k []byte) (*storage.Standings, []byte) {
		p := storage.PersonID(binary.BigEndian.Uint64(k))
		if made[p] == nil {
			made[p] = &storage.Standings{}
		}
		return made[p], k[8:]
	}
	err := errors.Join(
		w.move("standing/", func(k, value []byte) error {
			c, kind := of(k)
			var s storage.Standing
			if err := record.Decode(value, &s); err != nil {
				return err
			}
			c.Put(string(kind), s)
			return nil
		}),
		w.move("member/", func(k, _ []byte) error {
			c, server := of(k)
			c.Join(storage.ServerID(binary.BigEndian.Uint64(server)))
			return nil
		}),
		w.move("pair/", func(k, value []byte) error {
			c, rest := of(k)
			if day := int64(binary.BigEndian.Uint64(rest[8:])); day > c.Day || c.Met == nil {
				c.Day, c.Met = day, map[storage.PersonID]int{}
			}
			if c.Day == int64(binary.BigEndian.Uint64(rest[8:])) {
				c.Met[storage.PersonID(binary.BigEndian.Uint64(rest))] = int(binary.BigEndian.Uint64(value))
			}
			return nil
		}),
	)
	err = errors.Join(err, w.drop("score/"))
	for p, c := range made {
		err = errors.Join(err, w.PutStandings(p, *c))
	}
	return err
}

// nothing leads from schema 3, which had fewer leaderboards, and from schema 4, in which
// nothing said when an adapter put what it remembers: that is noted as it is looked through
// for what has come to its end.
func (work) nothing() error { return nil }

// indexByPlace leads from schema 5, in which nothing listed the places of a server, and
// the challenges of a place. It did not say either whom a name is about that Telegram's adapter
// remembers: recodeMemories mends that.
func (w work) indexByPlace() error { return w.Rebuild("in/", "toldat/") }

// indexUnwanted leads from schema 6, in which only the lists of people and servers said whom
// they do not want.
func (w work) indexUnwanted() error { return w.Rebuild("blocked/", "hidden/") }

// countByQueue leads from schema 7, in which the outbox had one counter, and one index, which
// named no games.
func (w work) countByQueue() error { return w.drop("entryat/", "seq/entry") }

// recodeMemories leads from schema 8, in which what an adapter remembered was packed: a byte,
// when it was put, in Unix seconds, and, where that byte was the second, whom it is about, up
// to a zero byte. The first versions had put the text alone, and did not say whom it is about
// that Telegram's adapter remembers a name.
func (w work) recodeMemories() error {
	var all []storage.State
	prefix := record.Key("memory/")
	start, end := kv.Prefix(prefix)
	for item, err := range w.out.Scan(start, end) {
		if err != nil {
			return err
		}
		platform, name, _ := strings.Cut(string(item.Key[len(prefix):]), "\x00")
		all = append(all, unpackMemory(storage.State{Platform: platform, Name: name, Value: item.Value}))
	}
	for _, m := range all {
		if m.Platform == "telegram" && strings.HasPrefix(m.Name, "user/") {
			m.About, _, _ = strings.Cut(string(m.Value), " ")
		}
		if err := w.recode(m); err != nil {
			return err
		}
	}
	return nil
}

// recode remembers as today what is not about an account that nobody knows any more.
func (w work) recode(m storage.State) error {
	key := append(record.Text(record.Key("memory/"), m.Platform), m.Name...)
	if m.About == "" {
		return record.Put(w.out, key, m)
	}
	about := append(record.Text(record.Text(record.Key("about/"), m.Platform), m.About), m.Name...)
	person, err := w.out.Get(record.Text(record.Text(record.Key("identity/"), m.Platform), m.About))
	switch {
	case err != nil:
		return err
	case person == nil:
		return errors.Join(w.out.Delete(key), w.out.Delete(about))
	}
	return errors.Join(record.Put(w.out, key, m), record.Mark(w.out, about, true))
}

func unpackMemory(m storage.State) storage.State {
	packed := m.Value
	if len(packed) <= record.NumberSize || packed[0] != 1 && packed[0] != 2 {
		return m
	}
	if seconds := binary.BigEndian.Uint64(packed[1:]); seconds != 0 {
		m.At = time.Unix(int64(seconds), 0).UTC()
	}
	m.Value = packed[1+record.NumberSize:]
	if packed[0] == 2 {
		about, value, _ := bytes.Cut(m.Value, []byte{0})
		m.About, m.Value = string(about), value
	}
	return m
}

// logResults leads from schema 9, which kept leaderboards, a log of rated games by number and
// results by server, and did not list who stands on no leaderboard. All ratings are computed
// again, since games of one moment may have got another order.
func (w work) logResults() error {
	var job struct{ Games, Waiting []storage.GameID } // that are to count no more
	if value, err := w.out.Get(record.Key("meta/recount")); err != nil || value != nil {
		if err := errors.Join(err, record.Decode(value, &job)); err != nil {
			return err
		}
	}
	ids, err := w.ratedBefore()
	if err != nil {
		return err
	}
	err = w.drop("rated/", "seq/rated", "result/", "month/", "listed/", "top/", "histogram/", "fades/", "draft/", "figures/", "meta/listed", "meta/adopting")
	if err != nil {
		return err
	}
	last := map[storage.PersonID]time.Time{}
	for g, err := range w.Read(ids) {
		if err != nil {
			return err
		}
		if !g.Counted {
			continue
		}
		was := g
		was.Counted = false // it is in no log yet
		for _, p := range g.Players {
			if !g.Changed.After(last[p]) {
				g.Changed = last[p].Add(1)
			}
		}
		last[g.Players[storage.White]], last[g.Players[storage.Black]] = g.Changed, g.Changed
		if g.Servers, err = w.Homes(&g); err != nil {
			return err
		}
		if err := w.PutGame(was, g); err != nil {
			return err
		}
	}
	people, err := w.People()
	if err := errors.Join(err, w.Rebuild("unlisted/")); err != nil {
		return err
	}
	for _, p := range people {
		old := append(playerKey(p), "rated"...)
		value, err := w.out.Get(old)
		if err == nil && value != nil {
			err = errors.Join(w.out.Put(append(playerKey(p), "rateda"...), value), w.out.Delete(old))
		}
		if err != nil {
			return err
		}
	}
	return w.PutRecount(storage.Recount{Games: append(job.Games, job.Waiting...), Again: true})
}

// ratedBefore are the games of the log that schema 9 had, of which the last stood behind
// their number.
func (w work) ratedBefore() (ids []storage.GameID, err error) {
	start, end := kv.Prefix(record.Key("rated/"))
	for item, err := range w.out.Scan(start, end) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, storage.GameID(record.End(item.Value)))
	}
	waiting, err := w.out.Get(record.Key("seq/rated"))
	for len(waiting) >= 2*record.NumberSize {
		waiting = waiting[record.NumberSize:]
		ids = append(ids, storage.GameID(binary.BigEndian.Uint64(waiting)))
	}
	return ids, err
}

// keyByQueue leads from schema 10, in which entries stood by number alone, with indexes of
// their queues, and a list said when answers may go.
func (w work) keyByQueue() error {
	for kind, index := range map[string]string{"outbox/": "entryat/", "dead/": "deadat/"} {
		queues := map[uint64]storage.Queue{}
		err := w.move(index, func(rest, _ []byte) error {
			if len(rest) == 3*record.NumberSize {
				queues[record.End(rest)] = storage.Queue{
					Place: storage.PlaceID(binary.BigEndian.Uint64(rest)),
					Game:  storage.GameID(binary.BigEndian.Uint64(rest[record.NumberSize:])),
				}
			}
			return nil
		})
		moved := map[string][]byte{}
		err = errors.Join(err, w.move(kind, func(rest, value []byte) error {
			id := record.End(rest)
			q := queues[id] // of what cannot be read
			var e storage.Entry
			if record.Decode(value, &e) == nil {
				q = e.Queue()
			}
			moved[string(record.Number(record.Number(record.Number(record.Key(kind), q.Place), q.Game), id))] = value
			return nil
		}))
		for k, value := range moved {
			err = errors.Join(err, w.out.Put([]byte(k), value))
		}
		if err != nil {
			return err
		}
	}
	return w.drop("forget/", "meta/swept")
}

// listLobbies leads from schema 11, in which nothing listed the open challenges of a server.
func (w work) listLobbies() error {
	for c, err := range w.ReadChallenges(w.Challenges()) {
		if err != nil {
			return err
		}
		place, err := w.Place(c.Place)
		if err != nil && !storage.Lost(err) {
			return err
		}
		c.Server = place.Server
		if err := record.Put(w.out, record.Number(record.Key("challenge/"), c.ID), c); err != nil {
			return err
		}
	}
	return w.Rebuild("lobby/")
}

// rememberPawns leads from schema 12, in which a pawn's move ended what a game remembered of its past,
// though pawns go back in some games. A game whose moves cannot be played stays as it is.
func (w work) rememberPawns() error {
	ids, err := w.Games()
	if err != nil {
		return err
	}
	for g, err := range w.Read(ids) {
		if err != nil {
			return err
		}
		past, err := w.past(&g)
		if err != nil || slices.Equal(past, g.Past) {
			continue
		}
		g.Past = past
		if err := record.Put(w.out, record.Number(record.Key("game/"), g.ID), g); err != nil {
			return err
		}
	}
	return nil
}

// drop removes all keys of some kinds.
func (w work) drop(kinds ...string) error {
	for _, kind := range kinds {
		if err := w.move(kind, func([]byte, []byte) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// move takes all keys of a kind away and gives them to another use, the key from behind
// its kind.
func (w work) move(kind string, use func(rest, value []byte) error) error {
	start, end := kv.Prefix(record.Key(kind))
	var old [][]byte
	for item, err := range w.out.Scan(start, end) {
		if err != nil {
			return err
		}
		if err := use(item.Key[len(kind):], item.Value); err != nil {
			return err
		}
		old = append(old, item.Key)
	}
	for _, k := range old {
		if err := w.out.Delete(k); err != nil {
			return err
		}
	}
	return nil
}
