package telegram

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
	f.Tables = true
	disk := &kvtest.Disk{}
	club := fake.NewLeague(t, f, disk.Open("db"))
	f.Now, club.Greets = club.Now, true
	club.Begin = func(db kv.DB) (*bot.Bot, func()) {
		l := liveOn(t, f, db)
		return l.chat.bot, func() { _ = l.stop() } // what it could not store, another does
	}
	club.Play()
	f.Posted("sendRichMessage ", "season 1 is over", "Points", "1. ", "–") // the first may be forgotten since
}
