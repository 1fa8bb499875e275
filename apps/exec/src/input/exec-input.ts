import type { JsonSchema, UserInput } from "@unroll/protocol";

/** The input of a run, and how it prints the answer. */
export interface ExecInput {
  readonly input: UserInput;
  /** There is no prompt, for this reason: that is an error unless the thread waits for an answer. Absent: there is one. */
  readonly missing?: Error;
  /** Null: the flags say whether the answer has one. */
  readonly outputSchema: JsonSchema | null;
  /** Null: without `--schema-repairs`, any answer will do. Absent: the thread's default. */
  readonly schemaRepairs?: null;
  /** For stderr. */
  readonly notices: readonly string[];
  /** The answer as it is printed, where JSON is not asked for. */
  readonly toAnswer: (text: string) => string;
}
