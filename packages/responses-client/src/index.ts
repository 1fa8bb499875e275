export { createResponsesClient } from "./responses-client.ts";

export type { ResponsesClient, ResponsesClientOptions } from "./responses-client.ts";
