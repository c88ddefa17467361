package etcd

import (
	"strings"
	"testing"
)

func TestAServerThatIsNearlyFullIsWarnedOf(t *testing.T) {
	for _, c := range []struct {
		size, quota int64
		want        string
	}{
		{799, 1000, ""},
		{800, 1000, "80 % of its quota of 1000 bytes"},
		{1 << 30, 0, ""},
		{2 << 30, 0, "100 % of the 2147483648 bytes that are etcd's usual quota"},
		{7 << 30, 8 << 30, "87 % of its quota"},
	} {
		said := strings.Join(nearlyFull(c.size, c.quota), ", ")
		if (said == "") != (c.want == "") || !strings.HasPrefix(said, c.want) {
			t.Errorf("%d of %d: %q; want %q", c.size, c.quota, said, c.want)
		}
	}
}
