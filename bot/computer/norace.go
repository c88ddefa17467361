//go:build !race

package computer

const slower = 1
