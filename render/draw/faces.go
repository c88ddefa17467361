package draw

// Faces is faces by size: to make one takes longer than to write a word with it. Its zero value
// is ready; it is for one goroutine at a time.
type Faces struct{ faces map[style]*Face }

// style is all that a face depends on.
type style struct {
	size float64
	bold bool
}

// maxFaces is how many are kept: more than pictures of one size have.
const maxFaces = 16

// Face is the one whose letters [NewFace] makes so.
func (c *Faces) Face(size float64, bold bool) *Face {
	s := style{size, bold}
	f := c.faces[s]
	if f == nil {
		if len(c.faces) >= maxFaces || c.faces == nil {
			c.faces = map[style]*Face{}
		}
		f = NewFace(size, bold)
		c.faces[s] = f
	}
	return f
}
