package discord

import (
	"testing"

	"chimera/bot"
	"chimera/bot/fake"
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
	club.Play()
}
