// Package console is a chat of one room on standard input and output, for trying
// the bot, for transcripts, and for tests.
//
// A line "name: text" is what somebody says to the bot, "name: [Accept]" presses
// the newest such button that they can see, and empty lines and lines that begin
// with % are skipped. Each answer is one block: "→ all: …" or "→ name: …", further
// lines indented by two spaces, buttons on the last. Output is flushed after each
// line has been answered.
package console

import (
	"bufio"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"chimera/bot"
	"chimera/bot/message"
	"chimera/bot/outbox"
	"chimera/bot/words"
	"chimera/rules/phrase"
	"chimera/storage"
)

const platform = "console"

// Console is one run of the chat. It is not safe for concurrent use.
type Console struct {
	bot    *bot.Bot
	post   *outbox.Outbox
	log    *slog.Logger
	out    *bufio.Writer
	clock  *Clock // moved by lines; nil for the wall clock
	png    string // directory for pictures; "" for none
	drawn  int    // number of the last picture
	seen   []shown
	prompt bool             // show a prompt to a person who types
	last   message.Incoming // the last message from anybody
}

// shown is a button that was shown.
type shown struct {
	to string // whoever can see it; "" for everyone
	message.Button
}

// New makes a Console that writes to out, and pictures into the directory png unless that is "". Their
// numbers continue after those already there. clock is the service's clock, if lines are to move it,
// else nil.
func New(b *bot.Bot, log *slog.Logger, out io.Writer, png string, clock *Clock) (*Console, error) {
	c := &Console{bot: b, log: log, out: bufio.NewWriter(out), clock: clock, png: png}
	now := time.Now
	if clock != nil {
		now = clock.Now
	}
	c.post = bot.NewOutbox(b, now, log, map[string]bot.Outlet{platform: c})
	if png == "" {
		return c, nil
	}
	if err := os.MkdirAll(png, 0o755); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(png, "[0-9][0-9][0-9][0-9].*"))
	if len(files) > 0 {
		_, err = fmt.Sscanf(filepath.Base(files[len(files)-1]), "%04d.", &c.drawn)
	}
	return c, err
}

//nolint:gochecknoglobals // never written
var (
	here = storage.Address{Platform: platform, ID: "room"}
	hall = storage.Address{Platform: platform, ID: "house"} // the server that the room is in
)

// tickEvery is how often Run looks whether something is due.
const tickEvery = 30 * time.Second

// Prompt makes Run greet the person who types, and show when it waits for a line.
func (c *Console) Prompt() { c.prompt = true }

// wait shows that a line can be typed.
func (c *Console) wait() error {
	if !c.prompt {
		return nil
	}
	_, err := c.out.WriteString("> ")
	return errors.Join(err, c.out.Flush())
}

// Run says what waits, then answers lines until the input ends. An error is one of reading, writing or
// the context, never due to what people wrote.
func (c *Console) Run(ctx context.Context, in io.Reader) error {
	if c.prompt {
		if _, err := c.out.WriteString(book.Say("greeting").String() + "\n"); err != nil {
			return err
		}
	}
	if err := errors.Join(c.pass(ctx, c.bot.Match.Beat), c.wait()); err != nil {
		return err
	}
	type input struct {
		line string
		err  error
	}
	lines := make(chan input)
	go func() {
		for r := bufio.NewReader(in); ; {
			line, err := r.ReadString('\n')
			if line != "" {
				err = nil // it comes again
			}
			select {
			case lines <- input{line, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	timer := time.NewTicker(tickEvery)
	defer timer.Stop()
	for {
		var err error
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			if c.clock == nil {
				err = c.pass(ctx, c.bot.Match.Beat)
			}
		case typed := <-lines:
			if errors.Is(typed.err, io.EOF) {
				return nil
			}
			if err = typed.err; err == nil {
				err = errors.Join(c.answer(ctx, typed.line), c.wait())
			}
		}
		if err != nil {
			return err
		}
	}
}

// Send says something to everyone. Its output is flushed when Send returns: the entry is crossed off
// then, and not said again by another program if this one is killed.
func (c *Console) Send(ctx context.Context, p bot.Delivery) (outbox.Receipt, error) {
	if p.Renews() {
		return nil, nil // earlier blocks are never changed
	}
	return nil, errors.Join(c.say(ctx, "", p.Note), c.out.Flush())
}

// Limits are none.
func (c *Console) Limits(storage.Address) []outbox.Limit { return nil }

// deliver lets the computer play, says what waits in the outbox, and flushes.
func (c *Console) deliver(ctx context.Context) error {
	c.bot.Thinker.Settle(ctx, c.log)
	_, err := c.post.Drain(ctx)
	return errors.Join(err, c.out.Flush())
}

var (
	name   = regexp.MustCompile(`^[\p{L}\p{N}_-]{1,32}$`)
	pushed = regexp.MustCompile(`^\[([^\[\]]+)\]$`)
)

func (c *Console) answer(ctx context.Context, line string) error {
	if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "%") {
		return nil
	}
	if where, ok := strings.CutPrefix(line, "@ "); ok {
		return c.moveClock(ctx, where)
	}
	who, text, ok := strings.Cut(line, ":")
	who, text = strings.TrimSpace(who), strings.TrimSpace(text)
	if !ok || !name.MatchString(who) || strings.EqualFold(who, everyone) {
		return c.complain(ctx, "", say("who-speaks"))
	}
	m := message.Incoming{Place: here, Server: hall, From: person(who), Manager: true, Text: text, People: people(text)}
	c.last = m
	if label := pushed.FindStringSubmatch(text); label != nil {
		if m.Text, m.Press, ok = c.press(ctx, m, label[1]); !ok {
			return c.complain(ctx, who, say("no-button", "label", label[1]))
		}
	}
	notes, _ := c.bot.Handle(ctx, m) // an error has been logged, and has its note
	for _, n := range notes {
		if n.Ack {
			continue // the outbox says it to everyone
		}
		if err := c.say(ctx, words.Either(n.To == 0 && len(n.Text) > 0, "", who), n); err != nil {
			return err
		}
	}
	return c.deliver(ctx)
}

// everyone is the name for all people in answers; nobody can have it.
const everyone = "all"

// complain answers a line that is not for the bot, in the language of the last speaker.
func (c *Console) complain(ctx context.Context, who string, sentence words.Text) error {
	n := message.Message{Text: sentence}
	n.Speak(c.bot.Language(ctx, c.last))
	return errors.Join(c.say(ctx, who, n), c.out.Flush())
}

// person is the account with a name, ignoring case.
func person(who string) message.Account {
	return message.Account{Address: storage.Address{Platform: platform, ID: strings.ToLower(who)}, Name: who}
}

// people are those that a text names as "@name"; three of these names mean the bot.
func people(text string) map[string]message.Account {
	found := map[string]message.Account{}
	for word := range strings.FieldsSeq(text) {
		if who, ok := strings.CutPrefix(word, "@"); ok && name.MatchString(who) {
			p := person(who)
			p.Self = slices.Contains([]string{"bot", "chimera", "computer"}, strings.ToLower(who))
			p.Bot = p.Self
			found[strings.ToLower(word)] = p
		}
	}
	return found
}

// press finds the newest button with a label that somebody can see. If this run has not shown it, it
// may be on the board of their game, or stand for a command; false if there is none.
func (c *Console) press(ctx context.Context, m message.Incoming, label string) (text, press string, ok bool) {
	for _, b := range slices.Backward(c.seen) {
		if b.Label == label && (b.to == "" || strings.EqualFold(b.to, m.From.Name)) {
			return "", b.Do, true
		}
	}
	if press = c.bot.BoardPress(ctx, m, label); press != "" {
		return "", press, true
	}
	switch label {
	case "Join":
		return "accept", "", true
	case "Move", "Flip", "More":
		return "board", "", true // it says that there is none, or asks for which game
	case "Accept", "Decline", "Cancel", "Claim win", "Draw", "Resign", "Rematch", "Board", "Replay", "Share":
		return strings.ToLower(label), "", true
	}
	return "", "", false
}

// maxButtons is how many buttons are remembered.
const maxButtons = 1000

// say writes one block.
func (c *Console) say(ctx context.Context, to string, n message.Message) error {
	said := []string{n.Text.Plain()}
	if n.Board != nil {
		said = append(said, message.InCharacters(*n.Board, n.Language))
	}
	drawn, err := c.draw(ctx, n)
	if err != nil {
		return err
	}
	said = append(said, words.If(drawn != "", drawn)...)
	if n.File != nil {
		said = append(said, n.File.Content)
	}
	if len(n.Buttons) > 0 {
		var labels []string
		for _, b := range n.Buttons {
			labels = append(labels, "["+b.Label+"]")
			c.seen = append(c.seen, shown{to, b})
		}
		c.seen = c.seen[max(0, len(c.seen)-maxButtons):]
		said = append(said, strings.Join(labels, " "))
	}
	for i, part := range said {
		said[i] = strings.ReplaceAll(strings.TrimRight(part, "\n"), "\n", "\n  ")
	}
	_, err = fmt.Fprintf(c.out, "→ %s: %s\n", cmp.Or(to, everyone), strings.Join(said, "\n  "))
	return err
}

// draw writes the picture of a message into a file, and returns the line that names it, "" if there is none.
func (c *Console) draw(ctx context.Context, n message.Message) (line string, err error) {
	if c.png == "" || !n.Shows() {
		return "", nil
	}
	picture, name, _, err := n.Picture(ctx)
	if err != nil {
		return "", err
	}
	c.drawn++
	kind := filepath.Ext(name)
	file := filepath.Join(c.png, fmt.Sprintf("%04d%s", c.drawn, kind))
	what := words.Either(n.Replay != nil, "replay", strings.TrimSuffix(name, kind))
	return what + ": " + file, os.WriteFile(file, picture, 0o666) //nolint:gosec // whoever may see the directory may see it
}

//go:embed words
var files embed.FS

var book = phrase.NewBook(files) //nolint:gochecknoglobals // read once, never written

// say is a sentence of the console with its parts.
func say(key string, parts ...any) words.Text { return words.Text{{Phrase: book.Say(key, parts...)}} }

// Clock is a clock that only moves by lines such as "@ +2d3h". It is safe for concurrent use.
type Clock struct{ unix atomic.Int64 }

// NewClock makes a Clock that shows a moment, to the second.
func NewClock(at time.Time) *Clock {
	c := &Clock{}
	c.set(at)
	return c
}

// Now is the moment that the clock shows.
func (c *Clock) Now() time.Time { return time.Unix(c.unix.Load(), 0).UTC() }

func (c *Clock) set(at time.Time) { c.unix.Store(at.Unix()) }

var step = regexp.MustCompile(`^\+(?:([0-9]{1,4})d)?((?:[0-9]{1,5}[hms])*)$`)

// target reads the moment that a line moves the clock to.
func (c *Clock) target(text string) (time.Time, bool) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, true
	}
	found := step.FindStringSubmatch(text)
	if found == nil || len(text) == 1 {
		return time.Time{}, false
	}
	days, _ := strconv.Atoi("0" + found[1])
	rest, _ := time.ParseDuration(found[2] + "0s") // the expression fits
	return c.Now().Add(time.Duration(days)*24*time.Hour + rest), true
}

// moveClock answers a line "@ …".
func (c *Console) moveClock(ctx context.Context, text string) error {
	if c.clock == nil {
		return c.complain(ctx, "", say("clock.stands"))
	}
	to, ok := c.clock.target(strings.TrimSpace(text))
	if !ok {
		return c.complain(ctx, "", say("clock.how-far"))
	}
	if now := c.clock.Now(); to.Before(now) {
		return c.complain(ctx, "", say("clock.only-forward", "now", now.Format(time.RFC3339)))
	}
	for {
		due, err := c.bot.Match.NextDue(ctx)
		if err != nil {
			return err
		}
		if due.IsZero() || due.After(to) {
			break
		}
		if due.After(c.clock.Now()) {
			c.clock.set(due)
		}
		if err := c.pass(ctx, c.bot.Match.Alive); err != nil {
			return err
		}
	}
	c.clock.set(to)
	return c.pass(ctx, c.bot.Match.Alive)
}

// pass handles what is due. beat notes that the program is running.
func (c *Console) pass(ctx context.Context, beat func(context.Context) error) error {
	for _, do := range []func(context.Context) error{beat, c.bot.Maintenance.Tick, c.deliver} {
		if err := do(ctx); err != nil {
			return err
		}
	}
	return nil
}
