package main

import (
	"context"

	"chimera/cmd/internal/uci"
)

type talk struct{}

// Run lets other programs play every game against this one, or let it analyse.
func (*talk) Run(ctx context.Context, std streams) error {
	ctx, stop := interruptible(ctx)
	defer stop()
	return uci.Talk(ctx, std.in, std.out)
}
