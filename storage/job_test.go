package storage_test

import (
	"errors"
	"testing"

	"chimera/storage"
)

// threeSteps is a job of three steps, which tells which were done.
func threeSteps(did *[]int) storage.Step {
	return func(_ storage.Writer, t *storage.Job) (bool, error) {
		*did = append(*did, t.Part)
		t.Part++
		return t.Part < 3, nil
	}
}

func TestEachStepBeginsWhereTheLastHasEnded(t *testing.T) {
	store := open(t)
	var did []int
	all := storage.Jobs{"mine": threeSteps(&did)}
	update(t, store, func(w storage.Writer) error {
		return storage.BeginJob(w, storage.Job{Kind: "mine", Of: 7}, all["mine"])
	})
	for _, more := range []bool{true, true, false} {
		if found, err := all.More(t.Context(), store); found != more || err != nil {
			t.Errorf("there is more: %v, %v", found, err)
		}
	}
	if len(did) != 3 || did[0] != 0 || did[1] != 1 || did[2] != 2 {
		t.Errorf("steps %v were done", did)
	}
}

// TestWorkOfAnotherKindHidesNone puts many other jobs before the one in question.
func TestWorkOfAnotherKindHidesNone(t *testing.T) {
	store := open(t)
	update(t, store, func(w storage.Writer) error {
		for n := range 300 {
			if err := w.Jobs().Put(storage.Job{Kind: "another's", Of: uint64(n + 1)}); err != nil {
				return err
			}
		}
		return w.Jobs().Put(storage.Job{Kind: "mine", Of: 7})
	})
	var did []int
	if err := (storage.Jobs{"mine": threeSteps(&did)}).Finish(t.Context(), store); err != nil || len(did) != 3 {
		t.Errorf("steps %v were done: %v", did, err)
	}
	view(t, store, func(r storage.Reader) error {
		_, err := r.Jobs().Get(storage.JobID{Kind: "another's", Of: 300})
		return err
	})
}

func TestWorkOnWhatIsDamagedIsLeft(t *testing.T) {
	store := open(t)
	update(t, store, func(w storage.Writer) error {
		return errors.Join(w.Jobs().Put(storage.Job{Kind: "a", Of: 1}), w.Jobs().Put(storage.Job{Kind: "b", Of: 2}))
	})
	var did []int
	all := storage.Jobs{
		"a": func(w storage.Writer, t *storage.Job) (bool, error) {
			_, err := w.People().Get(storage.PersonID(t.Of))
			return true, err
		},
		"b": threeSteps(&did),
	}
	if err := all.Finish(t.Context(), store); err != nil || len(did) != 3 {
		t.Errorf("steps %v were done: %v", did, err)
	}
}
