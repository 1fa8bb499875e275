import type { WireItem } from "@unroll/app-server-protocol";
import { listCommandActions } from "@unroll/exec-policy";

type WireActions = Extract<WireItem, { readonly type: "commandExecution" }>["commandActions"];

/** The files that a command reads, lists or searches, for clients to show instead of it. */
export function toWireActions(command: string, cwd: string): WireActions {
  return listCommandActions(command, cwd).map((action) =>
    action.type === "list_files" ? { ...action, type: "listFiles" } : action,
  );
}
