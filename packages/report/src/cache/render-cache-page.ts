import type { RequestRow, ThreadAccount, TreeAccount } from "@unroll/accounting";
import { html, type Markup } from "../markup/html.ts";
import { renderPage } from "../markup/page.ts";
import { describeAccount } from "../text/describe-account.ts";
import { plotCost } from "./plot-cost.ts";
import { plotTokens } from "./plot-tokens.ts";
import type { TableColumn } from "../text/render-table.ts";
import { agentColumns, cutAgents, describeTree } from "./render-agents-table.ts";
import { columns } from "./render-cache-table.ts";

/** A page of what a thread's requests and its sub-agents used, what of it was cached, and what it cost. */
export function renderCachePage(threadId: string, account: ThreadAccount, tree: TreeAccount | null = null): string {
  return renderPage(`Cache of thread ${threadId}`, html`${renderAccount(account)}${tree && renderAgents(tree)}`);
}

function renderAgents(tree: TreeAccount): Markup | null {
  if (tree.agents.length === 0) return null;
  const { shown, more } = cutAgents(tree.agents);
  return html`<h2>Sub-agents</h2>
    ${renderTable(shown, agentColumns)}${more === null ? null : html`<p>${more}</p>`}
    ${describeTree(tree).map((line) => html`<p>${line}</p>`)}`;
}

/** Plots and table; part of other pages too. */
export function renderAccount(account: ThreadAccount): Markup {
  const { rows } = account;
  const summary = describeAccount(account).map((line) => html`<p>${line}</p>`);
  if (rows.length === 0) return html`${summary}`;
  return html`${summary}
    <h2>Tokens a request</h2>
    <p class="legend">
      <span class="key cached"></span>cached input<span class="key uncached"></span>uncached input<span
        class="key output"
      ></span
      >output${
        rows.some(({ cachedTokens }) => cachedTokens === null)
          ? html`<span class="key untold"></span>input, cached part not told`
          : null
      }
      &nbsp; <span class="break">┆ not all that could be was cached</span>
    </p>
    ${plotTokens(rows)}
    <h2>Cost</h2>
    ${renderCost(rows)}
    <h2>Requests</h2>
    ${renderTable(rows, columns)}`;
}

function renderCost(rows: readonly RequestRow[]): Markup {
  const plot = plotCost(rows);
  if (plot === null) return html`<p class="soft">The cost is unknown.</p>`;
  return html`<p class="legend">
      <span class="key cached"></span>with the cache<span class="key uncached"></span>without it (list prices, added up)
    </p>
    ${plot}`;
}

interface PageColumn<Row> extends TableColumn<Row> {
  readonly title: string;
}

function renderTable<Row>(rows: readonly Row[], columns: readonly PageColumn<Row>[]): Markup {
  const heads = columns.map(({ title, align }) => html`<th class="${toClass(align)}">${title}</th>`);
  const lines = rows.map(
    (row) =>
      html`<tr>
        ${columns.map(({ value, align }) => html`<td class="${toClass(align)}">${value(row)}</td>`)}
      </tr> `,
  );
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${heads}
        </tr>
      </thead>
      <tbody>
        ${lines}
      </tbody>
    </table>
  </div>`;
}

function toClass(align: "right" | undefined): string {
  return align === "right" ? "number" : "";
}
