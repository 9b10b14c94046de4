package servicetest

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"
	"unsafe"
)

// KeyHasFields changes each field of a value in turn, and of the values in it, also the unexported ones, and tests that the key changes
// with it. except names the fields that must not matter, such as "Workers", each with the reason. So a new field must be added to the key,
// or here.
//
//nolint:funlen // one case for each kind of value
func KeyHasFields[T any](t *testing.T, value T, key func(*T) []byte, except map[string]string) {
	t.Helper()
	before := key(&value)
	unused := map[string]bool{}
	for name := range except {
		unused[name] = true
	}
	var walk func(name string, v reflect.Value)
	leaf := func(name string, v reflect.Value, change func()) {
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		change()
		if bytes.Equal(key(&value), before) {
			t.Errorf("%T: the key does not depend on %s", value, name)
		}
		v.Set(old)
	}
	walk = func(name string, v reflect.Value) {
		if except[name] != "" {
			delete(unused, name)
			return
		}
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				field := v.Field(i)
				//nolint:gosec // unexported fields cannot be set otherwise
				field = reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
				path := v.Type().Field(i).Name
				if name != "" {
					path = name + "." + path
				}
				walk(path, field)
			}
		case reflect.Array:
			for i := range v.Len() {
				walk(fmt.Sprintf("%s[%d]", name, i), v.Index(i))
			}
		case reflect.Slice:
			leaf(name, v, func() {
				v.Set(reflect.Append(reflect.AppendSlice(reflect.Zero(v.Type()), v), reflect.Zero(v.Type().Elem())))
			})
			for i := range v.Len() {
				walk(fmt.Sprintf("%s[%d]", name, i), v.Index(i))
			}
		case reflect.Pointer:
			if v.IsNil() {
				leaf(name, v, func() { v.Set(reflect.New(v.Type().Elem())) })
				return
			}
			leaf(name, v, func() { v.SetZero() })
			walk(name, v.Elem())
		case reflect.Bool:
			leaf(name, v, func() { v.SetBool(!v.Bool()) })
		case reflect.String:
			leaf(name, v, func() { v.SetString(v.String() + "x") })
		case reflect.Float32, reflect.Float64:
			leaf(name, v, func() { v.SetFloat(v.Float() + 0.5) })
		default:
			switch {
			case v.CanInt():
				leaf(name, v, func() { v.SetInt(v.Int() + 1) })
			case v.CanUint():
				leaf(name, v, func() { v.SetUint(v.Uint() + 1) })
			default:
				t.Errorf("%T: %s is a %s, of which no key can be made", value, name, v.Kind())
			}
		}
	}
	walk("", reflect.ValueOf(&value).Elem())
	for name := range unused {
		t.Errorf("%T has no field %s", value, name)
	}
}
