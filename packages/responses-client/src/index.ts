export { createResponsesClient } from "./responses-client.ts";

export type { CredentialProvider } from "./port/credential-provider.ts";
export type { ProviderEndpoint } from "./port/provider-endpoint.ts";
export type { ResponsesClient, ResponsesClientOptions } from "./responses-client.ts";
export type { CompactOutcome } from "./unary/read-compaction.ts";
export type { ListModelsOutcome } from "./unary/read-models.ts";
