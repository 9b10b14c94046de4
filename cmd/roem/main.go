// Command roem answers the operations of the HTTP API at the command line, with the same JSON objects, one per line.
// docs/reference/command-line.md describes it; `roem help` lists the commands.
//
// Exit status: 0 if there was no error; 1 if a line of input could not be answered, or if reading or writing failed; 2 if the arguments
// are invalid; 128 plus the number of the signal if a signal ended it.
package main

import (
	"fmt"
	"os"

	"roem/internal/cli"
)

// version is set by the linker (-ldflags "-X main.version=1.2.3").
var version = "devel"

func main() { os.Exit(program().Main()) }

func program() cli.Program {
	return cli.Program{
		Name: "roem", Version: version,
		About: `roem solves, predicts, advises, reviews and plays hands of Klaverjas, and with belote, gin-rummy and tarok of other games.

Usage: roem COMMAND [FLAGS] [FILE ...]

roem reads requests as JSON, one a line, from the files or from standard input. It writes answers as JSON, one a line, in
the same order. Requests and answers are the same as in the HTTP API.

`,
		Example: `
An example: roem random -n 3 | roem solve -goal moves
`,
		Commands: append(klaverjasCommands(), convertCommand(), eveningCommand(), beloteCommand(), ginRummyCommand(), tarokCommand()),
	}
}

// gameCommand is the group of the operations of a game.
func gameCommand(name, title string, commands []cli.Command) cli.Command {
	return cli.Command{
		Name: name, Args: "OPERATION [FLAGS] [FILE ...]", Short: "the operations of " + title, Commands: commands,
		Long: fmt.Sprintf(`The operations of %s.

Usage: roem %[2]s OPERATION [FLAGS] [FILE ...]

Requests and answers are the same as below /v1/%[2]s in the HTTP API, one a line.

`, title, name),
	}
}
