package etcdtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"syscall"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
)

// asMember tells a test binary which member to be.
const asMember = "CHIMERA_TEST_AS_MEMBER"

// Member turns the process into a member of a cluster, and does not return, if [StartProcesses] has started it as one.
// TestMain calls it first.
func Member() {
	said := os.Getenv(asMember)
	if said == "" {
		return
	}
	fmt.Fprintln(os.Stderr, serve(said))
	os.Exit(1)
}

// serve runs a member until it ends, or its parent process does.
func serve(said string) error {
	var s seat
	if err := json.Unmarshal([]byte(said), &s); err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	member, err := embed.StartEtcd(s.config())
	if err != nil {
		return err
	}
	return <-member.Err()
}

// Processes are a cluster whose members are processes of their own, so that they can be killed.
// Their data is gone when the test ends.
type Processes struct {
	t       testing.TB
	seats   []seat
	running []*exec.Cmd // nil if killed
	client  *clientv3.Client
}

// StartProcesses starts members, in a test whose TestMain calls [Member].
func StartProcesses(t testing.TB, members int) *Processes {
	t.Helper()
	p := &Processes{t: t, seats: seats(t, members), running: make([]*exec.Cmd, members)}
	t.Cleanup(func() {
		for i := range members {
			p.Kill(i)
		}
	})
	for i := range members {
		p.Start(i)
	}
	p.client = Client(t, p.Address(""))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		_, err := p.client.Get(ctx, "x")
		if err == nil {
			return p
		}
		if ctx.Err() != nil {
			t.Fatalf("the cluster does not start: %v", err)
		}
	}
}

// Hosts are where the members listen.
func (p *Processes) Hosts() []string { return hosts(p.seats) }

// Address is that of a database in the cluster.
func (p *Processes) Address(prefix string) string { return address(p.Hosts(), prefix, nil) }

// Start starts a member that does not run, with the data that it had. It joins when it can.
func (p *Processes) Start(i int) {
	p.t.Helper()
	said, err := json.Marshal(p.seats[i])
	if err != nil {
		p.t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.CommandContext(p.t.Context(), program)
	cmd.Env = append(os.Environ(), asMember+"="+string(said))
	cmd.Stderr = os.Stderr
	if _, err := cmd.StdinPipe(); err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.running[i] = cmd
}

// Kill kills a member, if it runs.
func (p *Processes) Kill(i int) {
	if cmd := p.running[i]; cmd != nil {
		_ = cmd.Process.Kill() // unless it has ended
		_ = cmd.Wait()
		p.running[i] = nil
	}
}

// Pause stops a member's process, or lets it go on.
func (p *Processes) Pause(i int, still bool) {
	p.t.Helper()
	signal := syscall.SIGCONT
	if still {
		signal = syscall.SIGSTOP
	}
	if cmd := p.running[i]; cmd != nil {
		if err := cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
			p.t.Error(err)
		}
	}
}

// Leader is the member that leads the others, or the first that runs if none is known to.
func (p *Processes) Leader() int {
	for i, s := range p.seats {
		if p.running[i] == nil {
			continue
		}
		ctx, cancel := context.WithTimeout(p.t.Context(), time.Second)
		now, err := p.client.Status(ctx, s.Client.Host)
		cancel()
		if err == nil && now.Leader == now.Header.MemberId {
			return i
		}
	}
	return max(0, slices.IndexFunc(p.running, func(cmd *exec.Cmd) bool { return cmd != nil }))
}
