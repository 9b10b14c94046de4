package main

import (
	"runtime"
	"runtime/debug"

	contract "roem/api"
	"roem/internal/api"
	"roem/internal/engine/klaverjas/search"
)

// version is set by the linker (-ldflags "-X main.version=1.2.3"). If it is empty, the version of the build information is used.
var version string

func versionInfo() api.Version {
	info := api.Version{
		Version: version, Solver: search.Version, Contract: contract.Embedded.Version, Go: runtime.Version(),
	}
	build, ok := debug.ReadBuildInfo()
	if !ok {
		build = &debug.BuildInfo{}
	}
	if info.Version == "" {
		info.Version = build.Main.Version
	}
	if info.Version == "" || info.Version == "(devel)" {
		info.Version = "devel"
	}
	for _, setting := range build.Settings {
		if setting.Key == "vcs.revision" {
			info.Revision = &setting.Value
		}
	}
	return info
}
