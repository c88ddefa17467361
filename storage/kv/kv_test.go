package kv_test

import (
	"bytes"
	"testing"

	"chimera/storage/kv"
)

func TestPrefixIsTheRangeOfKeysThatBeginWithIt(t *testing.T) {
	for _, test := range []struct {
		prefix     string
		start, end []byte
	}{
		{"game/", []byte("game/"), []byte("game0")},
		{"a\xff", []byte("a\xff"), []byte("b")},
		{"a\xff\xff", []byte("a\xff\xff"), []byte("b")},
		{"\xff\xff", []byte("\xff\xff"), nil},
		{"\x00", []byte("\x00"), []byte("\x01")},
		{"", []byte{}, nil},
	} {
		start, end := kv.Prefix([]byte(test.prefix))
		if !bytes.Equal(start, test.start) || !bytes.Equal(end, test.end) || (end == nil) != (test.end == nil) {
			t.Errorf("Prefix(%q) = %q, %q; want %q, %q", test.prefix, start, end, test.start, test.end)
		}
	}
}

func TestPrefixLeavesItsArgumentAlone(t *testing.T) {
	p := []byte("ab")
	start, end := kv.Prefix(p)
	start[0], end[0] = 'x', 'y'
	if string(p) != "ab" {
		t.Errorf("prefix became %q", p)
	}
}
