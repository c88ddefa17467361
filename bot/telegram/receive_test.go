package telegram

import (
	"fmt"
	"slices"
	"testing"

	"chimera/rules/variants"
	"chimera/storage/kv/kvtest"
)

// TestAnswersThatWaitOutliveTheProgram ends it while a group wants to hear nothing.
func TestAnswersThatWaitOutliveTheProgram(t *testing.T) {
	f, disk := newFake(t), &kvtest.Disk{}
	l := live(t, f, disk)
	board := begins(l, variants.All()[0])
	f.Lock()
	f.Refuse = func(c call) *refusal {
		if c.Fields["chat_id"] == fmt.Sprint(group) {
			return flooded(endless)
		}
		return nil
	}
	f.Unlock()
	l.Say(group, alice, "/version")
	l.Say(group, alice, "/fen")
	l.Say(group, bob, "/moves e7")
	l.Press(group, alice, board, "flip 1 0")
	l.Wait("all to be confirmed", func() bool { return f.Pending() == 0 })
	if err := l.stop(); err != nil {
		t.Fatal(err)
	}
	f.Lock()
	f.Refuse = nil
	before := len(f.Calls)
	f.Unlock()
	again := live(t, f, disk)
	again.Wait("the board", func() bool {
		return slices.ContainsFunc(f.Calls[before:], func(c call) bool { return c.Has("sendPhoto", "is to move") })
	})
	f.Lock()
	answers := []string{"text:Chimera", "KQkq", "no legal moves from e7"}
	for _, c := range f.Calls[before:] {
		if c.Method == "sendMessage" && len(answers) > 0 && c.Has(answers[0]) {
			answers = answers[1:]
		}
	}
	f.Unlock()
	if len(answers) > 0 {
		t.Errorf("it was not answered in order: %v", answers)
	}
	if err := again.stop(); err != nil {
		t.Fatal(err)
	}
	last := live(t, f, disk)
	if kept, err := last.chat.memory.Names(t.Context(), inbox); err != nil || len(kept) > 0 {
		t.Errorf("still kept are %v, %v", kept, err)
	}
}
