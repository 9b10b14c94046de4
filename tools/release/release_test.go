package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
)

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// imageOf writes the image of programs that are texts, for two platforms.
func imageOf(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	var platforms []platform
	for _, architecture := range []string{"amd64", "arm64"} {
		p := platform{"linux", architecture, filepath.Join(folder, architecture)}
		check(t, os.Mkdir(p.folder, 0o755))
		for _, program := range p.programs() {
			check(t, os.WriteFile(filepath.Join(p.folder, program), []byte(program+architecture), 0o600))
		}
		platforms = append(platforms, p)
	}
	path := filepath.Join(folder, "image.tar")
	check(t, writeImage(path, "1.2.3", platforms))
	return path
}

// TestPublish publishes the image as docs/project/releasing.md says, to a registry of its own.
func TestPublish(t *testing.T) {
	if _, err := exec.LookPath("skopeo"); err != nil {
		t.Skip(err)
	}
	server := httptest.NewServer(registry.New())
	defer server.Close()
	to := strings.TrimPrefix(server.URL, "http://") + "/roem:1.2.3"
	out, err := exec.Command("skopeo", "copy", "--all", "--dest-tls-verify=false", "--insecure-policy", "oci-archive:"+imageOf(t), "docker://"+to).
		CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, architecture := range []string{"amd64", "arm64"} {
		text, err := exec.Command("skopeo", "--override-arch", architecture, "inspect", "--config", "--tls-verify=false", "docker://"+to).Output()
		check(t, err)
		var config v1.ConfigFile
		check(t, json.Unmarshal(text, &config))
		if config.Architecture != architecture || config.Config.User != "65532:65532" || len(config.RootFS.DiffIDs) != 1 {
			t.Errorf("%s: %+v", architecture, config)
		}
	}
}

// TestDocuments reads the documents of an archive where they are then.
func TestDocuments(t *testing.T) {
	for _, system := range []string{"linux", "windows"} {
		files := map[string][]byte{}
		for _, one := range documentNames(system) {
			text, err := document(one, "1.2.3")
			check(t, err)
			files["roem/"+one] = text
		}
		for name, text := range files {
			if dead := deadLinks(system, name, text, files); strings.HasSuffix(name, ".md") && len(dead) > 0 {
				t.Error(dead)
			}
		}
	}
}

// TestDeadLinks finds the link that leads nowhere, and that only.
func TestDeadLinks(t *testing.T) {
	folder := t.TempDir()
	var b bytes.Buffer
	packed := gzip.NewWriter(&b)
	archive := tar.NewWriter(packed)
	for name, text := range map[string]string{
		"roem/README.md": "[a](LICENSE) [b](pages/more.md#part) [c](https://example.com/x) [d](#part) [e](../README.md)", "roem/LICENSE": "",
		"roem/pages/more.md": "[f](../LICENSE)",
	} {
		check(t, archive.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o600}))
		_, err := archive.Write([]byte(text))
		check(t, err)
	}
	check(t, archive.Close())
	check(t, packed.Close())
	check(t, os.WriteFile(filepath.Join(folder, "roem.tar.gz"), b.Bytes(), 0o600))
	err := checkLinks(folder)
	if want := "roem.tar.gz: roem/README.md: there is no ../README.md"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestNotARelease asks for the release of a version that is not tagged and not dated.
func TestNotARelease(t *testing.T) {
	for name, err := range map[string]error{"tag": checkTag("99.9.9"), "date": checkDate("99.9.9"), "version": checkVersion("99.9.9")} {
		if err == nil || !strings.Contains(err.Error(), "99.9.9") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
