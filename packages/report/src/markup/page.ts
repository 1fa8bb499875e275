import { html, type Markup } from "./html.ts";

/** Nothing is loaded, run, sent or framed; pictures are those in the page. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** A page that needs nothing but itself: no script, no request, light and dark by the reader's setting. */
export function renderPage(title: string, body: Markup): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <meta name="generator" content="unroll" />
        <title>${title}</title>
        ${style}
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `;
  return page.toString();
}

const style = html`<style>
  :root {
    color-scheme: light dark;
    --paper: #fff;
    --ink: #1c1d21;
    --soft: #62656e;
    --line: #d9dbe1;
    --panel: #f5f6f8;
    --cached: #3f8f6b;
    --uncached: #d2662f;
    --output: #4a6fb5;
    --untold: #9a9ca5;
    --break: #b3261e;
    --added: #e3f3e8;
    --removed: #fbe6e4;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --paper: #16171a;
      --ink: #e4e5e9;
      --soft: #9da0aa;
      --line: #34363d;
      --panel: #1f2125;
      --cached: #5db38b;
      --uncached: #e38b58;
      --output: #7d9ede;
      --untold: #777a84;
      --break: #f2857c;
      --added: #1d3327;
      --removed: #3d2322;
    }
  }
  * {
    box-sizing: border-box;
  }
  body {
    margin: 0;
    background: var(--paper);
    color: var(--ink);
    font:
      15px/1.5 system-ui,
      sans-serif;
  }
  main {
    max-width: 72rem;
    margin: 0 auto;
    padding: 1.5rem 1rem 4rem;
  }
  h1 {
    font-size: 1.4rem;
    overflow-wrap: anywhere;
  }
  h2 {
    font-size: 1.1rem;
    margin: 2.2rem 0 0.6rem;
    border-bottom: 1px solid var(--line);
  }
  pre {
    margin: 0.3rem 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    font:
      13px/1.45 ui-monospace,
      monospace;
  }
  .scroll {
    overflow-x: auto;
  }
  .command {
    font-weight: 600;
  }
  .good {
    color: var(--cached);
  }
  .bad {
    color: var(--break);
  }
  .diff span {
    display: block;
  }
  .code {
    padding: 0.5rem 0.7rem;
    background: var(--panel);
  }
  .markdown li.sign {
    list-style: none;
  }
  .markdown li > p {
    display: inline;
  }
  code {
    padding: 0 0.2rem;
    background: var(--panel);
  }
  table {
    border-collapse: collapse;
    font-size: 13px;
    font-variant-numeric: tabular-nums;
  }
  th,
  td {
    padding: 0.2rem 0.6rem;
    border-bottom: 1px solid var(--line);
    text-align: left;
    vertical-align: top;
    white-space: nowrap;
  }
  th {
    color: var(--soft);
    font-weight: 600;
  }
  .number {
    text-align: right;
  }
  td:last-child {
    white-space: normal;
    min-width: 16rem;
  }
  .plot {
    display: block;
    width: 100%;
    height: auto;
    margin: 0.4rem 0;
  }
  .plot text {
    fill: var(--soft);
    font:
      11px system-ui,
      sans-serif;
  }
  .plot .axis {
    stroke: var(--line);
  }
  .plot .cached {
    fill: var(--cached);
  }
  .plot .uncached {
    fill: var(--uncached);
  }
  .plot .output {
    fill: var(--output);
  }
  .plot .untold {
    fill: var(--untold);
  }
  .plot .break {
    stroke: var(--break);
    stroke-dasharray: 3 3;
  }
  .plot .mark {
    fill: var(--break);
  }
  .plot .cost {
    fill: none;
    stroke: var(--cached);
    stroke-width: 2;
  }
  .plot .full {
    fill: none;
    stroke: var(--uncached);
    stroke-width: 2;
    stroke-dasharray: 5 4;
  }
  .legend {
    color: var(--soft);
    font-size: 13px;
  }
  .key {
    display: inline-block;
    width: 0.8em;
    height: 0.8em;
    margin: 0 0.3em 0 0.9em;
    border-radius: 2px;
  }
  .key.cached {
    background: var(--cached);
  }
  .key.uncached {
    background: var(--uncached);
  }
  .key.output {
    background: var(--output);
  }
  .key.untold {
    background: var(--untold);
  }
  .soft {
    color: var(--soft);
  }
  .break {
    color: var(--break);
  }
  .step {
    margin: 0.7rem 0;
    padding: 0.1rem 0.9rem;
    border-left: 3px solid var(--line);
  }
  .user {
    border-color: var(--output);
    background: var(--panel);
  }
  .assistant {
    border-color: var(--cached);
  }
  .who {
    color: var(--soft);
    font-size: 12px;
  }
  .request {
    color: var(--soft);
    font-size: 12px;
    text-align: right;
    border-top: 1px dotted var(--line);
    margin-top: 0.9rem;
  }
  details {
    margin: 0.3rem 0;
  }
  summary {
    cursor: pointer;
    color: var(--soft);
  }
  .added {
    background: var(--added);
  }
  .removed {
    background: var(--removed);
  }
  img {
    max-width: 100%;
  }
</style>`;
