//go:build unix

package etcd_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"chimera/storage/etcd"
	"chimera/storage/etcd/etcdtest"
	"chimera/storage/kv"
	"chimera/storage/kv/kvtest"
)

// pausedAt is a variable of the environment with the address of a database, for a process of this
// test's own that is to be paused.
const pausedAt = "CHIMERA_TEST_PAUSED_AT"

// TestAPausedHandle is what that process does: it holds a role, and when it is told to go on, says
// what it thinks of it, and tries to commit.
func TestAPausedHandle(t *testing.T) {
	address := os.Getenv(pausedAt)
	if address == "" {
		t.Skip("it is run by TestAProcessThatIsPausedIsFencedOff")
	}
	db, err := etcd.Open(t.Context(), address)
	kvtest.Must(t, err)
	holdRole(t, db, "bell")
	fmt.Println("held")
	_, err = bufio.NewReader(os.Stdin).ReadString('\n')
	kvtest.Must(t, err)
	fmt.Println("thinks otherwise:", db.Held(t.Context()) != nil)
	fmt.Println("is lost:", errors.Is(db.Update(t.Context(), put("late")), kv.ErrLost))
}

// TestAProcessThatIsPausedIsFencedOff stops a process for longer than its lease lasts.
func TestAProcessThatIsPausedIsFencedOff(t *testing.T) {
	t.Parallel()
	address := etcdtest.Start(t, 1, nil).Address("db", "lease=2s")
	other := opened(t, address)
	paused := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestAPausedHandle$")
	paused.Env = append(os.Environ(), pausedAt+"="+address)
	in, err := paused.StdinPipe()
	out, err2 := paused.StdoutPipe()
	kvtest.Must(t, errors.Join(err, err2, paused.Start()))
	said := bufio.NewScanner(out)
	for said.Scan() && said.Text() != "held" {
	}
	kvtest.Must(t, paused.Process.Signal(syscall.SIGSTOP))
	holdRole(t, other, "bell")
	kvtest.Must(t, other.Update(t.Context(), put("of the next")))
	kvtest.Must(t, paused.Process.Signal(syscall.SIGCONT))
	_, err = in.Write([]byte("\n"))
	kvtest.Must(t, err)
	for _, want := range []string{"thinks otherwise: true", "is lost: true"} {
		if said.Scan(); said.Text() != want {
			t.Errorf("it says %q; want %q", said.Text(), want)
		}
	}
	_ = paused.Wait() // what it said is what counts
	holds(t, other, "of the next")
}
