//go:build !linux

package main

import "net"

// believe believes everybody: only Linux is asked who listens.
func believe(*net.UnixConn, string) error { return nil }
