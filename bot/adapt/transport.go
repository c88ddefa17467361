package adapt

import "net/http"

// Transport makes requests to a platform. It keeps as many connections as are used at once, and sends a
// board with its words in one piece.
func Transport() *http.Transport {
	const connections, piece = 64, 64 << 10
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConns, t.MaxIdleConnsPerHost = connections, connections
	t.WriteBufferSize = piece
	return t
}
