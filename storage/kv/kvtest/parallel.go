package kvtest

import (
	"flag"
	"runtime"
	"strconv"
)

// MoreAtOnce runs twice as many tests at once as there are processors, unless -parallel was given: for tests that
// mostly wait. It is called from TestMain.
func MoreAtOnce() {
	flag.Parse()
	many := flag.Lookup("test.parallel").Value
	if many.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		if err := many.Set(strconv.Itoa(2 * runtime.GOMAXPROCS(0))); err != nil {
			panic(err)
		}
	}
}
