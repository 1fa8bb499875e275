import type { JsonSchema } from "@unroll/protocol";
import type { InputSchema } from "@unroll/tools";

/** Of one turn. */
export interface RunOptions {
  /** Interrupts the turn: its commands are stopped, its history stays valid. Absent: nothing does, but closing the thread. */
  readonly signal?: AbortSignal;
  /** The final message must be JSON of this schema; an answer that is not fails the turn. Absent: any text. */
  readonly outputSchema?: JsonSchema;
  /** So often the model may correct an answer that is not, in the same turn. Default 2. */
  readonly schemaRepairs?: number;
}

/** The same for an answer that is a typed value. */
export interface OutputOptions<Value> extends Omit<RunOptions, "outputSchema"> {
  /** What the answer has to fit, and is given as: a schema of zod 4, or another that writes JSON Schema. */
  readonly output: InputSchema<Value>;
}

/** With a signal and a JSON Schema alone. */
export type SettledRunOptions = Pick<RunOptions, "outputSchema" | "schemaRepairs"> & { readonly signal: AbortSignal };
