// A component that is not rendered again while its properties are equal.

import { type ComponentChild, type FunctionComponent, createElement } from 'preact'
import { useMemo } from 'preact/hooks'

export function memo<P extends object>(component: (props: P) => ComponentChild): FunctionComponent<P> {
  return (props: P) => useMemo(() => createElement(component as FunctionComponent<P>, props), Object.values(props))
}
