package ask

import "slices"

// LinkCode stands in a web link before a code that is to link accounts; other codes are of
// challenges.
const LinkCode = "link-"

// WebLink tells the bot by which web address people get to it on a platform; with a code put
// behind it, they bring that along.
func (desk *Desk) WebLink(platform, address string) { desk.webLinks.Store(platform, address) }

// Away tells the bot that it is not on a platform at the moment, or is there again.
func (desk *Desk) Away(platform string, away bool) {
	if away {
		desk.away.Store(platform, nil)
	} else {
		desk.away.Delete(platform)
	}
}

// Missing are the platforms on which the bot should be and is not.
func (desk *Desk) Missing() (platforms []string) {
	desk.away.Range(func(platform, _ any) bool {
		platforms = append(platforms, platform.(string))
		return true
	})
	slices.Sort(platforms)
	return platforms
}

// IsOnly reports whether people get to the bot on a platform alone.
func (desk *Desk) IsOnly(platform string) bool { return desk.only.Load() == platform }

// Only tells the bot that people get to it on one platform alone.
func (desk *Desk) Only(platform string) { desk.only.Store(platform) }

// ServePages tells the bot at which web address, without a slash at its end, people play on pages too.
func (desk *Desk) ServePages(address string) { desk.pages.Store(address) }

// Pages is that address, "" if there are no pages.
func (desk *Desk) Pages() string {
	address, _ := desk.pages.Load().(string)
	return address
}

// Address is a web address by which the bot is reached with a code on a platform other than
// one, "" if there is none.
func (desk *Desk) Address(code, other string) (address string) {
	desk.webLinks.Range(func(platform, before any) bool {
		if platform != other {
			address = before.(string) + code
		}
		return address == ""
	})
	return address
}
