package message

import (
	"fmt"
	"reflect"
	"testing"

	"chimera/render/diagram"
	"chimera/rules"
	"chimera/rules/phrase"
)

// TestPicturesThatDifferAreKeptApart changes each field of a diagram, and of all that is in it.
func TestPicturesThatDifferAreKeptApart(t *testing.T) {
	d := diagram.Diagram{
		Shape: rules.NewShape(8, 8), Table: make(rules.Table, 2),
		Marks: make([]diagram.Mark, 1), Bars: &diagram.Bars{}, Legend: []diagram.Lesson{{Signs: make([]diagram.Sign, 1)}},
		Flights: make([]diagram.Flight, 1),
	}
	for side := range d.Bars.Sides {
		d.Bars.Sides[side].Taken = make([]rules.Piece, 1)
	}
	plain := nameOf(0, d)
	changes := 0
	eachValue(reflect.ValueOf(&d).Elem(), "", func(name string, v reflect.Value) {
		before := reflect.New(v.Type()).Elem()
		before.Set(v)
		change(t, name, v)
		if nameOf(0, d) == plain {
			t.Errorf("with another %s it has the same key", name)
		}
		v.Set(before)
		changes++
	})
	if nameOf(0, d) != plain {
		t.Error("a change was not taken back")
	}
	if fields := reflect.TypeFor[diagram.Diagram]().NumField(); changes <= fields {
		t.Errorf("%d things were changed, of %d fields", changes, fields)
	}
}

// eachValue shows all that can be changed in v: tables, shapes and phrases as a whole.
func eachValue(v reflect.Value, name string, show func(name string, v reflect.Value)) {
	switch v.Interface().(type) {
	case *rules.Shape, rules.Table, phrase.Phrase:
		show(name, v)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			eachValue(v.Field(i), name+"."+v.Type().Field(i).Name, show)
		}
	case reflect.Slice, reflect.Array:
		if v.Len() == 0 {
			show(name, v)
		}
		for i := range v.Len() {
			eachValue(v.Index(i), fmt.Sprintf("%s[%d]", name, i), show)
		}
	case reflect.Pointer:
		eachValue(v.Elem(), name, show)
	default:
		show(name, v)
	}
}

func change(t *testing.T, name string, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case reflect.Float64:
		v.SetFloat(v.Float() + 1)
	default:
		switch v.Interface().(type) {
		case *rules.Shape:
			v.Set(reflect.ValueOf(rules.NewShape(8, 8)))
		case rules.Table:
			v.Set(reflect.ValueOf(make(rules.Table, 2)))
		case phrase.Phrase:
			v.Set(reflect.ValueOf(phrase.As("x")))
		default:
			t.Fatalf("how to change %s?", name)
		}
	}
}

// TestTextsDoNotRunTogether: what is said of one thing is never taken for what is said of two.
func TestTextsDoNotRunTogether(t *testing.T) {
	d := diagram.Diagram{Table: make(rules.Table, 1)}
	d.Legend = []diagram.Lesson{{Name: phrase.As("a b"), Line: phrase.As("c")}}
	other := d
	other.Legend = []diagram.Lesson{{Name: phrase.As("a"), Line: phrase.As("b c")}}
	if nameOf(0, d) == nameOf(0, other) {
		t.Error("two lessons have one key")
	}
}
