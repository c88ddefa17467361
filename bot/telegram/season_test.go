package telegram

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
	f.Tables = true
	disk := &kvtest.Disk{}
	club := fake.NewLeague(t, f, disk.Open("db"))
	f.Now, club.Greets = club.Now, true
	club.Begin = func(db kv.DB) (*bot.Bot, func()) {
		l := liveOn(t, f, db)
		return l.chat.bot, func() { _ = l.stop() } // what it could not store, another does
	}
	club.Link = func(b *bot.Bot, into, from storage.PersonID) error {
		code, err := b.Users.NewLink(t.Context(), event.By{Person: into})
		_, err2 := b.Users.AgreeLink(t.Context(), event.By{Person: from}, code)
		_, err3 := b.Users.GiveLink(t.Context(), event.By{Person: into}, code)
		return cmp.Or(err, err2, err3)
	}
	club.Play()
	f.Posted("sendRichMessage ", "season 1 is over", "Points", "1. ", "–") // the first may be forgotten since
}
