// Package api holds the types and the routes of the contract: api/gen writes the types that Go code uses, oapi-codegen the routes of jobs
// and of the server.
package api

//go:generate go -C ../../tools tool oapi-codegen -config ../internal/api/routes.yaml ../api/openapi.yaml
