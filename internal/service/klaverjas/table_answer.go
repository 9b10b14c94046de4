package klaverjas

import (
	"roem/internal/api"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// outTable returns the answer of table.
func (g *Game) outTable(q *TableQuery, a service.Answer[[tableEntries]tableEntry]) api.KlaverjasTable {
	out := api.KlaverjasTable{
		Leader: *outSeat(q.leader), Exact: true, Rules: outRules(q.rules), Source: a.Source,
		Stats: stats(uint64(a.Nodes), a.Source, a.Began), Version: g.service.Version(),
	}
	rows := [4]*api.KlaverjasTableRow{&out.Outcomes.C, &out.Outcomes.D, &out.Outcomes.H, &out.Outcomes.S}
	for _, trump := range piquet.Suits() {
		entries := [2]*api.KlaverjasTableEntry{&rows[trump].NS, &rows[trump].EW}
		for _, declarer := range piquet.Teams() {
			one := a.Result[entry(trump, declarer)]
			*entries[declarer] = api.KlaverjasTableEntry{Outcome: one.outcome, Won: one.won}
		}
	}
	return out
}
