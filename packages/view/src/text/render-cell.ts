import type { UserInputPart } from "@unroll/protocol";
import { toShownText } from "@unroll/text";
import type { Cell } from "../thread/cell.ts";
import { renderItem, renderItemStart } from "./render-item.ts";
import { renderNotice } from "./render-notice.ts";
import type { RenderOptions } from "./text-style.ts";
import { renderAnswer, renderQuestion } from "./render-question.ts";

/** A whole cell as text, finished or live, without a line break at its end; null: nothing is shown of it. */
export function renderCell(cell: Cell, options: RenderOptions): string | null {
  switch (cell.type) {
    case "item":
      if (cell.item.type !== "command_execution") return renderItem(cell.item, options);
      return `${renderItemStart(cell.item, options)}\n${renderItem(cell.item, options)}`;
    case "input":
      return renderInput(cell.input);
    case "question":
      return `${renderQuestion(cell, options.style)}\n${renderAnswer(cell, options.style)}`;
    case "notice":
      return renderNotice(cell.event, options);
  }
}

/** Your own messages name nobody. */
function nameAuthor({ from }: Extract<UserInputPart, { readonly type: "text" }>): string {
  return from === "agent" ? "(from the agent that started it) " : "";
}

function renderInput(input: readonly UserInputPart[]): string {
  return input
    .map((part) => `> ${part.type === "text" ? `${nameAuthor(part)}${toShownText(part.text)}` : "[image]"}`)
    .join("\n");
}
