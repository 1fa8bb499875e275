export { openPostgresStore } from "./open-postgres-store.ts";
export { PostgresStoreError } from "./postgres-store-error.ts";

export type { PostgresStore, PostgresStoreOptions } from "./open-postgres-store.ts";
export type { PostgresStoreErrorCode } from "./postgres-store-error.ts";
