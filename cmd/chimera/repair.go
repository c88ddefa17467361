package main

import (
	"context"

	"chimera/storage"
)

// repair sets aside for good what cannot be read or handled, one line for each record.
func (h holder) repair(ctx context.Context, _ string, say report) error {
	repaired, left := 0, 0
	err := h.service().Maintenance.Repair(ctx, func(ref storage.Ref, fault error) {
		outcome := "removed"
		switch {
		case fault != nil:
			outcome = legible(fault.Error())
		case ref.Kind == storage.OfGame:
			outcome = "aborted; its players will be told"
		case ref.Kind == storage.OfEntry:
			outcome = "won't be delivered"
		}
		if fault != nil {
			left++
		} else {
			repaired++
		}
		say.line("%s %d: %s", legible(ref.Kind), ref.ID, outcome)
	})
	if err != nil {
		return err
	}
	say.line("%d set aside for good, %d left", repaired, left)
	if left > 0 {
		return errFound
	}
	return nil
}
