// Package api holds the types and the routes of the contract, generated from api/openapi.yaml and never edited.
package api

//go:generate go run ../../api/order
//go:generate go -C ../../tools tool oapi-codegen -config ../internal/api/codegen.yaml ../api/openapi.yaml
//go:generate go -C ../../tools tool oapi-codegen -config ../internal/api/routes.yaml ../api/openapi.yaml
//go:generate go run ../../api/least -ts ../web/board/test/least.gen.ts
