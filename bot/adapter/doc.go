// Package adapter is what the adapters of chat platforms share: queues of work, retries, state that
// outlives the process, the check that this process may speak, and texts cut to fit messages.
package adapter
