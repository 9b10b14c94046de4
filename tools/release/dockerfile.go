package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// recipe is the last stage of the Dockerfile: the image of a release has the same files and the same configuration.
type recipe struct {
	config v1.Config
	copies []copied
}

// copied is a file or an empty folder in the image.
type copied struct {
	from, to        string
	program, folder bool // a program comes from the folder of those that were built; a folder is empty
	owner           int
}

// readDockerfile reads the last stage. Its arguments are put in place of their names. An instruction that is not known is an error.
func readDockerfile(name string, arguments map[string]string) (*recipe, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	_, stage, ok := strings.Cut(string(text), "\nFROM scratch\n")
	if !ok {
		return nil, fmt.Errorf("%s has no stage from scratch", name)
	}
	r := &recipe{config: v1.Config{Labels: map[string]string{}}}
	for line := range strings.SplitSeq(strings.ReplaceAll(stage, "\\\n", " "), "\n") {
		instruction, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if instruction == "" || strings.HasPrefix(instruction, "#") {
			continue
		}
		for argument, value := range arguments {
			rest = strings.ReplaceAll(rest, "${"+argument+"}", value)
		}
		if err := r.add(instruction, strings.TrimSpace(rest)); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, line, err)
		}
	}
	return r, nil
}

func (r *recipe) add(instruction, rest string) (err error) {
	switch instruction {
	case "ARG":
	case "LABEL":
		for rest != "" {
			key, value, ok := strings.Cut(rest, "=")
			quoted, err := strconv.QuotedPrefix(value)
			if !ok || err != nil {
				return fmt.Errorf("expected name=\"value\": %q", rest)
			}
			r.config.Labels[strings.TrimSpace(key)], _ = strconv.Unquote(quoted)
			rest = strings.TrimSpace(value[len(quoted):])
		}
	case "COPY":
		return r.copy(strings.Fields(rest))
	case "ENV":
		r.config.Env = append(r.config.Env, rest)
	case "VOLUME":
		r.config.Volumes = map[string]struct{}{rest: {}}
	case "USER":
		r.config.User = rest
	case "EXPOSE":
		r.config.ExposedPorts = map[string]struct{}{rest + "/tcp": {}}
	case "ENTRYPOINT":
		return json.Unmarshal([]byte(rest), &r.config.Entrypoint)
	case "HEALTHCHECK":
		return r.health(rest)
	default:
		return fmt.Errorf("release does not know this instruction")
	}
	return nil
}

// copy adds the files of an instruction COPY. What comes from the stage build is programs and empty folders.
func (r *recipe) copy(words []string) error {
	built, owner := false, 0
	for len(words) > 0 && strings.HasPrefix(words[0], "--") {
		switch name, value, _ := strings.Cut(words[0], "="); name {
		case "--from":
			built = true
		case "--chown":
			first, _, _ := strings.Cut(value, ":")
			var err error
			if owner, err = strconv.Atoi(first); err != nil {
				return err
			}
		default:
			return fmt.Errorf("release does not know %s", name)
		}
		words = words[1:]
	}
	if len(words) < 2 {
		return fmt.Errorf("expected what to copy, and where to")
	}
	to := strings.TrimPrefix(words[len(words)-1], "/")
	for _, from := range words[:len(words)-1] {
		c := copied{from: from, to: to, owner: owner, program: built}
		if strings.HasSuffix(to, "/") {
			c.to = to + path.Base(from)
		} else if built {
			c.folder = true
		}
		if c.program {
			c.from = path.Base(from)
		}
		r.copies = append(r.copies, c)
	}
	return nil
}

func (r *recipe) health(rest string) error {
	h := &v1.HealthConfig{}
	options, command, ok := strings.Cut(rest, "CMD ")
	if !ok {
		return fmt.Errorf("expected CMD")
	}
	for option := range strings.FieldsSeq(options) {
		name, value, _ := strings.Cut(option, "=")
		d, err := time.ParseDuration(value)
		if err != nil {
			return err
		}
		switch name {
		case "--interval":
			h.Interval = d
		case "--timeout":
			h.Timeout = d
		case "--start-period":
			h.StartPeriod = d
		default:
			return fmt.Errorf("release does not know %s", name)
		}
	}
	if err := json.Unmarshal([]byte(command), &h.Test); err != nil {
		return err
	}
	h.Test = append([]string{"CMD"}, h.Test...)
	r.config.Healthcheck = h
	return nil
}
