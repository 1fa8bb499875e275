export { openThreadStore } from "./open-thread-store.ts";
export { openThreadStoreOn } from "./open-thread-store-on.ts";
export { createThreadSummary } from "./load/read-summary.ts";
export { ThreadStoreError, toExistsError } from "./thread-store-error.ts";

export type { AppendFile, OpenAppendFile } from "./file/append-file.ts";
export type { DraftFile } from "./file/draft-file.ts";
export type { ReadableFile } from "./file/read-lines.ts";
export type { ThreadHold } from "./journal/continue-thread.ts";
export type { ThreadSummaryFold } from "./load/read-summary.ts";
export type { FoundThread, ThreadFiles } from "./journal/thread-files.ts";
export type { ThreadStoreOptions } from "./open-thread-store.ts";
export type { ThreadStoreErrorCode } from "./thread-store-error.ts";
