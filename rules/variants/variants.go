// Package variants is the one list of games.
package variants

import (
	"chimera/rules"
	"chimera/rules/brigade"
	"chimera/rules/combination"
	"chimera/rules/combine"
	"chimera/rules/fide"
	"chimera/rules/knightmare"
	"chimera/rules/stealth"
)

// All makes every game, in the order in which people see them.
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
