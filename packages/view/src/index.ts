export { toJsonLine } from "./json/json-line.ts";
export { renderBudget } from "./text/render-budget.ts";
export { renderCell } from "./text/render-cell.ts";
export { renderRetry } from "./text/render-retry.ts";
export { renderUsage } from "./text/render-usage.ts";
export { shortenPath } from "./text/shorten-path.ts";
export { chooseTextStyle } from "./text/choose-text-style.ts";
export { createTextPrinter } from "./text/text-printer.ts";
export { ansiStyle, plainStyle } from "./text/text-style.ts";
export { reduceThread } from "./thread/reduce-thread.ts";
export { takeFinished } from "./thread/take-finished.ts";
export { emptyThreadView } from "./thread/thread-view.ts";

export type { ColorMode } from "./text/choose-text-style.ts";
export type { RenderOptions } from "./text/render-options.ts";
export type { TextPrinterOptions } from "./text/text-printer.ts";
export type { Cell, NoticeEvent } from "./thread/cell.ts";
export type { ThreadView } from "./thread/thread-view.ts";
