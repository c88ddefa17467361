// Package kvtest executes the promises of package kv, for any engine.
package kvtest
