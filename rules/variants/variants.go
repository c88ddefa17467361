// Package variants has the list of all games.
package variants

import (
	"fmt"
	"strings"

	"chimera/rules"
	"chimera/rules/brigade"
	"chimera/rules/combination"
	"chimera/rules/combine"
	"chimera/rules/fide"
	"chimera/rules/knightmare"
	"chimera/rules/stealth"
)

// All makes every game, in display order.
func All() []*rules.Variant {
	return []*rules.Variant{
		combine.Strict(),
		combine.Free(),
		combination.Combination(),
		knightmare.Knightmare(),
		brigade.Brigade(),
		stealth.Stealth(),
		fide.Chess(),
	}
}

// Named is the game of a key. For an unknown key, the error lists the known ones.
func Named(key string) (*rules.Variant, error) {
	all := All()
	if v := rules.Find(all, key); v != nil {
		return v, nil
	}
	keys := make([]string, len(all))
	for i, v := range all {
		keys[i] = v.Key
	}
	return nil, fmt.Errorf("there is no game %q: choose from %s", key, strings.Join(keys, ", "))
}
