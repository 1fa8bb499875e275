export { createAudience } from "./client/audience.ts";
export { serveClient } from "./client/serve-client.ts";
export { maxLineBytes, readLines } from "./read-lines.ts";
export { listenAt } from "./listen/listen-at.ts";
export { checkByPlace } from "./message/check-by-place.ts";
export { RequestFault } from "./message/request-fault.ts";

export type { Audience } from "./client/audience.ts";
export type { LineClient } from "./client/line-client.ts";
export type { LineNotice, LineQuestions } from "./client/line-questions.ts";
export type { LineReply, LineService } from "./client/line-service.ts";
export type { Link } from "./client/link.ts";
export type { Line } from "./read-lines.ts";
export type { Listening } from "./listen/listening.ts";
export type { ValueCheck } from "./message/check-by-place.ts";
