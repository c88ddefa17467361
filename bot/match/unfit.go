package match

import (
	"errors"

	"chimera/bot/inbox"
	"chimera/storage"
)

// errUnfit is about a record that cannot be handled.
var errUnfit = errors.New("match: the record cannot be handled")

// Unfit reports whether an error is due to what is stored, and not to where: it would
// be the same the next time.
func Unfit(err error) bool {
	no := (*inbox.Refusal)(nil)
	return errors.Is(err, errUnfit) || storage.Lost(err) || errors.As(err, &no)
}

// refOf is the record that a deadline is of.
func refOf(d storage.Deadline) storage.Ref {
	kind := d.Kind
	if kind == storage.DueVacation {
		kind = storage.OfPerson
	}
	return storage.Ref{Kind: kind, ID: d.ID}
}

// Unfinished is the ending of a game that was imported before its end.
const Unfinished = "unfinished"
