package kvtest_test

import (
	"testing"

	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

func TestMemoryKeepsTheContract(t *testing.T) {
	var disk kvtest.Disk
	kvtest.Run(t, func(_ testing.TB, path string) kv.DB { return disk.Open(path) })
}

func TestABoundedEngineKeepsTheContract(t *testing.T) {
	var disk kvtest.Disk
	kvtest.Run(t, func(_ testing.TB, path string) kv.DB { return kvtest.Bounded{DB: disk.Open(path)} })
}
