export { listCacheFacts } from "./cache/list-cache-facts.ts";
export { renderCachePage } from "./cache/render-cache-page.ts";
export { renderAgentsTable } from "./cache/render-agents-table.ts";
export { renderCacheTable } from "./cache/render-cache-table.ts";
export { compareRuns } from "./evaluation/compare-runs.ts";
export { renderComparison } from "./evaluation/render-comparison.ts";
export { describeFork } from "./words/describe-fork.ts";
export {
  describeAccountLogin,
  describeLoginCode,
  describeLoginPage,
  describeLogout,
  explainLoginFault,
} from "./words/describe-login.ts";
export { describeReviewTarget, renderReview } from "./words/render-review.ts";
export { describeWrittenKey } from "./words/describe-written-key.ts";
export { explainNoList } from "./words/explain-no-list.ts";
export { explainUnwritten } from "./words/explain-unwritten.ts";
export { renderAge } from "./words/render-age.ts";
export { explainMissingServer, renderMcpServer } from "./words/render-mcp-server.ts";
export { renderPreview } from "./words/render-preview.ts";
export { renderItem } from "./words/render-sent-item.ts";
export { describeAccount } from "./text/describe-account.ts";
export { describeMoved } from "./text/describe-moved.ts";
export { formatCost, formatSize } from "./text/format.ts";
export { renderTable } from "./text/render-table.ts";
export { renderThreadMarkdown } from "./thread/render-thread-markdown.ts";
export { renderThreadPage } from "./thread/render-thread-page.ts";
export { createThreadDocument } from "./thread/thread-document.ts";
export { createThreadTrajectory } from "./thread/thread-trajectory.ts";

export type { ComparedMeasure, ComparedTask, RunComparison } from "./evaluation/compare-runs.ts";
export type { WrittenKey } from "./words/describe-written-key.ts";
export type { MissingModelList } from "./words/explain-no-list.ts";
export type { UnwrittenFile } from "./words/explain-unwritten.ts";
export type { LoginFault } from "./words/describe-login.ts";
export type { MeasuredServer, MissingServer } from "./words/render-mcp-server.ts";
export type { Review, ReviewTarget } from "./words/review.ts";
export type { RenderedTable, TableColumn, TableOptions } from "./text/render-table.ts";
export type { DocumentStep, ThreadDocument } from "./thread/thread-document.ts";
export type { ThreadTrajectory, TrajectoryStep } from "./thread/thread-trajectory.ts";
