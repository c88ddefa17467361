package bot_test

import (
	"testing"

	"chimera/bot/message"
	"chimera/storage"
)

// BenchmarkMoveInARoom plays moves in a room until their boards are there, on a store that is
// kept in memory: as commands, and as words that are heard among those of people who talk.
func BenchmarkMoveInARoom(b *testing.B) {
	for name, to := range map[string]message.Addressee{"commanded": message.TheBot, "heard": message.Nobody} {
		b.Run(name, func(b *testing.B) { playLines(b, to) })
	}
}

func playLines(b *testing.B, to message.Addressee) {
	b.Helper()
	o := newOffice(b)
	line := []string{"Nf3", "Nf6", "Nc3", "Nc6", "e4", "e5", "Bb5", "Bb4"}
	ply := len(line)
	for b.Loop() {
		if ply == len(line) {
			b.StopTimer()
			for _, text := range []string{"resign", "resign", "challenge @bob chess white"} {
				o.says("room", "alice", text)
			}
			o.says("room", "bob", "accept")
			o.drain()
			ply = 0
			b.StartTimer()
		}
		m := message.Incoming{Place: storage.Address{Platform: "test", ID: "room"}, From: someone([]string{"alice", "bob"}[ply%2]), Text: line[ply]}
		if !o.bot.IsMeant(b.Context(), &m, to) {
			b.Fatalf("%s is not heard", m.Text)
		}
		if _, err := o.bot.Handle(b.Context(), m); err != nil {
			b.Fatal(err)
		}
		o.drain()
		o.chat.said = nil
		ply++
	}
}
