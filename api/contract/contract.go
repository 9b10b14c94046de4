// Package contract reads the contract once, into a small model of what generators need: schemas, operations and kinds of jobs, all in the
// order of the contract.
package contract

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Contract is the model.
type Contract struct {
	Schemas    []*Schema
	Operations []Operation
	Kinds      []Kind
	Parameters []*Schema // of the components that are parameters, by their names
	Version    string

	root   *yaml.Node
	schema schemas
}

// Operation is an operation.
type Operation struct {
	ID           string // its operationId, as klaverjasSolve
	Tag          string
	Method, Path string
	Summary      string
	InPath       []string
	Query        []Field
	Headers      []Field // which a request may have
	Body, Answer *Schema // nil for none
	Creates      bool    // it has an Idempotency-Key
	Waits        bool    // its answer can be a job
	Streams      bool    // it can also answer with a stream of answers, each better than the last
	NotInClients bool
	Open         bool // it needs no key
	Deprecated   bool
	// Since and Sunset are the days from which it is deprecated, and on which it ends at the earliest; empty for none.
	Since, Sunset string
}

// Kind is a kind of job.
type Kind struct {
	Name            string
	Request, Result *Schema
}

// Read reads the contract. Its error names the place, and for example a keyword that it does not know.
func Read(yamlText []byte) (*Contract, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(yamlText, &doc); err != nil {
		return nil, err
	}
	c := &Contract{root: doc.Content[0]}
	if info := at(c.root, "info"); info != nil {
		c.Version = text(info, "version")
	}
	c.schema = schemas{nodes: at(c.root, "components", "schemas"), known: map[string]*Schema{}}
	for name := range pairs(c.schema.nodes) {
		s, err := c.schema.named(name)
		if err != nil {
			return nil, err
		}
		c.Schemas = append(c.Schemas, s)
	}
	for name, node := range pairs(at(c.root, "components", "parameters")) {
		s, err := c.schema.read(at(node, "schema"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s.Name = name
		c.Parameters = append(c.Parameters, s)
	}
	for path, item := range pairs(at(c.root, "paths")) {
		for method, node := range pairs(item) {
			if method == "parameters" {
				continue
			}
			o := Operation{
				ID: text(node, "operationId"), Method: strings.ToUpper(method), Path: path, Summary: text(node, "summary"),
				NotInClients: text(node, "x-not-in-clients") != "", Open: c.open(node),
				Deprecated: text(node, "deprecated") == "true", Since: text(node, "x-deprecated-since"), Sunset: text(node, "x-sunset"),
			}
			if tags := at(node, "tags"); tags != nil {
				o.Tag = tags.Content[0].Value
			}
			for _, list := range []*yaml.Node{at(item, "parameters"), at(node, "parameters")} {
				if err := c.parameters(&o, list); err != nil {
					return nil, fmt.Errorf("%s %s: %w", method, path, err)
				}
			}
			if err := c.bodies(&o, node); err != nil {
				return nil, fmt.Errorf("%s %s: %w", method, path, err)
			}
			c.Operations = append(c.Operations, o)
		}
	}
	err := c.kinds()
	return c, err
}

// Named returns the component of a name, nil for none.
func (c *Contract) Named(name string) *Schema { return c.schema.known[name] }

// open reports whether an operation needs no key.
func (c *Contract) open(operation *yaml.Node) bool {
	security := at(operation, "security")
	if security == nil {
		security = at(c.root, "security")
	}
	return security == nil || len(security.Content) == 0
}

func (c *Contract) parameters(o *Operation, list *yaml.Node) error {
	if list == nil {
		return nil
	}
	for _, p := range list.Content {
		p = c.resolve(p)
		name := text(p, "name")
		s, err := c.schema.read(at(p, "schema"))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		field := Field{name, text(p, "required") == "true", s}
		switch text(p, "in") {
		case "path":
			o.InPath = append(o.InPath, name)
		case "query":
			o.Query = append(o.Query, field)
		case "header":
			o.Headers = append(o.Headers, field)
			o.Creates = o.Creates || name == "Idempotency-Key"
		}
	}
	return nil
}

// bodies reads the request and the answer of an operation. The answer of one that always makes a job is the result of the job.
func (c *Contract) bodies(o *Operation, node *yaml.Node) (err error) {
	if body := at(node, "requestBody", "content", "application/json", "schema"); body != nil {
		if o.Body, err = c.schema.read(body); err != nil {
			return err
		}
		o.Body = o.Body.component()
	}
	for _, status := range []string{"202", "201", "200"} { // of a job and its answer, the answer
		response := c.resolve(at(node, "responses", status))
		if ref := text(at(response, "content", "application/json", "schema"), "$ref"); ref != "" && ref != schemaPath+"Job" {
			if o.Answer, err = c.schema.named(strings.TrimPrefix(ref, schemaPath)); err != nil {
				return err
			}
		}
		o.Waits = o.Waits || status == "202" && response != nil
	}
	o.Streams = o.Answer != nil && at(node, "responses", "200", "content", "text/event-stream") != nil
	if o.Waits && o.Answer != nil && strings.HasSuffix(o.Answer.Name, "Job") {
		o.Answer = result(o.Answer)
	}
	return nil
}

// result returns the schema of the result of a kind of job.
func result(job *Schema) *Schema {
	for _, part := range job.AllOf {
		if i := slices.IndexFunc(part.Fields, func(f Field) bool { return f.Name == "result" }); i >= 0 {
			return part.Fields[i].component()
		}
	}
	return nil
}

// kinds reads the kinds of jobs.
func (c *Contract) kinds() error {
	request := c.Named("JobRequest")
	if request == nil {
		return nil
	}
	for _, one := range request.OneOf {
		k, of := Kind{}, one.component()
		job := c.Named(strings.TrimSuffix(of.Name, "Request"))
		if job == nil {
			return fmt.Errorf("there is no job of %s", of.Name)
		}
		k.Result = result(job)
		for _, f := range of.Fields {
			if f.Name == "kind" {
				k.Name = f.Enum[0]
			} else {
				k.Request = f.component()
			}
		}
		c.Kinds = append(c.Kinds, k)
	}
	return nil
}

// resolve follows a reference to a parameter or a response.
func (c *Contract) resolve(node *yaml.Node) *yaml.Node {
	if ref := text(node, "$ref"); ref != "" {
		return at(c.root, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
	return node
}

// text returns the text of a field, or nothing.
func text(node *yaml.Node, name string) string {
	if value := at(node, name); value != nil {
		return value.Value
	}
	return ""
}
