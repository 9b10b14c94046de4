// Beginning a game against the computer.

import { useState } from 'preact/hooks'
import { NumberField } from '../shared/numberfield'
import { Choice, House, LengthChoice, Rule, Switch, TermsDialog, kept, lengthOf } from '../shared/terms'
import { suitsFor } from './dialogs'
import { defaultThreshold, total } from './rules'
import type { SessionRequest } from './session'
import { type BeloteKey, useBelote } from './words'

const levels: [number, BeloteKey][] = [
  [2, 'easy'],
  [10, 'medium'],
  [40, 'strong'],
]
const ways = ['bidding', 'drawn', 'none'] as const

const page = 'belote'
const usual = {
  suits: 4,
  trump: 'bidding' as (typeof ways)[number],
  me: 'A' as 'A' | 'B',
  hands: 1,
  target: 0,
  worlds: 10,
  takeback: false,
  rules: {
    contract: 'paper' as 'paper' | 'standard',
    threshold: 0, // the usual one
    litige: false,
    belote: true,
    melds: 'off' as 'off' | 'open' | 'owned',
    capot: 0,
    flip: 'after_trick' as 'after_trick' | 'immediate',
  },
}
type Terms = typeof usual

// What of the rules is about the contract.
function contractOf({ trump, rules: { contract, threshold, litige } }: Terms) {
  if (trump === 'none') return {}
  return contract === 'standard' ? { contract, litige } : threshold > 0 ? { threshold } : {}
}

/** The request for a game like the last one. */
export function requestLike(): SessionRequest {
  const terms = kept(page, usual)
  const { belote, melds, capot, flip } = terms.rules
  return {
    seat: terms.me,
    players: { opponent: `sampling:${terms.worlds}` },
    ...lengthOf(terms),
    suits: suitsFor(terms.suits, null),
    trump: terms.trump,
    ...contractOf(terms),
    belote,
    melds,
    capot,
    flip,
    ...(terms.takeback ? { takeback: true } : {}),
  }
}

function HouseRules({ terms, set }: { terms: Terms; set(t: Terms): void }) {
  const w = useBelote()
  const r = terms.rules
  const change = (some: Partial<Terms['rules']>) => set({ ...terms, rules: { ...r, ...some } })
  const usualThreshold = defaultThreshold(terms.suits, 'C')
  const most = total(terms.suits, 'C')
  return (
    <House usual={JSON.stringify(r) === JSON.stringify(usual.rules)}>
      {terms.trump !== 'none' && (
        <>
          <Rule name="contract">
            <Choice
              id="rule-contract"
              label={w.b('ruleContract')}
              now={r.contract}
              options={(['paper', 'standard'] as const).map((x) => [x, w.b(`contract_${x}`)])}
              set={(contract) => change({ contract, litige: false, threshold: 0 })}
            />
          </Rule>
          {r.contract === 'paper' ? (
            <Rule name="threshold" hint={w.b('thresholdRule', { n: usualThreshold })}>
              <NumberField
                key={terms.suits}
                id="rule-threshold"
                label={w.b('thresholdAsked')}
                value={r.threshold || usualThreshold}
                min={1}
                max={most}
                bad={w.b('thresholdWrong', { n: most })}
                change={(n) => change({ threshold: n === usualThreshold ? 0 : n })}
              />
            </Rule>
          ) : (
            <Rule name="litige">
              <Switch id="rule-litige" label={w.b('ruleLitige')} on={r.litige} set={(litige) => change({ litige })} />
            </Rule>
          )}
        </>
      )}
      <Rule name="belote">
        <Switch id="rule-belote" label={w.b('ruleBelote')} on={r.belote} set={(belote) => change({ belote })} />
      </Rule>
      <Rule name="melds" hint={w.b('meldsHint')}>
        <Choice
          id="rule-melds"
          label={w.b('ruleMelds')}
          now={r.melds}
          options={(['off', 'open', 'owned'] as const).map((x) => [x, w.b(`melds_${x}`)])}
          set={(melds) => change({ melds })}
        />
      </Rule>
      <Rule name="capot">
        <Choice
          id="rule-capot"
          label={w.b('ruleCapot')}
          now={r.capot}
          options={[0, 50, 90].map((n) => [n, String(n)])}
          set={(capot) => change({ capot })}
        />
      </Rule>
      <Rule name="flip">
        <Choice
          id="rule-flip"
          label={w.b('ruleFlip')}
          now={r.flip}
          options={(['after_trick', 'immediate'] as const).map((x) => [x, w.b(`flip_${x}`)])}
          set={(flip) => change({ flip })}
        />
      </Rule>
    </House>
  )
}

export function PlayDialog({ close, begin }: { close(): void; begin(r: SessionRequest): void }) {
  const w = useBelote()
  const [terms, set] = useState(() => kept(page, usual))
  return (
    <TermsDialog
      page={page}
      hint={w.b('playHint')}
      terms={terms}
      set={set}
      close={close}
      begin={() => begin(requestLike())}>
      <LengthChoice
        hands={[1, 4, 16].map((n) => [n, w.b(n === 1 ? 'handsOne' : 'handsN', { n })] as const)}
        points={[701, 1000]}
        now={terms}
        change={(length) => set({ ...terms, ...length })}
      />
      <Rule name="suits">
        <Choice
          id="play-suits"
          label={w.b('suits')}
          now={terms.suits}
          options={[4, 3, 2, 1].map((n) => [n, String(n)])}
          set={(suits) => set({ ...terms, suits, rules: { ...terms.rules, threshold: 0 } })}
        />
      </Rule>
      <Choice
        id="play-trump"
        label={w.t('trump')}
        now={terms.trump}
        options={ways.map((x) => [x, w.b(`way_${x}`)])}
        set={(trump) => set({ ...terms, trump })}
      />
      <Choice
        id="play-me"
        label={w.b('youSit')}
        now={terms.me}
        options={[
          ['A', w.b('sitA')],
          ['B', w.b('sitB')],
        ]}
        set={(me) => set({ ...terms, me })}
      />
      <Choice
        id="play-level"
        label={w.b('computerLevel')}
        now={terms.worlds}
        options={levels.map(([n, key]) => [n, w.b(key)])}
        set={(worlds) => set({ ...terms, worlds })}
      />
      <HouseRules terms={terms} set={set} />
    </TermsDialog>
  )
}
