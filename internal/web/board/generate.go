// Package board is the source of the pages that are programs: TypeScript and Preact, in src, a folder of each page and one of what they
// share. It has no Go code. internal/web/bundle bundles it with esbuild, a Go program, into internal/web/assets. The types of requests
// and answers belong to the client for TypeScript (clients/typescript), generated from the contract.
//
// The program of a page is NAME.js and, if it has dialogs of its own that are loaded after it is shown, what it shares with them,
// NAME-chunk.js. The dialogs are NAME-ondemand.js.
package board

//go:generate go run roem/internal/web/bundle
