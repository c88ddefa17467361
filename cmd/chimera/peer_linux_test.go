package main

import (
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

func TestASocketOfAnotherAccountIsNotBelieved(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("the test gives a socket to another account, which only root may")
	}
	t.Chdir(t.TempDir())
	if status, _, errs := call(t, aGame, "play", "--data", "a.db"); status != 0 {
		t.Fatal(errs)
	}
	if err := os.Chmod(".", 0o777); err != nil {
		t.Fatal(err)
	}
	const nobody = 65534
	answer := func(w io.Writer) {
		_, _ = io.WriteString(w, "HTTP/1.1 500 No\r\n"+controlHeader+": "+controlVersion+"\r\n\r\nmine now")
	}
	listenAs(t, nobody, "a.db.sock", answer)
	for _, command := range [][]string{{"status"}, {"verify"}, {"forget", "1"}, {"backup", "copy.db"}} {
		status, out, errs := call(t, "", append(command, "--data", "a.db")...)
		if status != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, "another account (uid 65534)") {
			t.Errorf("%s: status %d, %q, %q", command, status, out, errs)
		}
	}
	if err := os.Chown("a.db", nobody, nobody); err != nil {
		t.Fatal(err)
	}
	if _, _, errs := call(t, "", "status", "--data", "a.db"); !strings.Contains(errs, "mine now") {
		t.Errorf("the account that owns the database is not believed: %q", errs)
	}
}

// listenAs is pretend by another account, which root can be: a socket belongs to whoever
// began to listen.
func listenAs(t *testing.T, account int, path string, answer func(io.Writer)) {
	t.Helper()
	listening := make(chan struct{})
	go func() {
		defer close(listening)
		runtime.LockOSThread() // and never unlocked: the thread ends with this function
		if _, _, errno := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), uintptr(account), ^uintptr(0)); errno != 0 {
			t.Error(errno)
			return
		}
		pretend(t, path, answer)
	}()
	<-listening
}
