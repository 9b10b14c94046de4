package redisqueue

import (
	"embed"
	"fmt"

	"github.com/redis/go-redis/v9"
)

// schema is the version of the keys that the scripts read and write. scripts/lib.lua gets it as a local variable and refuses
// data of another version with an error that begins with wrongSchema.
const (
	schema      = "3"
	wrongSchema = "WRONGSCHEMA"
)

//go:embed scripts/*.lua
var scriptFiles embed.FS

// scripts read and change the keys of the queue, which scripts/lib.lua describes.
type scripts struct {
	check, try, submit, get, result, list, cancel, claim, note, settle, renew, reap, leave, stats, sweep *redis.Script
}

func loadScripts() (*scripts, error) {
	lib, err := scriptFiles.ReadFile("scripts/lib.lua")
	if err != nil {
		return nil, err
	}
	var s scripts
	for name, to := range map[string]**redis.Script{
		"check": &s.check, "try": &s.try, "submit": &s.submit, "get": &s.get, "result": &s.result, "list": &s.list, "cancel": &s.cancel,
		"claim": &s.claim, "note": &s.note, "settle": &s.settle, "renew": &s.renew, "reap": &s.reap, "leave": &s.leave,
		"stats": &s.stats, "sweep": &s.sweep,
	} {
		text, err := scriptFiles.ReadFile("scripts/" + name + ".lua")
		if err != nil {
			return nil, fmt.Errorf("loading the scripts: %w", err)
		}
		*to = redis.NewScript("local schema = '" + schema + "'\n" + string(lib) + string(text))
	}
	return &s, nil
}
