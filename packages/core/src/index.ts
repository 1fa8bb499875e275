export { createRequestEncoder } from "./request/request-encoder.ts";
export { createTranscript, isToolCall, TranscriptError } from "./transcript/transcript.ts";
export { runTurn } from "./turn/run-turn.ts";

export type { Inbox } from "./port/inbox.ts";
export type { ModelClient } from "./port/model-client.ts";
export type { ToolRunContext, ToolRuntime } from "./port/tool-runtime.ts";
export type { RequestEncoder, RequestHead, RequestTail } from "./request/request-encoder.ts";
export type { ItemIds } from "./transcript/encode-item.ts";
export type { Transcript } from "./transcript/transcript.ts";
export type { TurnOptions, TurnPorts } from "./turn/run-turn.ts";
