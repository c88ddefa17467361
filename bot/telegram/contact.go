package telegram

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync"
	"time"
)

// contact knows whether the bot is connected to Telegram. The zero contact is not.
type contact struct {
	joined func() // is told whenever it is, and was not; may be nil

	mu    sync.Mutex
	on    bool
	why   error     // it is not, nil before the first try
	asked time.Time // when Telegram was last asked for updates, zero once it has answered
}

// taken is after how long a request for updates counts as accepted: Telegram refuses at once.
const taken = 2 * time.Second

// up notes that Telegram has answered.
func (c *contact) up() {
	c.mu.Lock()
	again := !c.on
	c.on, c.why, c.asked = true, nil, time.Time{}
	c.mu.Unlock()
	if again && c.joined != nil {
		c.joined()
	}
}

// cut notes that Telegram has not answered, or has refused, and why.
func (c *contact) cut(why error) {
	for request := (*url.Error)(nil); errors.As(why, &request); {
		why = request.Err // without the address, in which there is the token
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on, c.why, c.asked = false, why, time.Time{}
}

// asking notes when a request for updates has been sent.
func (c *contact) asking(r *http.Request) *http.Request {
	return r.WithContext(httptrace.WithClientTrace(r.Context(), &httptrace.ClientTrace{WroteRequest: func(sent httptrace.WroteRequestInfo) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if sent.Err == nil {
			c.asked = time.Now()
		}
	}}))
}

// Connected says why the bot is not connected to Telegram, nil if it is.
func (a *Adapter) Connected() error {
	c := &a.poller.contact
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.on, !c.asked.IsZero() && time.Since(c.asked) > taken:
		return nil
	case c.why == nil:
		return errors.New("telegram: not reached yet")
	}
	return fmt.Errorf("telegram: %w", c.why)
}
