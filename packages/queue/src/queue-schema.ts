/** PostgreSQL has BullMQ's tables in a schema of their own. */
export const schema = "unroll_queue";
