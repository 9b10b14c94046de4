package main

import (
	"fmt"
	"net"
	"net/http"
	"syscall"
)

// strangers returns the address of a server that is not Roem: below /html it answers with a page, below /missing with a page and 404, below
// /moved with a redirection, and below /plain as a server of TLS answers plain HTTP.
func strangers() (string, error) {
	mux := http.NewServeMux()
	page := func(status int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(status)
			_, _ = fmt.Fprint(w, "<!doctype html><title>Another server</title>")
		}
	}
	mux.HandleFunc("/html/", page(http.StatusOK))
	mux.HandleFunc("/missing/", page(http.StatusNotFound))
	mux.HandleFunc("/moved/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://elsewhere.invalid/", http.StatusMovedPermanently)
	})
	mux.HandleFunc("/plain/", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "Client sent an HTTP request to an HTTPS server.", http.StatusBadRequest)
	})
	return serve(mux)
}

// closed returns an address where nothing listens. It is taken, so that nothing will.
func closed() (string, error) {
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	if err := syscall.Bind(socket, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return "", err
	}
	name, err := syscall.Getsockname(socket)
	if err != nil {
		return "", err
	}
	bound, ok := name.(*syscall.SockaddrInet4)
	if !ok {
		return "", fmt.Errorf("the socket has the address %v", name)
	}
	return "http://" + (&net.TCPAddr{IP: bound.Addr[:], Port: bound.Port}).String(), nil
}
