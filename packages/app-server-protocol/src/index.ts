export { clientRequests } from "./client-requests.ts";
export { notifications } from "./notifications.ts";
export { serverRequests } from "./server-requests.ts";
export { toJsonSchemaFiles } from "./to-json-schema-files.ts";
export { toAnswerSchema, toParamsSchema } from "./to-member-schema.ts";
export { toTypeScriptFiles } from "./to-typescript-files.ts";

export type { ClientMethod, ClientParams, ClientResult } from "./client-requests.ts";
export type { ServerNotification } from "./notifications.ts";
export type { ServerMethod, ServerParams, ServerResult } from "./server-requests.ts";
export type { WireAgentState, WireInput, WireItem } from "./thread-item.ts";
export type {
  OpenedThread,
  WireSandboxPolicy,
  WireThread,
  WireThreadSettings,
  WireThreadStatus,
  WireTurn,
  WireTurnError,
} from "./thread.ts";
