package etcd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	"google.golang.org/grpc/codes"

	"chimera/storage/kv"
)

// compacted reports whether something is too old for etcd to know.
func compacted(err error) bool { return errors.Is(err, rpctypes.ErrCompacted) }

// answered reports whether an error is what etcd itself says of a request, and final.
func answered(err error) bool {
	said, ok := errors.AsType[rpctypes.EtcdError](err)
	if !ok {
		return false
	}
	inBetween := []codes.Code{codes.Unavailable, codes.DeadlineExceeded, codes.Canceled, codes.Internal, codes.Unknown}
	return !slices.Contains(inBetween, said.Code())
}

// explain says what an error of etcd means, and what to do.
func explain(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, kv.ErrNotDatabase), errors.Is(err, kv.ErrVersion), errors.Is(err, kv.ErrLost):
		return err
	case errors.Is(err, rpctypes.ErrNoSpace):
		return fmt.Errorf("etcd is full: compact and defragment it, or raise its --quota-backend-bytes, and disarm its alarm (%w)", err)
	case errors.Is(err, rpctypes.ErrRequestTooLarge), errors.Is(err, rpctypes.ErrTooManyOps):
		return fmt.Errorf("etcd takes less at once than without its flags --max-request-bytes and --max-txn-ops: leave them out (%w)", err)
	case compacted(err):
		return fmt.Errorf("etcd has dropped the history that was being read: let it keep more with --auto-compaction-retention (%w)", err)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("etcd does not answer: see that most of its members run, and can be reached (%w)", err)
	}
	return fmt.Errorf("etcd: %w", err)
}
