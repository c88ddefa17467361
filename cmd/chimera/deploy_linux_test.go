package main

import (
	"bytes"
	"debug/elf"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"chimera/bot/fake"
)

var deploys = flag.Bool("deploy", false, "whether the container's program is built and run")

// container is the last image of the Containerfile, as far as it is made of folders and settings.
type container struct {
	root, data string   // as the machine has them; data is what the volume shows
	user       string   // uid:gid
	env        []string // as "NAME=value"
}

// built makes, with the commands of the Containerfile, what it puts into its image.
func built(t *testing.T) container {
	t.Helper()
	text := string(contents(t, "deploy/Containerfile"))
	find := func(pattern string) string {
		t.Helper()
		found := regexp.MustCompile(`(?m)` + pattern).FindStringSubmatch(text)
		if found == nil {
			t.Fatalf("the Containerfile has no %s", pattern)
		}
		return found[1]
	}
	c := container{root: t.TempDir(), data: t.TempDir(), user: find(`^USER (\d+:\d+)$`)}
	for _, set := range regexp.MustCompile(`(?m)^ENV (\S+=\S+)$`).FindAllStringSubmatch(text, -1) {
		c.env = append(c.env, set[1])
	}
	if volume, program := find(`^VOLUME (\S+)$`), find(`^ENTRYPOINT \["([^"]+)"\]$`); volume != "/data" || program != "/chimera" || find(`(?s)\nFROM (\w+)\n.*\z`) != "scratch" {
		t.Fatalf("the image is made of other things than this test knows: %s, %s", volume, program)
	}
	build := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(find(`^RUN (.*go build .*)$`), "/out/", c.root+"/"))
	build.Dir = "../.."
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return c
}

// run is a command line in the container: its root can't be written by anybody, it has no rights,
// and it shares only the network with the machine.
func (c container) run(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	const enter = `mount --make-rprivate / && mount --bind "$1" "$1" && mount --bind "$2" "$1/data" && mount -o remount,bind,ro "$1" && root=$1 user=$3 && shift 3 && exec chroot --userspec="$user" "$root" /chimera "$@"`
	line := append([]string{"--mount", "sh", "-c", enter, "sh", c.root, c.data, c.user}, args...)
	cmd := exec.CommandContext(t.Context(), "unshare", line...)
	cmd.Env = append(slices.Concat(c.env, env), "PATH="+os.Getenv("PATH"))
	return cmd
}

// TestTheContainersProgramRunsWithoutRightsOnARootThatCannotBeWritten serves Telegram on loopback
// from what the Containerfile builds.
func TestTheContainersProgramRunsWithoutRightsOnARootThatCannotBeWritten(t *testing.T) {
	switch {
	case !*deploys:
		t.Skip("the whole program is built for it, which takes long: .ci/nightly deploy does it")
	case os.Getuid() != 0:
		t.Skip("only root can make a root for it that cannot be written")
	}
	if said, err := exec.CommandContext(t.Context(), "unshare", "--mount", "mount", "--make-rprivate", "/").CombinedOutput(); err != nil {
		t.Skipf("nothing can be mounted here: %v, %s", err, said)
	}
	t.Parallel()
	c := built(t)
	isStatic(t, filepath.Join(c.root, "chimera"))
	uid, _, _ := strings.Cut(c.user, ":")
	owner, err := strconv.Atoi(uid)
	must(t, err)
	for _, folder := range []string{filepath.Dir(c.root), c.root, filepath.Dir(c.data)} { // which tests make for their own account alone
		must(t, os.Chmod(folder, 0o755))
	}
	must(t, os.Mkdir(filepath.Join(c.root, "data"), 0o755))
	must(t, os.Chown(c.data, owner, owner))

	address := freeAddress(t)
	g := fake.NewTelegram(t)
	var log bytes.Buffer
	serving := c.run(t, []string{"CHIMERA_TELEGRAM_TOKEN=" + fake.Token, "CHIMERA_TELEGRAM_API_URL=" + g.URL, "CHIMERA_METRICS_LISTEN=" + address}, "serve")
	serving.Stderr = &log
	must(t, serving.Start())
	g.Wait("commands", func() bool { return len(g.Calls) > 3 })
	g.Say(1, fake.Person{ID: 1, Name: "alice"}, "/play chess 1 white")
	g.Posted("sendPhoto", "chat_id:1")
	if status, said := look("http://" + address + "/readyz"); status != 200 {
		t.Errorf("ready: %d, %s", status, said)
	}
	for _, args := range [][]string{{"status"}, {"verify"}, {"backup", "/data/copy.db"}} {
		if said, err := c.run(t, nil, args...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v, %s", args[0], err, said)
		}
	}
	if said, err := c.run(t, nil, "backup", "/copy.db").CombinedOutput(); err == nil || !strings.Contains(string(said), "read-only file system") {
		t.Errorf("its root can be written: %v, %s", err, said)
	}
	if proc, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", serving.Process.Pid)); err != nil || !regexp.MustCompile(`Uid:\t`+uid+`\t`+uid+`\t[^C]*(?s:.*)CapEff:\t0+\n`).Match(proc) {
		t.Errorf("it has rights: %v\n%s", err, proc)
	}
	must(t, serving.Process.Signal(syscall.SIGTERM))
	if err := serving.Wait(); err != nil {
		t.Errorf("it ended with %v: %s", err, log.String())
	}
	files, err := os.ReadDir(c.data)
	if err != nil || len(files) != 2 || files[0].Name() != "chimera.db" || files[1].Name() != "copy.db" {
		t.Errorf("it leaves %v, %v", files, err)
	}
}

// isStatic fails unless a program needs no other file to run.
func isStatic(t *testing.T, path string) {
	t.Helper()
	program, err := elf.Open(path)
	must(t, err)
	defer func() { _ = program.Close() }()
	for _, p := range program.Progs {
		if p.Type == elf.PT_INTERP {
			t.Errorf("%s is not static", path)
		}
	}
}
