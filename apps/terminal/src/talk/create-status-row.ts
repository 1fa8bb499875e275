import { renderStatusLine, type StatusSegment } from "@unroll/cells";
import type { Row } from "@unroll/screen";
import { readElapsed, readStatus } from "./read-status.ts";
import type { Talk } from "./talk.ts";

/** The status line in so many cells. Put together anew only where something of it may have changed: it is asked for with each frame. */
export function createStatusRow(
  talk: Talk,
  branch: string | null,
  segments: readonly StatusSegment[],
): (columns: number) => Row {
  let last: { readonly of: readonly unknown[]; readonly row: Row } | null = null;
  return (columns) => {
    const { conversation, desk, plan } = talk;
    const { transcript, costUsd } = desk.surface;
    const of = [columns, conversation.config, plan.isOn, readElapsed(talk), transcript?.view.usage, costUsd];
    if (last?.of.every((each, at) => each === of[at]) !== true) {
      last = { of, row: renderStatusLine(readStatus(talk, branch), segments, columns).spans };
    }
    return last.row;
  };
}
