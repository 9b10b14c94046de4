// A field for a whole number. What is not allowed is refused at the field, and the number stays what it was.

import { useState } from 'preact/hooks'

/** The field changes the number while it is typed, or with late when the field is left. bad says what is allowed. */
export function NumberField({
  id,
  label,
  value,
  min = 0,
  max,
  step = 1,
  bad,
  late,
  title,
  change,
}: {
  id: string
  label: string
  value: number
  min?: number
  max: number
  step?: number
  bad: string
  late?: boolean
  title?: string
  change(n: number): void
}) {
  const [typed, type] = useState<string | null>(null) // null while the field shows the number
  const text = typed?.trim() ?? String(value)
  const allowed = (text: string): boolean =>
    /^\d{1,4}$/.test(text) && Number(text) >= min && Number(text) <= max && Number(text) % step === 0
  const wrong = !allowed(text)
  return (
    <div class="number">
      <label class={late ? 'inline' : ''}>
        {label}
        <input
          id={id}
          inputMode="numeric"
          autocomplete="off"
          value={typed ?? value}
          title={title}
          aria-invalid={wrong}
          aria-describedby={id + '-bad'}
          onInput={(e) => {
            const now = e.currentTarget.value
            type(now)
            if (!late && allowed(now.trim())) change(Number(now))
          }}
          onChange={() => {
            if (wrong) return
            type(null)
            if (late) change(Number(text))
          }}
        />
      </label>
      <p id={id + '-bad'} class="bad" role="alert">
        {wrong ? bad : null}
      </p>
    </div>
  )
}
