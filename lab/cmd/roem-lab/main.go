// Command roem-lab makes data sets and the weights of the model, repeats the paper's experiment, and makes the measurements of the
// documentation. lab/docs/README.md describes it; `roem-lab help` lists the commands.
//
// It has the exit statuses of roem.
package main

import (
	"os"

	"roem/internal/cli"
)

// version is set by the linker (-ldflags "-X main.version=1.2.3").
var version = "devel"

func main() { os.Exit(program().Main()) }

func program() cli.Program {
	return cli.Program{
		Name: "roem-lab", Version: version,
		About: `roem-lab makes data sets of solved deals, trains models on them, repeats the experiments, and measures speed.

Usage: roem-lab GAME COMMAND [FLAGS] [ARGUMENT ...]

`,
		Example: `
An example: roem-lab klaverjas bench -n 50 -set uniform
`,
		Commands: []cli.Command{
			group("klaverjas", "Klaverjas",
				benchCommand(), datasetCommand(), trainCommand(), evalCommand(), treesTrainCommand(), leavesCommand(), handTrainCommand(),
				handEvalCommand(), interruptedCommand(), distributionCommand(), routesCommand(), paperCommand(), logicalCommand(),
				matchesCommand(), levelsCommand(), strengthFitCommand(), gamesCommand(), beliefTrainCommand(), beliefEvalCommand(),
				policyImitateCommand(), policyImproveCommand(), puzzlesCommand(), tableFitCommand(), bidFitCommand()),
			group("belote", "Belote Découverte", beloteCommand(), beloteSpeedCommand()),
			group("gin-rummy", "Gin Rummy", ginTrainCommand(), ginTableCommand(), ginMatchCommand(), ginProbesCommand(),
				ginOHECommand(), ginForestCommand()),
			group("tarok", "tarok", tarokEndingsCommand(), tarokTableCommand(), tarokLearnCommand(), tarokLossCommand(),
				tarokClusteringCommand(), tarokEquivalenceCommand(), tarokComplexityCommand()),
			figuresCommand(), loadCommand(),
		},
	}
}

// group is the group of the commands of a game.
func group(name, game string, commands ...cli.Command) cli.Command {
	return cli.Command{
		Name: name, Short: "the commands of " + game, Commands: commands,
		Long: "The commands of " + game + ".\n\nUsage: roem-lab " + name + " COMMAND [FLAGS] [ARGUMENT ...]\n\n",
	}
}
