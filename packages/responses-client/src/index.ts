export { createResponsesClient } from "./responses-client.ts";

export type { ServerApi } from "./stream/find-api.ts";
export type { ReachOutcome } from "./stream/read-models.ts";
export type { ResponsesClient, ResponsesClientOptions } from "./responses-client.ts";
