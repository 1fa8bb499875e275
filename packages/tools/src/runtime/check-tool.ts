import { isThreadItem, type ItemDeltaEvent, type ThreadEvent } from "@unroll/protocol";
import { checkShape } from "@unroll/text";
import type { CallEnd, PlannedCall, PreparedCall, RejectedCall } from "../tool/tool.ts";

const itemEvents: readonly ThreadEvent["type"][] = ["item.started", "item.updated", "item.completed"];
const told: readonly ThreadEvent["type"][] = [
  ...itemEvents,
  "item.delta",
  "warning",
  "question.asked",
  "question.answered",
];
const deltas: readonly ItemDeltaEvent["kind"][] = ["agent_message", "reasoning", "command_output"];
const calls = ["command_execution", "file_change", "mcp_tool_call", "image_view", "tool_call"];

/** Each throws a `TypeError` where a tool that was written by hand gave something else than its types promise. */
export function checkPrepared(prepared: PreparedCall): PreparedCall {
  checkShape("its prepare", prepared, { type: ["call.ready", "call.rejected"] });
  if (prepared.type === "call.rejected") checkRejected("its prepare", prepared);
  else checkShape("its prepare", prepared, { plan: "a function" });
  return prepared;
}

export function checkPlan(plan: PlannedCall | RejectedCall): PlannedCall | RejectedCall {
  checkShape("its plan", plan, { type: ["call.planned", "call.rejected"] });
  if (plan.type === "call.rejected") return checkRejected("its plan", plan);
  const gated = ["command", "patch", "mcp", "tool"];
  checkShape("its plan", plan, { "gated.type": gated, run: "a function", "refusal?": "text" });
  checkCallItem("its plan", plan.item);
  return plan;
}

export function checkEnd(end: CallEnd): CallEnd {
  checkShape("its run", end, { "fault?": "text" });
  checkCallItem("its run", end.item);
  return end;
}

/** The beginning and the end of a turn, and what else is its own, are not for a tool to tell. */
export function checkEvent(what: string, event: ThreadEvent): ThreadEvent {
  checkShape(what, event, { type: told });
  if (itemEvents.includes(event.type) && !isItem(Reflect.get(event, "item")))
    throw new TypeError(`${what}: the item of ${event.type} is none.`);
  if (event.type === "item.delta") checkShape(what, event, { item_id: "text", delta: "text", kind: deltas });
  if (event.type === "warning") checkShape(what, event, { message: "text" });
  return event;
}

function checkRejected(what: string, rejected: RejectedCall): RejectedCall {
  checkShape(what, rejected, { message: "text" });
  checkCallItem(what, rejected.item);
  return rejected;
}

function checkCallItem(what: string, item: unknown): void {
  const isCall = isItem(item) && calls.includes(String(Reflect.get(Object(item), "type")));
  if (item !== undefined && item !== null && !isCall) throw new TypeError(`${what}: its item is none of a call.`);
}

function isItem(item: unknown): boolean {
  return isThreadItem(item) && isJson(Reflect.get(Object(item), "arguments"));
}

/** A model's own text always is. */
function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
