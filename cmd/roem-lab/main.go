// Command roem-lab makes data sets and the weights of the model, repeats the paper's experiment, and makes the measurements of the
// documentation. docs/project/lab.md describes it; `roem-lab help` lists the commands.
//
// Its exit statuses are those of roem.
package main

import (
	"os"

	"roem/internal/cli"
)

// version is set by the linker (-ldflags "-X main.version=v1.2.3").
var version = "devel"

func main() { os.Exit(program().Main()) }

func program() cli.Program {
	return cli.Program{
		Name: "roem-lab", Version: version,
		About: `roem-lab makes data sets of solved Klaverjas deals, trains models on them, repeats the experiments, and measures speed.

Usage: roem-lab COMMAND [FLAGS] [ARGUMENT ...]

`,
		Example: `
An example: roem-lab bench -n 50 -set uniform
`,
		Commands: []cli.Command{
			benchCommand(), loadCommand(), datasetCommand(), trainCommand(), evalCommand(), handTrainCommand(), handEvalCommand(),
			interruptedCommand(), tradeoffCommand(), paperCommand(), baselinesCommand(), logicalCommand(), matchesCommand(),
			strengthFitCommand(), strengthEvalCommand(), gamesCommand(), beliefTrainCommand(), beliefEvalCommand(), beliefCompareCommand(),
			policyImitateCommand(), policyImproveCommand(), policyEvalCommand(),
			tableFitCommand(), bidFitCommand(), bidGamesCommand(), tableEvalCommand(),
			adviseEvalCommand(), bidEvalCommand(),
			beloteCommand(), beloteSpeedCommand(), belotePaperCommand(), beloteHiddenCommand(),
			tarokEndingsCommand(), tarokTableCommand(), tarokLearnCommand(), tarokLossCommand(),
			ginTrainCommand(), ginTableCommand(), ginBoundCommand(), ginMatchCommand(), ginProbesCommand(),
		},
	}
}
