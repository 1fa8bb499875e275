export { openThreadStore } from "./open-thread-store.ts";
export { ThreadStoreError } from "./thread-store-error.ts";

export type { AppendFile, OpenAppendFile } from "./file/append-file.ts";
export type { ProcessTable } from "./file/thread-lock.ts";
export type { ThreadStoreOptions } from "./open-thread-store.ts";
export type { ThreadStoreErrorCode } from "./thread-store-error.ts";
