import type { RequestRow } from "@unroll/accounting";
import type { ThreadItem } from "@unroll/protocol";
import { type DiffLine, parseDiff, toPlainText } from "@unroll/text";
import { renderAccount } from "../cache/render-cache-page.ts";
import { html, type Markup } from "../markup/html.ts";
import { renderPage } from "../markup/page.ts";
import { describeAccount } from "../text/describe-account.ts";
import { describeCall, type ShownCall } from "./describe-item.ts";
import { describeRequest } from "./describe-request.ts";
import { renderMarkdown } from "./render-markdown.ts";
import {
  type AgentDocument,
  agentAuthor,
  type DocumentStep,
  listToolNames,
  type ThreadDocument,
} from "./thread-document.ts";

/** Outputs and patches longer than this many lines are folded. */
const shownLines = 12;

/** A whole thread as one page. */
export function renderThreadPage(document: ThreadDocument): string {
  const { threadId, model, provider, head, opening, steps, account, agents } = document;
  const tools = listToolNames(head);
  const told = html`<pre>${head?.instructions ?? ""}</pre>
    ${tools === "" ? null : html`<p class="soft">tools: ${tools}</p>`}${opening.map(
      ({ role, text }) =>
        html`<p class="who">${role}</p>
          <pre>${text}</pre>`,
    )}`;
  return renderPage(
    `Thread ${threadId}`,
    html`<p class="soft">${model} of ${provider}</p>
      ${renderFolded("first messages to the model", told)} ${steps.map(renderStep)}
      ${agents.length === 0 ? null : html`<h2>Sub-agents</h2>`} ${agents.map(renderAgent)}
      <h2>What it used</h2>
      ${renderAccount(account)}`,
  );
}

function renderAgent({ threadId, name, steps, account, missing }: AgentDocument): Markup {
  const used = describeAccount(account).map((line) => html`<p class="soft">${line}</p>`);
  const body = html`${steps.map((step) =>
    step.type === "turn" ? html`<h3>Turn ${step.turn}</h3> ` : renderStep(step),
  )}${missing === null ? null : html`<p class="break">${missing}</p> `}${used}`;
  return renderFolded(`${name} (thread ${threadId})`, body);
}

function renderFolded(summary: string, body: Markup): Markup {
  return html`<details>
    <summary>${summary}</summary>
    ${body}
  </details>`;
}

function renderStep(step: DocumentStep): Markup {
  switch (step.type) {
    case "turn":
      return html`<h2 id="turn-${step.turn}">Turn ${step.turn}</h2> `;
    case "input":
      return html`<section class="step user">
        <p class="who">${step.from === "agent" ? agentAuthor : "you"}</p>
        ${renderLong(step.text, { lines: 60 })}${renderImages(step.images)}
      </section> `;
    case "item":
      return renderItem(step.item, step.images);
    case "request":
      return renderRequest(step.row);
    case "note":
      return html`<p class="break">${step.text}</p> `;
  }
}

function renderItem(item: ThreadItem, images: readonly string[]): Markup {
  switch (item.type) {
    case "agent_message":
      return html`<section class="step assistant">${renderMarkdown(item.text)}</section> `;
    case "reasoning":
      return html`<section class="step">${renderFolded("reasoning", renderMarkdown(item.text))}</section> `;
    case "web_search":
      return html`<section class="step">
        <p class="who">web search</p>
        <pre>${item.query}</pre>
      </section> `;
    case "todo_list":
      return html`<section class="step">
        <p class="who">plan</p>
        <ul class="plan">
          ${item.items.map(({ text, completed }) => html`<li>${completed ? "☑" : "☐"} ${text}</li>`)}
        </ul>
      </section> `;
    case "error":
      return html`<p class="break">${item.message}</p> `;
    case "command_execution":
    case "file_change":
    case "mcp_tool_call":
    case "image_view":
    case "tool_call":
      return renderCall(describeCall(item), images);
  }
}

const classes = { "✓": "good", "✗": "bad", "?": "soft" };

function renderCall({ name, form, asked, answered, end, mark }: ShownCall, images: readonly string[]): Markup {
  const question =
    form === "diff"
      ? renderDiff(asked)
      : form === "command"
        ? html`<pre class="command">$ ${asked}</pre>`
        : renderLong(asked);
  const answer = answered === null || answered === "" ? null : renderLong(toPlainText(answered));
  return html`<section class="step">
    ${form === "command" ? null : html`<p class="who">${name}</p>`}${question}${answer}${renderImages(images)}
    <p class="${classes[mark]}">${mark} ${end}</p>
  </section> `;
}

function renderLong(text: string, { lines = shownLines }: { readonly lines?: number } = {}): Markup {
  const all = text.trimEnd().split("\n");
  const whole = html`<pre>${all.join("\n")}</pre>`;
  return all.length <= lines ? whole : renderFolded(`${all[0] ?? ""} … ${all.length} lines`, whole);
}

function renderImages(images: readonly string[]): readonly Markup[] {
  return images.map((url) => html`<p><img src="${url}" alt="a picture of the thread" /></p>`);
}

function renderRequest(row: RequestRow): Markup {
  return html`<p class="request">${describeRequest(row)}</p> `;
}

/** A unified diff, file by file; as it is where it cannot be read. */
function renderDiff(diff: string): Markup {
  const files = parseDiff(diff);
  if (files === null) return html`<pre>${diff}</pre>`;
  return html`${files.map(({ from, to, lines, added, removed }) => {
    const name = from === null || to === null || from === to ? (to ?? from ?? "") : `${from} → ${to}`;
    return html`<details open>
      <summary>${name} <span class="soft">+${added} −${removed}</span></summary>
      <pre class="diff">${lines.map(renderLine)}</pre>
    </details>`;
  })}`;
}

const marks = { same: " ", added: "+", removed: "-" } as const;

function renderLine(line: DiffLine): Markup {
  switch (line.type) {
    case "same":
    case "added":
    case "removed":
      return html`<span class="${line.type}">${marks[line.type]}${line.text}${"\n"}</span>`;
    case "gap":
      return html`<span class="soft">⋮${"\n"}</span>`;
    case "note":
      return html`<span class="soft">${line.text}${"\n"}</span>`;
  }
}
