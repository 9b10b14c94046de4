package merge

import (
	"regexp"
	"strings"
)

var (
	schemaHead   = regexp.MustCompile(`(?m)^    (\w+):\n((?:      .*\n)*?)      properties:\n((?:        .*\n|\n)+)`)
	propertyName = regexp.MustCompile(`(?m)^        (\w+):`)
	typeLine     = regexp.MustCompile(`(?m)^      (type|allOf|oneOf):`)
	requiredLine = regexp.MustCompile(`(?m)^      required: ?(.*)\n`)
)

// withObjects returns the text of a part in which every schema with properties is an object. Without a word about what is required, all
// properties are; with an empty list, none is.
func withObjects(text string) string {
	return schemaHead.ReplaceAllStringFunc(text, func(schema string) string {
		m := schemaHead.FindStringSubmatch(schema)
		head := m[2]
		if !typeLine.MatchString(head) {
			head = "      type: object\n" + head
		}
		switch required := requiredLine.FindStringSubmatch(head); {
		case required == nil:
			var names []string
			for _, name := range propertyName.FindAllStringSubmatch(m[3], -1) {
				names = append(names, name[1])
			}
			head += "      required: [" + strings.Join(names, ", ") + "]\n"
		case required[1] == "[]":
			head = strings.Replace(head, required[0], "", 1)
		}
		return "    " + m[1] + ":\n" + head + "      properties:\n" + m[3]
	})
}
