package discord

import (
	"cmp"
	"testing"

	"chimera/bot"
	"chimera/bot/event"
	"chimera/bot/fake"
	"chimera/storage"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// TestSeasonsGoOnThoughTheProgramEnds plays whole seasons by what people write and press, most of it in private
// chats.
func TestSeasonsGoOnThoughTheProgramEnds(t *testing.T) {
	f := newFake(t)
	disk := &kvtest.Disk{}
	club := fake.NewLeague(t, f.Discord, disk.Open("db"))
	f.Now = club.Now
	club.Begin = func(db kv.DB) (*bot.Bot, func()) {
		l := liveOn(t, f, db, func(a *Adapter) { a.pace.grace = 0 })
		l.Ready()
		return l.chat.bot, func() {
			_ = l.stop() // what it could not store, another does
			l.Drop()
		}
	}
	club.Link = func(b *bot.Bot, into, from storage.PersonID) error {
		code, err := b.Users.NewLink(t.Context(), event.By{Person: into})
		_, err2 := b.Users.AgreeLink(t.Context(), event.By{Person: from}, code)
		_, err3 := b.Users.GiveLink(t.Context(), event.By{Person: into}, code)
		return cmp.Or(err, err2, err3)
	}
	club.Play()
}
