export { openThreadStore } from "./open-thread-store.ts";
export { openThreadStoreOn } from "./open-thread-store-on.ts";
export { ThreadStoreError } from "./thread-store-error.ts";

export type { AppendFile, OpenAppendFile } from "./file/append-file.ts";
export type { DraftFile } from "./file/draft-file.ts";
export type { ThreadFiles } from "./open-thread-store-on.ts";
export type { FileThreadStore, ThreadStoreOptions } from "./open-thread-store.ts";
export type { ThreadStoreErrorCode } from "./thread-store-error.ts";
