export { createAudience } from "./client/audience.ts";
export { serveClient } from "./client/serve-client.ts";
export { maxLineBytes, readClientLines } from "./read-client-lines.ts";
export { listenAt } from "./listen/listen-at.ts";
export { checkByPlace } from "./message/check-by-place.ts";
export { RequestFault } from "./message/request-fault.ts";

export type { Audience } from "./client/audience.ts";
export type { LineClient } from "./client/line-client.ts";
export type { LineService } from "./client/line-service.ts";
export type { Link } from "./client/link.ts";
