//go:build race

package computation

func init() { underRaceDetector = true }
