export { createResponsesClient } from "./responses-client.ts";

export type { ServerApi } from "./stream/reach-server.ts";
export type { ReachOutcome } from "./stream/reach-server.ts";
export type { ResponsesClient, ResponsesClientOptions } from "./responses-client.ts";
