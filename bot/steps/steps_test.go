package steps_test

import (
	"testing"

	"chimera/bot/steps"
	"chimera/storage"
	"chimera/storage/kv/kvtest"
)

func opened(t *testing.T) *storage.Store {
	t.Helper()
	store, err := storage.Open(t.Context(), new(kvtest.Disk).Open("db"))
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func put(t *testing.T, store *storage.Store, all ...storage.Job) {
	t.Helper()
	err := store.Update(t.Context(), func(w storage.Writer) error {
		for _, task := range all {
			if err := w.Jobs().Put(task); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// threeSteps is work that takes as many, and tells which it has done.
func threeSteps(did *[]int) steps.Step {
	return func(_ storage.Writer, t *storage.Job) (bool, error) {
		*did = append(*did, t.Part)
		t.Part++
		return t.Part < 3, nil
	}
}

func TestEachStepBeginsWhereTheLastHasEnded(t *testing.T) {
	store := opened(t)
	var did []int
	all := steps.Steps{"mine": threeSteps(&did)}
	err := store.Update(t.Context(), func(w storage.Writer) error {
		return steps.Begin(w, storage.Job{Kind: "mine", Of: 7}, all["mine"])
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, more := range []bool{true, true, false} {
		if found, err := all.More(t.Context(), store); found != more || err != nil {
			t.Errorf("there is more: %v, %v", found, err)
		}
	}
	if len(did) != 3 || did[0] != 0 || did[1] != 1 || did[2] != 2 {
		t.Errorf("steps %v were done", did)
	}
}

// TestWorkOfAnotherKindHidesNone puts more of it before than anybody would read.
func TestWorkOfAnotherKindHidesNone(t *testing.T) {
	store := opened(t)
	var others []storage.Job
	for n := range 300 {
		others = append(others, storage.Job{Kind: "another's", Of: uint64(n + 1)})
	}
	put(t, store, append(others, storage.Job{Kind: "mine", Of: 7})...)
	var did []int
	if err := (steps.Steps{"mine": threeSteps(&did)}).Finish(t.Context(), store); err != nil || len(did) != 3 {
		t.Errorf("steps %v were done: %v", did, err)
	}
	err := store.View(t.Context(), func(r storage.Reader) error {
		_, err := r.Jobs().Get(storage.JobID{Kind: "another's", Of: 300})
		return err
	})
	if err != nil {
		t.Errorf("the other work is gone: %v", err)
	}
}

func TestWorkOnWhatIsDamagedIsLeft(t *testing.T) {
	store := opened(t)
	put(t, store, storage.Job{Kind: "a", Of: 1}, storage.Job{Kind: "b", Of: 2})
	var did []int
	all := steps.Steps{
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
