import type { QuestionAnsweredEvent, QuestionAskedEvent } from "@unroll/protocol";
import type { Cell } from "./cell.ts";

export function openQuestion(cells: readonly Cell[], event: QuestionAskedEvent, key: string): readonly Cell[] {
  const { question, item_id: itemId, reason } = event;
  return [...cells, { type: "question", key, isFinished: false, question, itemId, reason, state: { type: "open" } }];
}

/** Of several that look the same, the oldest is answered first. */
export function answerQuestion(cells: readonly Cell[], event: QuestionAnsweredEvent): readonly Cell[] {
  const at = cells.findIndex(
    (cell) =>
      cell.type === "question" &&
      cell.state.type === "open" &&
      cell.question === event.question &&
      cell.itemId === event.item_id,
  );
  const cell = cells[at];
  if (cell?.type !== "question") return cells;
  return cells.with(at, { ...cell, isFinished: true, state: { type: "answered", answer: event.answer } });
}

export function withdrawQuestions(cells: readonly Cell[]): readonly Cell[] {
  return cells.map((cell) =>
    cell.type === "question" && !cell.isFinished ? { ...cell, isFinished: true, state: { type: "withdrawn" } } : cell,
  );
}
