// The types of requests and answers, which `make generate` writes from the contract for the client in clients/typescript.
export type * from '../../../../clients/typescript/src/contract/types.gen'
