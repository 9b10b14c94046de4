package service

import "context"

type prefixKey struct{}

// WithPrefix returns a context in which the links of answers begin with a prefix: the path of the server as its clients see it, such as
// /roem. Empty for none.
func WithPrefix(ctx context.Context, prefix string) context.Context {
	if prefix == "" {
		return ctx
	}
	return context.WithValue(ctx, prefixKey{}, prefix)
}

// Link returns a path of the server as a link in an answer.
func Link(ctx context.Context, path string) string {
	prefix, _ := ctx.Value(prefixKey{}).(string)
	return prefix + path
}
