// Command sbom completes the CycloneDX document of a program, which cyclonedx-gomod has made from its modules: it adds the JavaScript that
// is embedded in the program, and the licences that `make generate` has found.
//
//	go -C tools/audit run ./sbom FILE
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"

	"roem/tools/audit/bundled"
)

const root = "../.."

func main() {
	if len(os.Args) != 2 {
		_, _ = fmt.Fprintln(os.Stderr, "usage: sbom FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	var bom cyclonedx.BOM
	if err := errors.Join(cyclonedx.NewBOMDecoder(in, cyclonedx.BOMFileFormatJSON).Decode(&bom), in.Close()); err != nil {
		return err
	}
	if bom.Components == nil || bom.Metadata == nil || bom.Metadata.Component == nil {
		return fmt.Errorf("%s has no components", path)
	}
	bom.Metadata.Component.Licenses = list([]string{"Apache-2.0"})
	if seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil { // equal sources give equal bytes
		bom.Metadata.Timestamp = time.Unix(seconds, 0).UTC().Format(time.RFC3339)
	}
	parts, err := bundled.List(root)
	if err != nil {
		return err
	}
	for _, p := range parts {
		url := fmt.Sprintf("pkg:npm/%s@%s", p.Name, p.Release)
		*bom.Components = append(*bom.Components, cyclonedx.Component{
			BOMRef: url, Type: cyclonedx.ComponentTypeLibrary, Name: p.Name, Version: p.Release, Scope: cyclonedx.ScopeRequired, PackageURL: url,
		})
	}
	known, err := licences()
	if err != nil {
		return err
	}
	for i, c := range *bom.Components {
		name := c.Name + " " + c.Version
		if c.Name == "std" {
			name = "Go standard library"
		}
		ids, ok := known[name]
		if !ok {
			return fmt.Errorf("%s is not in %s: make generate writes it", name, notices)
		}
		(*bom.Components)[i].Licenses = list(ids)
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(cyclonedx.NewBOMEncoder(out, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(&bom), out.Close())
}

const notices = root + "/" + bundled.Web + "/notices.txt"

// licences returns the licences of each part by its name and version, from the table at the beginning of the notices.
func licences() (map[string][]string, error) {
	text, err := os.ReadFile(notices)
	if err != nil {
		return nil, err
	}
	table, _, _ := strings.Cut(string(text), "\n"+strings.Repeat("=", 80))
	of := map[string][]string{}
	for line := range strings.Lines(table) {
		if name, ids, ok := strings.Cut(line, "  "); ok {
			of[name] = strings.Split(strings.TrimSpace(ids), ", ")
		}
	}
	return of, nil
}

func list(ids []string) *cyclonedx.Licenses {
	var all cyclonedx.Licenses
	for _, id := range ids {
		all = append(all, cyclonedx.LicenseChoice{License: &cyclonedx.License{ID: id}})
	}
	return &all
}
