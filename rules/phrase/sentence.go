package phrase

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Sentence is how a phrase is said in one language.
type Sentence struct {
	source string
	nodes  []node
}

// String is the sentence as it is written.
func (s Sentence) String() string { return s.source }

// Parts are the names of the parts in the sentence, in the order of the alphabet.
func (s Sentence) Parts() []string {
	names := map[string]bool{}
	collect(s.nodes, func(n node) { names[n.part] = true })
	delete(names, "")
	return slices.Sorted(maps.Keys(names))
}

// Forms are the forms in which a part stands in the sentence, or the options there are for it,
// in the order of the alphabet.
func (s Sentence) Forms(part string) (forms, options []string) {
	collect(s.nodes, func(n node) {
		if n.part == part {
			forms = append(forms, strings.ToLower(n.form))
			options = slices.AppendSeq(options, maps.Keys(n.options))
		}
	})
	slices.Sort(forms)
	slices.Sort(options)
	return slices.Compact(forms), slices.Compact(options)
}

func collect(nodes []node, see func(node)) {
	for _, n := range nodes {
		see(n)
		collect(n.inner, see)
		for _, option := range n.options {
			collect(option, see)
		}
	}
}

// node is a text, a part, or what stands between marks.
type node struct {
	text    string
	part    string
	form    string
	options map[string][]node // by what the part is
	number  bool              // the part around the option: "#"
	mark    Mark
	inner   []node
}

// parser reads a sentence.
type parser struct {
	rest    string
	options int // how many parts with options are open
}

func parse(source string) (Sentence, error) {
	p := &parser{rest: source}
	nodes, err := p.nodes()
	return Sentence{source, nodes}, err
}

var marks = [...]struct { //nolint:gochecknoglobals // never written
	sign string
	mark Mark
}{{"**", Bold}, {"``", Sample}, {"`", Code}}

// nodes reads up to one of the stops, which are left to be read, or to the end.
func (p *parser) nodes(stops ...string) (all []node, err error) {
	begins := func(stop string) bool { return strings.HasPrefix(p.rest, stop) }
	for p.rest != "" && !slices.ContainsFunc(stops, begins) {
		n, err := p.node()
		if err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, nil
}

func (p *parser) node() (n node, err error) {
	for _, m := range marks {
		if inner, ok := strings.CutPrefix(p.rest, m.sign); ok {
			p.rest, n.mark = inner, m.mark
			if n.inner, err = p.nodes(m.sign); err != nil {
				return n, err
			}
			if p.rest, ok = strings.CutPrefix(p.rest, m.sign); !ok {
				err = fmt.Errorf("%s is not closed", m.sign)
			}
			return n, err
		}
	}
	end := 1
	switch c := p.rest[0]; {
	case c == '{':
		return p.part()
	case c == '#' && p.options > 0:
		n.number = true
	case c == '\\' && len(p.rest) > 1:
		end = 2
		n.text = p.rest[1:end]
	default:
		if end += strings.IndexAny(p.rest[1:], "\\{|}#*`"); end == 0 {
			end = len(p.rest)
		}
		n.text = p.rest[:end]
	}
	p.rest = p.rest[end:]
	return n, nil
}

// part reads what stands between braces.
func (p *parser) part() (n node, err error) {
	end := strings.IndexAny(p.rest, ":}")
	if end < 0 {
		return n, fmt.Errorf("%q is not closed", p.rest)
	}
	n.part, n.form, _ = strings.Cut(p.rest[1:end], ".")
	sign := p.rest[end]
	p.rest = p.rest[end+1:]
	if sign == '}' {
		return n, nil
	}
	n.options = map[string][]node{}
	p.options++
	defer func() { p.options-- }()
	for {
		key, rest, ok := strings.Cut(p.rest, "=")
		if !ok {
			return n, fmt.Errorf("an option of %s has no text", n.part)
		}
		p.rest = rest
		if n.options[strings.TrimSpace(key)], err = p.nodes("|", "}"); err != nil {
			return n, err
		}
		if p.rest == "" {
			return n, fmt.Errorf("{%s is not closed", n.part)
		}
		sign, p.rest = p.rest[0], p.rest[1:]
		if sign == '}' {
			return n, nil
		}
	}
}
