package squeeze

// strip is rows of pixels that were taken apart, how often they use each symbol, and their sum.
type strip struct {
	tokens    []token
	literals  [literalSymbols]uint32
	distances [distanceSymbols]uint32
	sum       sum
}

// memory is strips by their names. When the young ones have become many, those that were not
// asked for in the meantime are forgotten.
type memory struct {
	young, old map[uint64]*strip
	size       int // of the young ones, in tokens
}

// find is a strip that is remembered, or nil.
func (m *memory) find(name uint64) *strip {
	s := m.young[name]
	if s == nil {
		if s = m.old[name]; s != nil {
			m.keep(name, s)
		}
	}
	return s
}

// keep remembers a strip.
func (m *memory) keep(name uint64, s *strip) {
	const most, overhead = 1 << 17, 200 // a megabyte
	if m.size += len(s.tokens) + overhead; m.size > most || m.young == nil {
		m.young, m.old = make(map[uint64]*strip, len(m.young)), m.young
		m.size = len(s.tokens) + overhead
	}
	m.young[name] = s
}
