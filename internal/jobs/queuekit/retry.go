package queuekit

import "go.uber.org/zap"

// LogRetry logs that the end of an attempt could not be written and is tried again. Only the first try is a warning: the
// store may be away for long.
func LogRetry(log *zap.Logger, try int, err error) {
	level := zap.DebugLevel
	if try == 1 {
		level = zap.WarnLevel
	}
	log.Log(level, "the end of a job is not written yet", zap.Int("try", try), zap.Error(err))
}

// LogGivenUp logs that the end of an attempt is not tried again, because the process stops.
func LogGivenUp(log *zap.Logger, err error) {
	log.Error("the end of a job is not written: its task will be queued again", zap.Error(err))
}
