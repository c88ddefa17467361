package squeeze

import "sync"

// strip is rows of pixels as they are written, in whole bytes, and the sum of them.
type strip struct {
	written []byte
	sum     sum
}

// Memory is strips by their names. When the young ones have become many, those that were not
// asked for in the meantime are forgotten. Its zero value is empty; it is safe for concurrent use.
type Memory struct {
	mu         sync.Mutex
	young, old map[uint64]*strip
	size       int // of the young ones, in bytes
}

// find is a strip that is remembered, or nil.
func (m *Memory) find(name uint64) *strip {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.young[name]
	if s == nil {
		if s = m.old[name]; s != nil {
			m.put(name, s)
		}
	}
	return s
}

// maxMemory is how many bytes the young strips take at most, and so do the old ones.
const maxMemory = 2 << 20

// keep remembers a strip.
func (m *Memory) keep(name uint64, s *strip) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.put(name, s)
}

// put keeps a strip among the young ones.
func (m *Memory) put(name uint64, s *strip) {
	const overhead = 100
	if m.size += len(s.written) + overhead; m.size > maxMemory || m.young == nil {
		m.young, m.old = make(map[uint64]*strip, len(m.young)), m.young
		m.size = len(s.written) + overhead
	}
	m.young[name] = s
}
