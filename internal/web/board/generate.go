// Package board is the source of the board, of the page of Belote and of that of jobs: TypeScript and Preact, in src. It has no Go code. esbuild, a Go program,
// bundles it into internal/web/assets; `make generate` also writes src/contract.d.ts from the contract, with Node.
package board

//go:generate go -C ../../../tools tool esbuild ../internal/web/board/src/main.tsx ../internal/web/board/board.css --outdir=../internal/web/assets --entry-names=board --bundle --minify --format=esm --target=es2022 --charset=utf8 --legal-comments=none --tsconfig=../internal/web/board/tsconfig.bundle.json --log-level=warning
//go:generate go -C ../../../tools tool esbuild ../internal/web/board/src/main-jobs.tsx --outfile=../internal/web/assets/jobs.js --bundle --minify --format=esm --target=es2022 --charset=utf8 --legal-comments=none --tsconfig=../internal/web/board/tsconfig.bundle.json --log-level=warning
//go:generate go -C ../../../tools tool esbuild ../internal/web/board/src/main-belote.tsx ../internal/web/board/belote.css --outdir=../internal/web/assets --entry-names=belote --bundle --minify --format=esm --target=es2022 --charset=utf8 --legal-comments=none --tsconfig=../internal/web/board/tsconfig.bundle.json --log-level=warning
//go:generate go -C ../../../tools tool esbuild ../internal/web/board/src/words-en.ts ../internal/web/board/src/words-nl.ts ../internal/web/board/src/words-belote-en.ts ../internal/web/board/src/words-belote-nl.ts --outdir=../internal/web/assets --minify --format=esm --target=es2022 --charset=utf8 --log-level=warning
