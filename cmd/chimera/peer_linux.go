package main

import (
	"errors"
	"net"
	"os"
	"syscall"
)

// believe says why the process at the other end of a connection is not believed that it
// holds a database.
func believe(conn *net.UnixConn, data string) error {
	raw, err := conn.SyscallConn()
	if err != nil {
		return err
	}
	var peer *syscall.Ucred
	var asked error
	err = raw.Control(func(fd uintptr) {
		peer, asked = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	})
	if err != nil || asked != nil {
		return errors.Join(err, asked)
	}
	accounts := []uint32{uint32(os.Geteuid())}
	if file, err := os.Stat(data); err == nil {
		accounts = append(accounts, file.Sys().(*syscall.Stat_t).Uid)
	}
	if !trusted(peer.Uid, accounts...) {
		return stranger{peer.Uid}
	}
	return nil
}
