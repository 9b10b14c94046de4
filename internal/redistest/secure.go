package redistest

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"roem/internal/testkit"
)

// Certificate makes a certificate for 127.0.0.1 that is its own authority, and returns the files of it and of its key.
func Certificate(tb testing.TB) (authority, secretFile string) {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		tb.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		tb.Fatal(err)
	}
	dir := tb.TempDir()
	secretFile = filepath.Join(dir, "key.pem")
	authority = filepath.Join(dir, "authority.pem")
	for path, block := range map[string]*pem.Block{
		authority: {Type: "CERTIFICATE", Bytes: certificate}, secretFile: {Type: "PRIVATE KEY", Bytes: secret},
	} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	return authority, secretFile
}

// StartSecure starts a primary with a replica, and a Sentinel, which all end with the test. They speak TLS to each other and to clients,
// and have the users of deploy/redis and no others. It returns the primary, the URL of the Sentinel, and the file with the authority of
// their certificates.
func StartSecure(tb testing.TB) (primary *Server, url, authority string) {
	tb.Helper()
	authority, key := Certificate(tb)
	var ports [3]int
	for i := range ports {
		var err error
		if ports[i], err = freePort(); err != nil {
			tb.Fatal(err)
		}
	}
	settings := func(port int) []string {
		return []string{
			"--tls-port", strconv.Itoa(port), "--tls-cert-file", authority, "--tls-key-file", key, "--tls-ca-cert-file", authority,
			"--tls-auth-clients", "no", "--tls-replication", "yes",
		}
	}
	server := func(port int, more ...string) *Server {
		own := append(settings(port), "--masteruser", "replica", "--masterauth", password)
		return Start(tb, Options{ACLFile: true, Settings: append(own, more...)})
	}
	primary = server(ports[0])
	server(ports[1], "--replicaof", fmt.Sprintf("127.0.0.1 %d", ports[0]))
	testkit.Until(tb, "the replica follows the primary", func() bool { return primary.replicas() == 1 })

	users, err := shipped("replicated/sentinel.acl")
	if err != nil {
		tb.Fatal(err)
	}
	dir := tb.TempDir()
	config, acl := filepath.Join(dir, "sentinel.conf"), filepath.Join(dir, "users.acl")
	for path, text := range map[string]string{
		acl: users,
		config: fmt.Sprintf(`bind 127.0.0.1
port 0
aclfile %s
dir %s
sentinel monitor main 127.0.0.1 %d 1
sentinel down-after-milliseconds main 1000
sentinel auth-user main sentinel
sentinel auth-pass main %[4]s
sentinel sentinel-user sentinel
sentinel sentinel-pass %[4]s
`, acl, dir, ports[0], password),
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	args := append([]string{config, "--sentinel"}, settings(ports[2])...)
	cmd := exec.CommandContext(context.Background(), "redis-server", args...) //nolint:gosec // a file of the test
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	url = fmt.Sprintf("rediss+sentinel://%s:%s@127.0.0.1:%d/main/0?sentinel_username=%[1]s&sentinel_password=%[2]s", User, password, ports[2])
	return primary, url, authority
}
