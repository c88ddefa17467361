package bot

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"chimera/storage"
)

// LinkCode stands in a web link before a code that is to link accounts; other codes are of
// challenges.
const LinkCode = "link-"

// Platforms are where people get to the bot, as adapters tell it. It is safe for concurrent use.
type Platforms struct {
	webLinks sync.Map     // by platform, what a code is put behind to be a web address that leads there
	away     sync.Map     // platforms on which the bot is not at the moment
	only     atomic.Value // the platform beside which there is no other; nil if there are several
	pages    atomic.Value // the web address of the pages on which people play too; nil if there are none
}

// WebLink tells the bot by which web address people get to it on a platform; with a code put
// behind it, they bring that along.
func (p *Platforms) WebLink(platform, address string) { p.webLinks.Store(platform, address) }

// Away tells the bot that it is not on a platform at the moment, or is there again.
func (p *Platforms) Away(platform string, away bool) {
	if away {
		p.away.Store(platform, nil)
	} else {
		p.away.Delete(platform)
	}
}

// Missing are the platforms on which the bot should be and is not.
func (p *Platforms) Missing() (platforms []string) {
	for platform := range p.away.Range {
		platforms = append(platforms, platform.(string))
	}
	slices.Sort(platforms)
	return platforms
}

// IsOnly reports whether people get to the bot on a platform alone.
func (p *Platforms) IsOnly(platform string) bool { return p.only.Load() == platform }

// Only tells the bot that people get to it on one platform alone.
func (p *Platforms) Only(platform string) { p.only.Store(platform) }

// ServePages tells the bot at which web address, without a slash at its end, people play on pages too.
func (p *Platforms) ServePages(address string) { p.pages.Store(address) }

// Pages is that address, "" if there are no pages.
func (p *Platforms) Pages() string {
	address, _ := p.pages.Load().(string)
	return address
}

// Address is a web address by which the bot is reached with a code on a platform other than
// one, "" if there is none.
func (p *Platforms) Address(code, other string) string {
	for platform, before := range p.webLinks.Range {
		if platform != other {
			return before.(string) + code
		}
	}
	return ""
}

// AsOfNow is that of storage, for an adapter that reads before it hands a message on.
func AsOfNow(ctx context.Context) context.Context { return storage.AsOfNow(ctx) }

// ErrNotSaved is about adapter state that cannot be kept now; it is logged once for all.
var ErrNotSaved = storage.ErrNotSaved
