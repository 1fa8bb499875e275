export { createRequestEncoder, encodeRequestHead, withTail } from "./request-encoder.ts";
export { createThreadState } from "./state/thread-state.ts";
export { toEpochEvent } from "./transcript/resent-part.ts";
export { TranscriptError } from "./transcript/transcript-error.ts";
export { runTurn } from "./turn/run-turn.ts";

export type { ModelClient } from "./port/model-client.ts";
export type {
  EndFacts,
  EndVerdict,
  SideResponse,
  SideRequests,
  StepFacts,
  StepGuard,
  StepVerdict,
} from "./port/step-guard.ts";
export type { ToolRunContext, ToolRuntime } from "./port/tool-runtime.ts";
export type { HeadSettings, RequestEncoder, RequestTail } from "./request-encoder.ts";
export type { ThreadState, ThreadStateOptions } from "./state/thread-state.ts";
export type { NoUndo } from "./transcript/epochs.ts";
export type { Transcript } from "./transcript/transcript.ts";
export type { TurnOptions, TurnPorts } from "./turn/running-turn.ts";
