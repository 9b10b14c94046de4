// What the pages of the rules show, game by game. The words are in words-en.ts and words-nl.ts, the numbers and the
// example hands in facts.json, which follows from the engines of the server.

import type { RulesKey } from './words-en'

/** The games that have a page, by the name in its address. */
export const games = ['klaverjas', 'belote', 'gin-rummy', 'tarok'] as const
export type Game = (typeof games)[number]

/** A part of a page. */
export type Block =
  /** Sentences, one after another. */
  | { text: RulesKey[] }
  /** Sentences with a dot each. */
  | { list: RulesKey[] }
  /** Cards from the strongest to the weakest, with their points: a list of facts. plain has no order. */
  | { orders: [name: string, caption: RulesKey][]; plain?: boolean }
  /** Cards that belong together, and what they count. */
  | { pictures: [name: string, caption: RulesKey, points?: string][] }
  /** The trick of a step of the example. */
  | { trick: number; caption: RulesKey }
  /** What counts how much. */
  | { table: [label: RulesKey, ...numbers: string[]][]; heads?: RulesKey[] }

export interface Section {
  title: RulesKey
  blocks: Block[]
}

export interface About {
  /** The address that begins a hand, from the start page. */
  play: string
  /** Before the keys of its notes. */
  short: string
  lead: RulesKey
  /** The cards beside the title. */
  fan: string[]
  sections: Section[]
  switches: string[]
  /** The players of the example, and where they sit. */
  seats: [player: string, area: 'top' | 'left' | 'right' | 'bottom'][]
  /** What the sides of the sums are called. */
  sides: string[][]
}

export const about: Record<Game, About> = {
  klaverjas: {
    play: '/board#v=1&m=begin',
    short: 'k',
    lead: 'k_lead',
    fan: ['JH', '9H', 'AS', '10C', 'KD'],
    sections: [
      { title: 'k_about', blocks: [{ text: ['k_about1', 'k_about2', 'k_about3'] }] },
      {
        title: 'k_cards',
        blocks: [
          { text: ['k_cards1'] },
          {
            orders: [
              ['trump', 'k_trump'],
              ['plain', 'k_plain'],
            ],
          },
        ],
      },
      {
        title: 'k_must',
        blocks: [{ list: ['k_must1', 'k_must2', 'k_must3', 'k_must4'] }, { trick: 12, caption: 'k_mustPicture' }],
      },
      {
        title: 'k_roem',
        blocks: [
          { text: ['k_roem1'] },
          {
            pictures: [
              ['three', 'k_three', 'three'],
              ['four', 'k_four', 'four'],
              ['pair', 'k_pair', 'pair'],
              ['both', 'k_both', 'both'],
              ['same', 'k_same', 'same'],
            ],
          },
        ],
      },
      { title: 'k_score', blocks: [{ list: ['k_score1', 'k_score2', 'k_score3', 'k_score4'] }] },
    ],
    switches: ['system', 'under_ruff', 'melds', 'four_of_a_kind', 'pit', 'nat_melds'],
    seats: [
      ['N', 'top'],
      ['E', 'right'],
      ['S', 'bottom'],
      ['W', 'left'],
    ],
    sides: [
      ['N', 'S'],
      ['E', 'W'],
    ],
  },
  belote: {
    play: '/belote#v=1&m=begin',
    short: 'b',
    lead: 'b_lead',
    fan: ['JS', '9S', 'AH', '10D', 'KC'],
    sections: [
      { title: 'b_about', blocks: [{ text: ['b_about1', 'b_about2', 'b_about3'] }] },
      {
        title: 'b_cards',
        blocks: [
          { text: ['b_cards1'] },
          {
            orders: [
              ['trump', 'b_trump'],
              ['plain', 'b_plain'],
            ],
          },
        ],
      },
      {
        title: 'b_must',
        blocks: [{ list: ['b_must1', 'b_must2', 'b_must3', 'b_must4'] }, { trick: 2, caption: 'b_mustPicture' }],
      },
      { title: 'b_roem', blocks: [{ text: ['b_roem1'] }, { pictures: [['belote', 'b_belote', 'belote']] }] },
      { title: 'b_score', blocks: [{ list: ['b_score1', 'b_score2'] }] },
    ],
    switches: ['trump', 'threshold', 'contract'],
    seats: [
      ['A', 'bottom'],
      ['B', 'top'],
    ],
    sides: [['A'], ['B']],
  },
  'gin-rummy': {
    play: '/gin-rummy#v=1&m=begin',
    short: 'g',
    lead: 'g_lead',
    fan: ['4S', '5S', '6S', 'KH', 'KD'],
    sections: [
      { title: 'g_about', blocks: [{ text: ['g_about1', 'g_about2', 'g_about3'] }] },
      {
        title: 'g_melds',
        blocks: [
          { text: ['g_melds1'] },
          {
            pictures: [
              ['run', 'g_run'],
              ['set', 'g_set'],
              ['low', 'g_low'],
              ['none', 'g_none'],
            ],
          },
        ],
      },
      {
        title: 'g_dead',
        blocks: [
          { text: ['g_dead1'] },
          { orders: [['cards', 'g_points']], plain: true },
          {
            pictures: [
              ['hand', 'g_hand'],
              ['rest', 'g_rest', 'rest'],
            ],
          },
        ],
      },
      { title: 'g_knock', blocks: [{ text: ['g_knock1', 'g_knock2'] }] },
      { title: 'g_score', blocks: [{ list: ['g_diff', 'g_gin', 'g_undercut', 'g_game', 'g_void'] }] },
    ],
    switches: ['lay_offs'],
    seats: [
      ['B', 'top'],
      ['A', 'bottom'],
    ],
    sides: [['B'], ['A']],
  },
  tarok: {
    play: '/tarok#v=1&m=begin',
    short: 't',
    lead: 't_lead',
    fan: ['T22', 'T21', 'T1', 'HK', 'SQ'],
    sections: [
      { title: 't_about', blocks: [{ text: ['t_about1'] }] },
      {
        title: 't_cards',
        blocks: [
          { text: ['t_cards1'] },
          {
            orders: [
              ['taroks', 't_taroks'],
              ['red', 't_red'],
              ['black', 't_black'],
            ],
          },
        ],
      },
      {
        title: 't_points',
        blocks: [
          { text: ['t_points1'] },
          { orders: [['points', 't_values']], plain: true },
          { pictures: [['count', 't_count', 'example']] },
        ],
      },
      {
        title: 't_bid',
        blocks: [
          { text: ['t_bid1'] },
          {
            table: [
              ['t_three', 'three'],
              ['t_two', 'two'],
              ['t_one', 'one'],
              ['t_beggar', 'beggar'],
              ['t_zero', 'zero'],
            ],
          },
          { text: ['t_klop'] },
        ],
      },
      { title: 't_exchange', blocks: [{ text: ['t_exchange1'] }] },
      {
        title: 't_must',
        blocks: [
          { list: ['t_must1', 't_must2', 't_must3'] },
          { trick: 11, caption: 't_mustPicture' },
          { pictures: [['emperor', 't_emperor']] },
        ],
      },
      {
        title: 't_bonus',
        blocks: [
          { text: ['t_bonus1'] },
          {
            heads: ['t_silent', 't_said'],
            table: [
              ['t_kings', 'b_kings', 'a_kings'],
              ['t_trula', 'b_trula', 'a_trula'],
              ['t_pagat', 'b_pagat', 'a_pagat'],
              ['t_valat', 'b_valat', 'a_valat'],
            ],
          },
          {
            pictures: [
              ['kings', 't_kings'],
              ['trula', 't_trula'],
            ],
          },
        ],
      },
      { title: 't_score', blocks: [{ list: ['t_score1', 't_score2', 't_score3', 't_score4'] }] },
    ],
    switches: ['bidding', 'lead', 'emperor', 'difference', 'mond', 'valat_kontra', 'defenders_pagat'],
    seats: [
      ['A', 'left'],
      ['B', 'bottom'],
      ['C', 'right'],
    ],
    sides: [['B']],
  },
}

/** What a step of an example hand shows. */
export interface Moment {
  does: string
  by?: string
  cards?: string
  rows: string[]
  may?: string
  table: { by: string; card: string }[]
  turn?: string
  won?: string
  sums?: number[]
  trick?: number
  melds?: number
}

/** What the engines say of a game. */
export interface Facts {
  numbers: Record<string, number>
  switches: Record<string, string>
  orders: Record<string, { cards: string[]; points: number[] }>
  shown: Record<string, string>
  hand: Moment[]
}
