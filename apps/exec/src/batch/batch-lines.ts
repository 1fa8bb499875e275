import type { BatchEvent, BatchSummary } from "@unroll/batch";
import { countNouns } from "@unroll/text";
import type { ExecOutput } from "../output/exec-output.ts";

/** The progress of a batch on stderr, a line for each task that ends. */
export interface BatchLines {
  show(event: BatchEvent): Promise<void>;
  end(summary: BatchSummary): Promise<void>;
}

/** `tasks`: how many there are; null: nobody knows, for they come from a queue. */
export function createBatchLines(tasks: number | null, output: Pick<ExecOutput, "notice" | "complain">): BatchLines {
  let ended = 0;
  const warned = new Set<string>();
  return {
    async show(event) {
      switch (event.type) {
        case "batch.started": {
          const { finished, changed } = event;
          ended = finished.length;
          const earlier = ended === 0 ? "" : `, ${ended} finished earlier`;
          await output.notice(`batch: ${countNouns(tasks ?? 0, "task")}${earlier}`);
          if (changed.length === 0) return;
          return output.notice(`Changed since the last run, so they run again: ${listSome(changed)}.`);
        }
        case "task.started":
          if (event.isContinued) await output.notice(`↻ ${event.task.id} continues`);
          return;
        case "task.ended": {
          const { id, status, duration_ms: ms, cost, error } = event.result;
          ended += 1;
          const price = cost === null ? "" : ` · ${toDollars(cost)}`;
          const line = `${id} · ${Math.round(ms / 1000)} s${price}${tasks === null ? "" : ` · ${ended}/${tasks}`}`;
          return status === "completed" ? output.notice(`✓ ${line}`) : output.complain(`✗ ${line}: ${error?.message}`);
        }
        case "batch.paused": {
          const { reason, message, delayMs } = event.pause;
          const why = reason === "rate_limit" ? "the provider limits requests" : "the provider does not answer";
          return output.complain(
            `Paused: ${why}. One task tries again in ${Math.ceil(delayMs / 1000)} s${tasks === null ? "" : "; ^C stops the batch, and the same command continues it"}. ${message}`,
          );
        }
        case "batch.continued":
          return output.notice("The provider answers again: all tasks continue.");
        case "task.event":
          if (event.event.type !== "warning" || warned.has(event.event.message)) return;
          if (warned.size === mostWarned) warned.clear();
          warned.add(event.event.message); // all tasks of a batch often have the same
          return output.notice(`warning: ${event.task.id}: ${event.event.message}`);
      }
    },
    async end({ completed, failed, left, cost, usage, saved, stopped }) {
      if (stopped !== null) await output.complain(stopped.message);
      const price = cost === 0 ? "" : ` · ${toDollars(cost)}`;
      const { input_tokens: input, cached_input_tokens: cached } = usage;
      if (input > 0) {
        const worth = saved === null || saved < 0.01 ? "" : `, which saved ${toDollars(saved)}`;
        await output.notice(`cache: ${Math.round((100 * cached) / input)} % of the input was cached${worth}`);
      }
      await output.notice(`batch: ${completed} completed, ${failed} failed, ${left} left${price}`);
      if (left > 0) await output.notice("The same command continues with the tasks that are left.");
    },
  };
}

const mostNamed = 10;
/** A worker may run for months. */
const mostWarned = 1000;

function listSome(ids: readonly string[]): string {
  const rest = ids.length - mostNamed;
  return `${ids.slice(0, mostNamed).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

export function toDollars(cost: number): string {
  return `$${cost.toFixed(cost < 0.01 ? 4 : 2)}`;
}
