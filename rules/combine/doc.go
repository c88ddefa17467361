// Package combine is Combine Chess: orthodox chess in which a side may merge two
// of its own pieces into a hybrid, and split a hybrid into its parts.
//
// It is two games with one rulebook. The strict one, [Strict], lets nobody merge
// or split while in check, and a hybrid stands where one of its parts stood. The
// free one, [Free], honours two more sentences of the author's text:
// splits, and merges on a third square, may answer a check; and two pieces that
// can both move to one square may merge there, capturing what stands on it.
//
// The author asks that two pieces be "within each other's range". No two of these
// pieces ever reach each other mutually, so it is enough that one reaches the
// other.
package combine
