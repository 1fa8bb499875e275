import type { RequestRow } from "@unroll/accounting";
import { toPlainText } from "@unroll/text";
import { renderAccount } from "../cache/render-cache-page.ts";
import { html, type Markup } from "../markup/html.ts";
import { renderPage } from "../markup/page.ts";
import { describeCallEnd } from "./describe-call.ts";
import { describeRequest } from "./describe-request.ts";
import { type DocumentStep, listToolNames, type ThreadDocument } from "./thread-document.ts";

/** Outputs and patches longer than this many lines are folded. */
const shownLines = 12;

/** A whole thread as one page. */
export function renderThreadPage(document: ThreadDocument): string {
  const { threadId, model, provider, head, opening, steps, account } = document;
  const tools = listToolNames(head);
  const told = html`<pre>${head?.instructions ?? ""}</pre>
    ${tools === "" ? null : html`<p class="soft">tools: ${tools}</p>`}${opening.map(renderStep)}`;
  return renderPage(
    `Thread ${threadId}`,
    html`<p class="soft">${model} of ${provider}</p>
      ${renderFolded("what the model was told first", told)} ${steps.map(renderStep)}
      <h2>What it used</h2>
      ${renderAccount(account)}`,
  );
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
    case "message":
      return html`<section class="step ${toClass(step.role)}">
        <p class="who">${step.role}</p>
        ${renderLong(step.text, { lines: 60 })}${renderImages(step.images)}
      </section> `;
    case "reasoning":
      return html`<section class="step">
        <p class="who">reasoning</p>
        ${renderLong(step.text)}
      </section> `;
    case "call":
      return renderCall(step);
    case "search":
      return html`<section class="step">
        <p class="who">web search</p>
        <pre>${step.query}</pre>
      </section> `;
    case "other":
      return html`<p class="step soft">[an item of type ${step.itemType}]</p> `;
    case "request":
      return renderRequest(step.row);
    case "epoch":
      return html`<p class="break">The transcript begins anew with ${step.items} items: ${step.cause}.</p> `;
    case "undone":
      return html`<p class="break">That was undone: what was before is sent again.</p> `;
    case "ended":
      return html`<p class="break">${step.how}</p> `;
  }
}

function toClass(role: string): string {
  return role === "user" || role === "assistant" ? role : "";
}

function renderCall(call: Extract<DocumentStep, { readonly type: "call" }>): Markup {
  const { tool, form, text, output, images } = call;
  const end = describeCallEnd(call.ended);
  const asked = form === "patch" ? renderPatch(text) : html`<pre>${form === "command" ? `$ ${text}` : text}</pre>`;
  const answered = output === null ? html`<p class="soft">It has no output.</p>` : renderLong(toPlainText(output));
  return html`<section class="step">
    <p class="who">${tool}</p>
    ${asked}${answered}${renderImages(images)}${end === null ? null : html`<p class="soft">${end}</p>`}
  </section> `;
}

function renderPatch(text: string): Markup {
  const lines = text.split(/\r?\n/).map((line) => html`<span class="${toSide(line)}">${`${line}\n`}</span>`);
  return html`<pre>${lines}</pre>`;
}

function toSide(line: string): string {
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "";
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
