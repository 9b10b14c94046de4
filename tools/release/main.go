// Command release writes what a release consists of into a folder: archives of the programs for each platform, the image, and the
// checksums of all files in the folder. Equal sources and versions give equal bytes.
//
//	go -C tools/release run . -version 0.1.0 -out dist [-trial] [-platforms linux/amd64,windows/amd64]
//
// Without -trial the commit must have the tag of the version, without changes, and the changelog its date.
//
// docs/project/releasing.md says how a release is made.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// root is the folder of the project.
const root = "../.."

// platforms are those that a release has programs for.
const platforms = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64"

// stamp is the time of everything in archives and images: the time of the commit, which SOURCE_DATE_EPOCH has
// (reproducible-builds.org/specs/source-date-epoch), or of the year 2000.
var stamp = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func main() {
	version := flag.String("version", "", "the `version`, as the contract has it")
	out := flag.String("out", "dist", "the `folder` to write to, in the folder of the project")
	chosen := flag.String("platforms", platforms, "the platforms, as `OS/architecture` with commas")
	trial := flag.Bool("trial", false, "also from a commit without a tag")
	sums := flag.Bool("checksums", false, "only check the links in the files that are there, and write their checksums")
	flag.Parse()
	if seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		stamp = time.Unix(seconds, 0).UTC()
	}
	dist := filepath.Join(root, *out)
	err := os.MkdirAll(dist, 0o755)
	switch {
	case err != nil:
	case *sums:
		err = errors.Join(checkLinks(dist), writeChecksums(dist))
	default:
		err = checkVersion(*version)
		if err == nil && !*trial {
			err = errors.Join(checkDate(*version), checkTag(*version))
		}
		if err != nil {
			break
		}
		err = release(*version, dist, strings.Split(*chosen, ","))
	}
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release writes the archives of the platforms, and an image with those for Linux.
func release(version, dist string, platforms []string) error {
	built, err := os.MkdirTemp("", "roem-release-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(built) }()
	var images []platform
	for _, text := range platforms {
		system, architecture, ok := strings.Cut(text, "/")
		if !ok {
			return fmt.Errorf("%q is no platform: expected one as linux/amd64", text)
		}
		p := platform{system, architecture, filepath.Join(built, system+"-"+architecture)}
		if err := p.build(version); err != nil {
			return err
		}
		if err := p.archive(dist, version); err != nil {
			return err
		}
		if system == "linux" {
			images = append(images, p)
		}
	}
	if len(images) == 0 {
		return nil
	}
	return writeImage(filepath.Join(dist, "roem-"+version+"-image.tar"), version, images)
}
