import type { WireItem } from "@unroll/app-server-protocol";
import type { FileChange } from "@unroll/protocol";
import { type FileUpdate, listFileUpdates } from "@unroll/text";

type WireUpdate = Extract<WireItem, { readonly type: "fileChange" }>["changes"][number];

/** The files of a patch, as the protocol has them: a moved file says where to behind its diff. */
export function toFileUpdates(changes: readonly FileChange[], diff: string): WireUpdate[] {
  return listFileUpdates(changes, diff).map(toUpdate);
}

function toUpdate({ kind, path, movedTo, text }: FileUpdate): WireUpdate {
  if (kind !== "update") return { path, kind: { type: kind }, diff: text };
  const moved = movedTo === null ? "" : `\n\nMoved to: ${movedTo}`;
  return { path, kind: { type: "update", move_path: movedTo }, diff: text + moved };
}
