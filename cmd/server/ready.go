package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// askLimit is how long the server may take to answer.
const askLimit = 3 * time.Second

// ask checks that the server at the address on this machine is ready. It is the health check of the container image, which has no
// other program for it.
func ask(addr string, stdout io.Writer) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	ctx, cancel := context.WithTimeout(context.Background(), askLimit)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", http.NoBody)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s is %s", request.URL, answer.Status)
	}
	_, err = fmt.Fprintln(stdout, "ready")
	return err
}
