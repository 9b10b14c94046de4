//go:build !js

package pause

// Point does nothing: other work has threads of its own.
func Point() {}
