package weightfile

// In a page the weights are no part of the program: they are files beside it, which are loaded when a model is first asked for.

// Fetch returns a file of weights by its name. The program sets it.
var Fetch = func(name string) ([]byte, error) { return nil, &FetchError{Name: name, Why: "the program loads none"} }

// FetchError is the error for a file that cannot be loaded. The same file may be loaded later.
type FetchError struct{ Name, Why string }

// Error names the file.
func (e *FetchError) Error() string { return e.Name + " cannot be loaded: " + e.Why }

// Lost says that the error is no fault of a request.
func (*FetchError) Lost() bool { return true }

// Fetched returns a function that loads a file and makes a model of it.
func Fetched[T any](name string, read func(file []byte) (T, error)) func() (T, error) {
	var once Remembered[T]
	return func() (T, error) {
		return once.Get(func() (T, error) {
			file, err := Fetch(name)
			if err != nil {
				var none T
				return none, err
			}
			return read(file)
		})
	}
}
