package kvtest

import (
	"flag"
	"runtime"
	"strconv"
)

// MoreAtOnce lets twice as many tests run at once as processors work, unless whoever runs them has chosen: for tests
// that wait most of the time. It is called from TestMain.
func MoreAtOnce() {
	flag.Parse()
	many := flag.Lookup("test.parallel").Value
	if many.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		if err := many.Set(strconv.Itoa(2 * runtime.GOMAXPROCS(0))); err != nil {
			panic(err)
		}
	}
}
