export { createClientGroup } from "./wire/client/client-group.ts";
export { serveClient } from "./wire/client/serve-client.ts";
export { maxLineBytes, readClientLines } from "./wire/read-client-lines.ts";
export { readClientToken, type TokenFlags } from "./wire/listen/client-token.ts";
export { listenAt } from "./wire/listen/listen-at.ts";
export { checkByPlace } from "./wire/message/check-by-place.ts";
export { checkMembers, describeRestraint, type MemberSchema } from "./wire/message/check-members.ts";
export { createIgnoredReport, type IgnoredReport } from "./wire/message/ignored-report.ts";
export { RequestFault } from "./wire/message/request-fault.ts";

export type { ClientGroup } from "./wire/client/client-group.ts";
export type { LineClient, LineService } from "./wire/client/line-service.ts";
export type { ClientConnection } from "./wire/client/client-connection.ts";
