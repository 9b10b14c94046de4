// The types of the contract, for the client in clients/typescript and for the pages. `make generate` runs it in the root of the repository.
export default {
  input: './api/openapi.yaml',
  output: { path: 'clients/typescript/src/contract', entryFile: false },
  plugins: ['@hey-api/typescript'],
  // A card, a suit or a seat of a request is one of those in answers (x-canonical). The server accepts other spellings too, for people;
  // a program with a misspelt card does not compile. A field that is certain by the value of another (x-certain) is so in the types: of a job
// that succeeded the result.
  parser: {
    patch: ({ components: { schemas } }) => {
      for (const [name, { 'x-canonical': canonical, description, nullable }] of Object.entries(schemas))
        if (canonical) schemas[name] = { description, nullable, allOf: [{ $ref: '#/components/schemas/' + canonical }] }
      for (const schema of Object.values(schemas))
        for (const part of [schema, ...(schema.allOf ?? [])])
          for (const [field, by] of Object.entries(part['x-certain'] ?? {})) {
            const all = Object.assign({}, ...[schema, ...(schema.allOf ?? [])].map((s) => properties(s)))
            const values = resolved(all[field]).enum
            const cases = values.map((value) => ({
              type: 'object',
              required: [field, ...(by[value] ?? [])],
              properties: {
                [field]: { type: 'string', enum: [value] },
                ...Object.fromEntries((by[value] ?? []).map((name) => [name, all[name]])),
              },
            }))
            if (schema.allOf) schema.allOf.push({ oneOf: cases })
            else schema.oneOf = cases
          }
      function resolved(s) {
        return s.$ref ? schemas[s.$ref.split('/').pop()] : s
      }
      function properties(s) {
        return resolved(s).properties ?? {}
      }
    },
  },
}
