// Beginning a game against the computer.

import { useState } from 'preact/hooks'
import { Choice, House, LengthChoice, Rule, TermsDialog, kept } from '../shared/terms'
import { layOffs, levels } from './play'
import type { LayOffs, SessionRequest } from './state'
import { useGin } from './words'

const page = 'gin'
const usual = { player: 'playout', hands: 1, target: 100, starter: '', layOffs: 'best' as LayOffs, takeback: false }

/** The request for a game like the last one. */
export function requestLike(): SessionRequest {
  const { player, target, starter, layOffs, takeback } = kept(page, usual)
  return {
    players: { opponent: player },
    ...(target > 0 ? { target } : { hands: 1 }),
    ...(takeback ? { takeback } : {}),
    lay_offs: layOffs,
    ...(starter === '' ? {} : { starter: starter as 'A' }),
  }
}

export function PlayDialog({ close, begin }: { close(): void; begin(q: SessionRequest): void }) {
  const w = useGin()
  const [asked, set] = useState(() => kept(page, usual))
  return (
    <TermsDialog
      page={page}
      hint={w.g('playHint')}
      terms={asked}
      set={set}
      close={close}
      begin={() => begin(requestLike())}>
      <Choice
        id="play-player"
        label={w.g('level')}
        now={asked.player}
        options={Object.entries(levels).map(([k, name]) => [k, w.g(name)])}
        set={(player) => set({ ...asked, player })}
      />
      <LengthChoice
        hands={[[1, w.g('aRound')]]}
        points={[100, 250]}
        now={asked}
        change={(length) => set({ ...asked, ...length })}
      />
      <Choice
        id="play-starter"
        label={w.g('starter')}
        now={asked.starter}
        options={[
          ['', w.g('drawn')],
          ['A', w.g('you')],
          ['B', w.g('computer')],
        ]}
        set={(starter) => set({ ...asked, starter })}
      />
      <House usual={asked.layOffs === 'best'}>
        <Rule name="lay_offs" hint={w.g('layOffsHint')}>
          <Choice
            id="play-layOffs"
            label={w.g('layOffs')}
            now={asked.layOffs}
            options={(Object.keys(layOffs) as LayOffs[]).map((k) => [k, w.g(layOffs[k])])}
            set={(layOffs) => set({ ...asked, layOffs })}
          />
        </Rule>
      </House>
    </TermsDialog>
  )
}
