import type { TurnOutcome } from "@unroll/protocol";
import { checkValue, type InputSchema } from "@unroll/tools";
import { HarnessError } from "../harness-error.ts";
import type { TurnResult } from "./turn.ts";

/** What a turn was asked for. */
export interface TurnWish {
  /** Absent: nothing but text. */
  readonly output?: InputSchema;
  readonly signal: AbortSignal;
}

/** An outcome as a result. Throws what `Thread.run` says of awaiting a turn. */
export async function settleTurn(outcome: TurnOutcome, { output, signal }: TurnWish): Promise<TurnResult<unknown>> {
  switch (outcome.type) {
    case "completed": {
      const { finalMessage, usage } = outcome;
      return { finalMessage, usage, value: output === undefined ? null : await readValue(output, finalMessage) };
    }
    case "failed":
      throw new HarnessError("turn_failed", outcome.error.message, { turnError: outcome.error });
    case "interrupted":
      signal.throwIfAborted();
      throw new HarnessError(
        "turn_interrupted",
        "The turn was interrupted: its thread was closed, or its reader left.",
      );
  }
}

/** The thread has held it to the JSON Schema already; a schema may want more than that can say. */
async function readValue(output: InputSchema, finalMessage: string | null): Promise<unknown> {
  const checked = await checkValue(output, JSON.parse(finalMessage ?? "null"));
  if (checked.type === "fits") return checked.value;
  const message = `The answer does not fit the output schema: ${checked.faults.join("; ")}. Run it again.`;
  throw new HarnessError("turn_failed", message, { turnError: { code: "schema_mismatch", message } });
}
