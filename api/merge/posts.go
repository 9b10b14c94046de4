package merge

import (
	"regexp"
	"strings"
)

var (
	tagLine = regexp.MustCompile(`(?m)^  x-tag: (.+)\n`)
	post    = regexp.MustCompile(`(?m)^  /v1/(\S+):\n    post:\n(      operationId: )?`)
)

// withIDs returns the text of a part in which every POST has the id that follows from its path, and the tag of its x-tag, unless it has an
// id of its own.
func withIDs(text string) string {
	tag := tagLine.FindStringSubmatch(text)
	if tag == nil {
		return text
	}
	return post.ReplaceAllStringFunc(tagLine.ReplaceAllString(text, ""), func(head string) string {
		m := post.FindStringSubmatch(head)
		if m[2] != "" {
			return head
		}
		return head + "      operationId: " + idOf(m[1]) + "\n      tags: [" + tag[1] + "]\n"
	})
}

// idOf returns the id of the operation with a path below /v1: ginRummyMelds, ginRummyCreateSession, ginRummySessionPlay.
func idOf(path string) string {
	game, rest, _ := strings.Cut(path, "/")
	if rest == "sessions" {
		rest = "create-session"
	}
	rest = strings.Replace(rest, "sessions/{id}", "session", 1)
	words := strings.FieldsFunc(game+"/"+rest, func(c rune) bool { return strings.ContainsRune("-_/", c) })
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	return strings.Join(words, "")
}
