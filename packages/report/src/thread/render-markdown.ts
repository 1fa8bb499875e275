import { type Inline, type MarkdownBlock, readMarkdown, type TableCell } from "@unroll/cells/markdown";
import { html, type Markup } from "../markup/html.ts";

/**
 * A model's Markdown as HTML that does nothing: every text of it goes through the template, links show where they lead and
 * lead nowhere, HTML and images in it stay text.
 */
export function renderMarkdown(text: string): Markup {
  return html`<div class="markdown">${readMarkdown(text).map(renderBlock)}</div>`;
}

function renderBlock(block: MarkdownBlock): Markup {
  switch (block.type) {
    case "heading":
      return block.depth < 3
        ? html`<h3>${renderInlines(block.content)}</h3>`
        : html`<h4>${renderInlines(block.content)}</h4>`;
    case "paragraph":
      return html`<p>${renderInlines(block.content)}</p>`;
    case "code":
      return html`<pre class="code">${block.lines.join("\n")}</pre>`;
    case "quote":
      return html`<blockquote>${block.blocks.map(renderBlock)}</blockquote>`;
    case "list":
      return html`<ul>
        ${block.items.map(({ marker, task, blocks }) => {
          const sign = task === null ? (/\d/.test(marker) ? `${marker} ` : "") : task === "done" ? "☑ " : "☐ ";
          return html`<li class="${sign === "" ? "dot" : "sign"}">${sign}${blocks.map(renderBlock)}</li>`;
        })}
      </ul>`;
    case "table":
      return html`<div class="scroll">
        <table>
          <thead>
            <tr>
              ${block.header.map((cell) => html`<th class="${cell.align}">${renderInlines(cell.content)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${block.rows.map(
              (row) =>
                html`<tr>
                  ${row.map(renderTableCell)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
    case "rule":
      return html`<hr />`;
    case "literal":
      return html`<pre>${block.text}</pre>`;
  }
}

function renderTableCell({ align, content }: TableCell): Markup {
  return html`<td class="${align}">${renderInlines(content)}</td>`;
}

function renderInlines(inlines: readonly Inline[]): readonly Markup[] {
  return inlines.map(renderInline);
}

function renderInline(inline: Inline): Markup {
  switch (inline.type) {
    case "text":
      return html`${inline.text}`;
    case "code":
      return html`<code>${inline.text}</code>`;
    case "strong":
      return html`<strong>${renderInlines(inline.content)}</strong>`;
    case "emphasis":
      return html`<em>${renderInlines(inline.content)}</em>`;
    case "struck":
      return html`<s>${renderInlines(inline.content)}</s>`;
    case "link":
      return html`<span class="link">${renderInlines(inline.content)}</span
        >${inline.shown === null ? null : ` (${inline.shown})`}`;
    case "break":
      return html`<br />`;
  }
}
