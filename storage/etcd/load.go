package etcd

import (
	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	clientv3 "go.etcd.io/etcd/client/v3"
)

// A load is some reads of single keys, and what they have found.
type load struct {
	ops    []clientv3.Op // no more than one transaction can have
	loaded chan struct{} // closed at the end
	found  []*pb.ResponseOp
	err    error
}

// load reads single keys. All that wait to read some at the same time share a trip.
func (db *DB) load(ops []clientv3.Op) ([]*pb.ResponseOp, error) {
	l := &load{ops: ops, loaded: make(chan struct{})}
	db.loads <- l
	<-l.loaded
	return l.found, l.err
}

// fetch carries loads out until there are no more.
func (db *DB) fetch() {
	var late *load // which had no room in the last trip
	for {
		l := late
		if late = nil; l == nil {
			var open bool
			if l, open = <-db.loads; !open {
				return
			}
		}
		some, size := []*load{l}, len(l.ops)
		for waits := true; waits && late == nil; {
			select {
			case l, open := <-db.loads:
				switch {
				case !open:
					waits = false
				case size+len(l.ops) > maxOps:
					late = l
				default:
					some, size = append(some, l), size+len(l.ops)
				}
			default:
				waits = false
			}
		}
		db.fly(some, size)
	}
}

// fly reads what some loads are about.
func (db *DB) fly(some []*load, size int) {
	ops := make([]clientv3.Op, 0, size)
	for _, l := range some {
		ops = append(ops, l.ops...)
	}
	got, err := db.read(clientv3.OpTxn(nil, ops, nil))
	if compacted(err) && len(some) > 1 { // of one of them, and not of all
		for _, l := range some {
			db.fly([]*load{l}, len(l.ops))
		}
		return
	}
	for _, l := range some {
		if l.err = err; err == nil {
			l.found, got.Txn().Responses = got.Txn().Responses[:len(l.ops)], got.Txn().Responses[len(l.ops):]
		}
		close(l.loaded)
	}
}
