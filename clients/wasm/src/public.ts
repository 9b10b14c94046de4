export type * from "../../typescript/src/contract/types.gen.js";
export * from "../../typescript/src/helpers.js";
export { ProblemDocument, RoemError } from "../../typescript/src/transport.js";
export { LocalKlaverjas, type Options, WorkerError } from "./local.js";
export type * from "./protocol.js";
