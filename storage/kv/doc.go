// Package kv is the contract of an ordered, transactional key-value engine.
//
// An engine keeps pairs of bytes in the order of their keys, and changes them
// only in transactions. The contract is small enough for an embedded file and
// for a cluster alike; package kvtest executes every promise made here.
//
// # Transactions
//
// A transaction is a function given to [DB.View] or [DB.Update].
//
//   - Transactions are serializable: the outcome is as if each had run alone,
//     one after another, and one that begins after another has returned comes
//     after it.
//   - They are all or nothing: every write of a function is stored, or none is.
//   - They are durable: when Update returns nil, the writes survive the end of
//     the process and of the machine.
//   - An error or a panic in a function drops its own writes and those of no
//     other. The error is returned as it is; the panic goes on in the
//     goroutine that called, with its own value.
//   - A function may be run again before its transaction succeeds, so it has
//     no side effects but its writes and the variables it sets afresh each time.
//   - Transactions do not nest: a function calls no method of a DB, or it may
//     wait forever. It is also short, for others may be waiting for it.
//   - A context that is done before the function was begun means that nothing
//     is run and the context's error is returned. Once begun, the function
//     looks at its context itself, if it wants to.
//
// Where nobody waits for an Update, see [AtLeisure], an engine may take a few milliseconds longer
// for it, and store it together with others. All of the above holds for it.
//
// If Update returns an error of the engine (a full disk, a lost connection)
// and not one of the function's own, none of the writes are visible as a rule,
// but where the very last step failed only opening the database again tells.
// Even then they are all there or none is.
//
// # Moments
//
// Where several handles have a database open, each transaction costs a trip to find out what the
// others have stored. What somebody is answered with can be as of the moment at which they asked,
// however many transactions that takes. So under a context of [AsOfNow], one that stores nothing
// comes after all that had returned when AsOfNow was called, and after all of its own handle that
// have returned when it begins, but perhaps before what others have stored meanwhile. What a handle
// has seen it sees from then on. One that stores something comes after all, as ever: what it has
// read still holds when it is stored.
//
// # Bytes
//
// Keys are compared as bytes.Compare does. What a transaction reads is the
// caller's own copy, and what it is given to write is copied, so either may be
// changed freely at any time.
package kv
