package etcd

// A layout is what the keys of a database begin with, up to and with a slash.
type layout string

func (l layout) data(key []byte) string { return string(l) + "d/" + string(key) }

// key is what data was made from.
func (l layout) key(data string) []byte { return []byte(data[len(l)+len("d/"):]) }

func (l layout) dataEnd() string           { return string(l) + "d0" } // 0 follows the slash
func (l layout) meta() (start, end string) { return string(l) + "m/", string(l) + "m0" }
func (l layout) format() string            { return string(l) + "m/format" }
func (l layout) commit() string            { return string(l) + "m/commit" }
func (l layout) lock() string              { return string(l) + "m/lock" }
func (l layout) handle(id string) string   { return string(l) + "m/handle/" + id }
func (l layout) role(name string) string   { return string(l) + "m/role/" + name }
