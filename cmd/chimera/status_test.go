package main

import (
	"strings"
	"testing"
	"text/tabwriter"

	"chimera/storage/kv"
)

// TestStatusSaysWhoIsAtAClusterButForWhoeverAsks has two bots, a process that only asks, and a member
// of etcd that does not answer.
func TestStatusSaysWhoIsAtAClusterButForWhoeverAsks(t *testing.T) {
	var text strings.Builder
	got := table{tabwriter.NewWriter(&text, 0, 0, 1, ' ', 0)}
	got.cluster(kv.Cluster{
		Handles: []string{"one-7-A", "two-8-B", "two-9-C"},
		Roles:   map[string][]string{"one-7-A": {"chat/telegram", "clock"}},
		Own:     "two-9-C",
		Members: []kv.Member{
			{Address: "h1:2379", Version: "3.4.30", Size: 10, Behind: 3},
			{Address: "h2:2379", Version: "3.4.30", Size: 11, Leads: true},
			{Address: "h3:2379", Fault: "it does not\nanswer"},
		},
	})
	const want = `at work one-7-A: chat/telegram, clock
at work two-8-B: no role
etcd h1:2379:    version 3.4.30, a file of 10 bytes, 3 changes behind
etcd h2:2379:    leads, version 3.4.30, a file of 11 bytes, 0 changes behind
etcd h3:2379:    it does not answer
`
	if err := got.Flush(); err != nil || text.String() != want {
		t.Errorf("it says %q (%v)", text.String(), err)
	}
}
