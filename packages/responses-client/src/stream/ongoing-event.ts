import type { ResponseEvent, ResponseTerminalEvent } from "@unroll/protocol";

/** What a response consists of until it ends; how it ends is the outcome. */
export type OngoingEvent = Exclude<ResponseEvent, ResponseTerminalEvent>;
