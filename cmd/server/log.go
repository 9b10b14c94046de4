package main

import (
	"io"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"roem/internal/handlers"
)

// flushEvery is how long the line of a request may wait until it is written. To write each line by itself takes as much time as the
// rest of a cached solve.
const flushEvery = 100 * time.Millisecond

// newLog returns the log of the server. The lines of requests are written together; any other line, and each warning or error, is
// written at once, with all lines before it. close writes what still waits.
func newLog(level string, to io.Writer) (log *zap.Logger, closeLog func(), err error) {
	parsed, err := zapcore.ParseLevel(level)
	if err != nil {
		return nil, nil, err
	}
	form := zap.NewProductionEncoderConfig()
	form.TimeKey, form.EncodeTime = "time", zapcore.RFC3339NanoTimeEncoder
	buffer := &zapcore.BufferedWriteSyncer{WS: logWriter{to}, FlushInterval: flushEvery}
	atOnce := zap.Hooks(func(e zapcore.Entry) error {
		if e.Message == handlers.RequestLine && e.Level <= zapcore.InfoLevel {
			return nil
		}
		return buffer.Sync()
	})
	log = zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(form), buffer, parsed), atOnce)
	return log, func() { _ = buffer.Stop() }, nil
}

// logWriter ignores errors: the buffer would keep the first one and write nothing again, also when a full disk has room again. Sync does
// nothing, because the system writes a file of its own accord.
type logWriter struct{ to io.Writer }

func (w logWriter) Write(b []byte) (int, error) {
	_, _ = w.to.Write(b)
	return len(b), nil
}

func (w logWriter) Sync() error { return nil }
