// The types of the contract, for the client in clients/typescript and for the pages. `make generate` runs it in the root of the repository.
export default {
  input: './api/openapi.yaml',
  output: { path: 'clients/typescript/src/contract', entryFile: false },
  plugins: ['@hey-api/typescript'],
  // A card, a suit or a seat of a request is one of those in answers (x-canonical). The server accepts other spellings too, for people;
  // a program with a misspelt card does not compile.
  parser: {
    patch: ({ components: { schemas } }) => {
      for (const [name, { 'x-canonical': canonical, description, nullable }] of Object.entries(schemas))
        if (canonical) schemas[name] = { description, nullable, allOf: [{ $ref: '#/components/schemas/' + canonical }] }
    },
  },
}
