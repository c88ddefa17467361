package main

// adapters are the chats whose token is set, by platform.
func (s *serve) adapters(parts) map[string]adapter {
	return map[string]adapter{}
}
