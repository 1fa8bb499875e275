import type { BatchEvent } from "@unroll/batch";
import type { Clock } from "@unroll/flow";
import type { ThreadEvent, ThreadItem } from "@unroll/protocol";
import { countColumns, foldLine, toShownText } from "@unroll/text";

/** The running batch, as a terminal shows it: a bar, and a row for each task that runs. */
export interface BatchTable {
  see(event: BatchEvent): void;
  /** Its lines, which fit the terminal. */
  render(size: { readonly columns: number; readonly rows: number }): readonly string[];
}

interface RunningTask {
  readonly since: number;
  /** Its last action, in a few words. */
  action: string;
}

const barCells = 24;

/** `tasks`: how many the batch has. */
export function createBatchTable(tasks: number, { elapsed }: Pick<Clock, "elapsed">): BatchTable {
  const running = new Map<string, RunningTask>();
  const began = elapsed();
  let [ended, earlier, failed, cost] = [0, 0, 0, 0];
  let pause: string | null = null;

  function renderHead(columns: number): string {
    const ran = ended - earlier;
    const leftMs = ran === 0 ? null : ((elapsed() - began) / ran) * (tasks - ended);
    const facts = [
      `${ended}/${tasks}`,
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(cost > 0 ? [`$${cost.toFixed(2)}`] : []),
      ...(pause !== null ? [pause] : leftMs === null ? [] : [`about ${formatTime(leftMs)} left`]),
    ];
    const text = facts.join(" · ");
    const room = Math.floor((columns - 1 - countColumns(` ${text}`)) / countColumns("█")); // two columns in some terminals
    const cells = Math.max(0, Math.min(barCells, room));
    const filled = tasks === 0 ? cells : Math.round((cells * ended) / tasks);
    return `${"█".repeat(filled)}${"░".repeat(cells - filled)} ${text}`;
  }

  return {
    see(event) {
      switch (event.type) {
        case "batch.started":
          ended = earlier = event.finished.length;
          failed = event.finished.filter(({ status }) => status === "failed").length;
          return;
        case "task.started":
          running.set(event.task.id, { since: elapsed(), action: event.isContinued ? "continues" : "starts" });
          return;
        case "task.event": {
          const task = running.get(event.task.id);
          if (task !== undefined) task.action = describeAction(event.event) ?? task.action;
          return;
        }
        case "task.ended":
          running.delete(event.task.id);
          ended += 1;
          failed += event.result.status === "failed" ? 1 : 0;
          cost += event.result.cost ?? 0;
          return;
        case "batch.paused":
          pause = "paused";
          return;
        case "batch.continued":
          pause = null;
          return;
      }
    },
    render({ columns, rows }) {
      const shown = [...running].slice(0, Math.max(0, rows - 3));
      const ids = Math.min(24, Math.max(0, ...shown.map(([id]) => id.length)));
      const lines = shown.map(([id, { since, action }]) => {
        const time = formatTime(elapsed() - since).padStart(6);
        return `  ${(foldLine(toShownText(id), ids)[0] ?? "").padEnd(ids)}  ${time}  ${action}`;
      });
      const more = running.size - shown.length;
      if (more > 0) lines.push(`  and ${more} more`);
      return [renderHead(columns), ...lines].map((line) => foldLine(line, columns - 1)[0] ?? "");
    },
  };
}

/** `7 s`, `12 min`, `2 h`. */
function formatTime(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** In a few words; null: nothing happened that a user sees. */
function describeAction(event: ThreadEvent): string | null {
  if (event.type === "item.started" || event.type === "item.completed") return describeItem(event.item);
  return event.type === "stream.retrying" ? "waits for the provider" : null;
}

function describeItem(item: ThreadItem): string | null {
  const text = toText(item);
  return text === null ? null : toShownText(text).replaceAll(/\s+/g, " ").slice(0, 200);
}

function toText(item: ThreadItem): string | null {
  switch (item.type) {
    case "command_execution":
      return `$ ${item.command}`;
    case "file_change":
      return `edits ${item.changes.map(({ path }) => path).join(", ")}`;
    case "mcp_tool_call":
      return `${item.server}.${item.tool}`;
    case "tool_call":
      return item.tool;
    case "web_search":
      return `searches ${item.query}`;
    case "image_view":
      return `looks at ${item.path}`;
    case "reasoning":
      return "thinks";
    case "agent_message":
      return item.text;
    case "todo_list":
    case "error":
      return null;
  }
}
