package tarok

import (
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/search"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/service"
)

// newKey begins a key with what every result depends on: the game, the format of keys and values, and the version of the search.
func newKey(kind string) service.Key {
	return service.NewKey(gameName, schemaVersion, search.Version, kind)
}

func appendEnhancements(key service.Key, e search.Enhancements) service.Key {
	return key.Bool(e.Deepening).Bool(e.History).Bool(e.Minimal).Byte(byte(e.Selection)).Byte(byte(e.Table))
}

func appendSettings(key service.Key, s *advice.Settings) service.Key {
	key = key.Int(s.Samples).Int(s.Trials).Int(s.Pool).Bool(s.Clustered).Bool(s.Vote).Int(s.Depth).Int(s.Exact).Int(s.TrialDepth).
		Int(s.Discards).Uint(s.Nodes)
	key = appendEnhancements(key, s.Enhancements).Int(s.Playouts).Bool(s.PlayTrials).Float(s.Bar)
	return key.Bool(s.Inference.Bids).Bool(s.Inference.Exchanges).Bool(s.Inference.Cards)
}

func appendRules(key service.Key, r *tarok.Rules) service.Key {
	key = key.Int(r.Mond).Bool(r.NoEmperor).Byte(byte(r.Leads)).Byte(byte(r.Order)).Byte(byte(r.Difference))
	return key.Bool(r.PlainValat).Bool(r.OwnPagat)
}

// viewKey begins what a decision depends on with the view of the player.
func viewKey(v *worlds.View) service.Key {
	key := appendRules(service.Key(nil).Byte(byte(v.Player)),
		&v.Rules).Uint(uint64(v.Hand)).Byte(byte(v.Stage)).Byte(byte(v.Contract)).Byte(byte(v.Declarer))
	return service.AppendList(service.AppendList(key, v.Talon).Int(v.Group).Uint(uint64(v.Discards)), v.Played)
}

func appendTalk(key service.Key, t *players.Talk) service.Key {
	b, _ := t.AppendBinary(nil) // it never fails
	return key.Bytes(b)
}
