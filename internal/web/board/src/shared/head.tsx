// The heads of the columns of a table.

import type { JSX } from 'preact'

/** A head, with a class of its column where it has one. null is a corner without a head, and false is no column. */
export type Column = string | JSX.Element | { text: string; class: string } | null | false | undefined

export const Head = ({ of }: { of: readonly Column[] }) => (
  <thead>
    <tr>
      {of.map((x, i) =>
        x === null ? (
          <td key={i} />
        ) : x === false || x === undefined ? null : (
          <th scope="col" key={i} class={typeof x === 'object' && 'class' in x ? x.class : undefined}>
            {typeof x === 'object' && 'class' in x ? x.text : x}
          </th>
        ),
      )}
    </tr>
  </thead>
)
