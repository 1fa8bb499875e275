import { accountThread } from "@unroll/accounting";
import type { JournalEntry } from "@unroll/protocol";
import {
  createThreadDocument,
  listCacheFacts,
  renderCachePage,
  renderCacheTable,
  renderThreadMarkdown,
  renderThreadPage,
} from "@unroll/report";
import { expect, test } from "vitest";
import { createHostileThread, priceOf, request } from "./hostile-thread.ts";

/** Tags of a page or a picture in it that cannot run, load or send anything. */
const harmlessTags = new Set(
  (
    "!doctype html head meta title style body main h1 h2 h3 h4 p pre section details summary span div img " +
    "ul li blockquote hr br code strong em s " +
    "table thead tbody tr th td svg g rect line circle polyline text"
  ).split(" "),
);

const document = createHostileThread("http://127.0.0.1:1");

test.each([
  ["of a thread", renderThreadPage(document)],
  ["of a cache", renderCachePage(document.threadId, document.account)],
])("a page %s holds nothing that runs, loads or sends, whatever the thread says", (_what, page) => {
  const tags = [...page.matchAll(/<\/?([!a-z][\w-]*)([^<>]*)>/gi)];
  expect(tags.map(([, name = ""]) => name.toLowerCase()).filter((name) => !harmlessTags.has(name))).toEqual([]);
  expect(page.split("<").length - 1).toBe(tags.length); // there is no other
  const attributes = tags.flatMap(([, , rest = ""]) => [...rest.matchAll(/([\w-]+)="([^"]*)"/g)]);
  expect(attributes.filter(([, name = ""]) => /^on|^href$|^style$/.test(name))).toEqual([]);
  expect(attributes.filter(([, name, value = ""]) => name === "src" && !value.startsWith("data:image/png;"))).toEqual(
    [],
  );
  expect(page.split("</style>")).toHaveLength(2);
  expect(page).toContain(`content="default-src &#39;none&#39;;`);
});

test("what nobody sees in a text is written out, in pages and in Markdown", () => {
  for (const page of [renderThreadPage(document), renderThreadMarkdown(document)]) {
    expect(page).toContain("\\u{202e}gnp.exe\\u{2066}");
    expect(page).not.toMatch(/[\p{Cf}\p{Cs}]|[^\P{Cc}\n\t]/u);
    expect(page).not.toContain("never shown");
  }
});

test("in Markdown every text is in a fence that it cannot end", () => {
  const outside: string[] = [];
  let mark: string | null = null;
  for (const line of renderThreadMarkdown(document).split("\n")) {
    const [, fence = ""] = /^(`{3,})\w*$/.exec(line) ?? [];
    if (mark === null && fence !== "") mark = fence;
    else if (line === mark) mark = null;
    else if (mark === null) outside.push(line);
  }
  expect(mark).toBe(null);
  expect(outside.filter((line) => /[<>]|!\[|^# Turn/.test(line))).toEqual([]);
  expect(outside.filter((line) => line.startsWith("## "))).toEqual([
    "## First messages to the model",
    "## Turn 1",
    ...[1, 2].map((): unknown => expect.stringMatching(/^## Sub-agent /)),
    "## Usage",
  ]);
});

test("the page shows a thread with its calls, their outputs, patches and the additions of each request", () => {
  const say = (role: "user" | "assistant", text: string): Parameters<typeof createThreadDocument>[0][number] => {
    const value = { type: "message", role, content: [{ type: "output_text", text }] } as const;
    return { type: "item", item: { item: value, bytes: new TextEncoder().encode(JSON.stringify(value)) } };
  };
  const bytes = new Uint8Array();
  const call = { type: "function_call", call_id: "a", name: "shell", arguments: '{"command":["ls","-l"]}' } as const;
  const output = { type: "function_call_output", call_id: "a", output: "\u001b[1ma.txt\u001b[0m\r\n" } as const;
  const ran = {
    id: "item_0",
    type: "command_execution",
    command: "ls -l",
    aggregated_output: "\u001b[1ma.txt\u001b[0m\r\n",
    exit_code: 2,
    status: "failed",
    reason: "No *ls* here.",
    duration_ms: 1234,
  } as const;
  const shown = createThreadDocument(
    [
      { type: "turn.started", turnId: "1" },
      say("user", "List"),
      request(),
      { type: "item", item: { item: call, bytes } },
      { type: "item", item: { item: output, bytes } },
      { type: "item.ended", item: ran },
      say("assistant", "**One** file."),
      { type: "item.ended", item: { id: "item_1", type: "agent_message", text: "**One** file." } },
    ],
    priceOf,
  );
  expect(renderThreadMarkdown(shown).split("## Turn 1\n\n")[1]).toBe(
    [
      "**user**",
      "```\nList\n```",
      "*request 1: 1,000 bytes new, 5,000 tokens in, 0 of them cached, 200 out, $0.0070*",
      "**command**",
      "```\n$ ls -l\n```",
      "```\na.txt\n```",
      "*exit 2 · 1.2 s: No &#42;ls&#42; here.*",
      "**assistant**",
      "```\n**One** file.\n```",
      "## Usage",
      "1 request in 1 turn: 5,000 tokens in, 0 of them cached (0 %), 200 out",
      "cost: $0.0070, without the cache $0.0070 (list prices)\n",
    ].join("\n\n"),
  );
  expect(renderThreadPage(shown)).toContain("<pre>a.txt</pre>");
  expect(renderThreadPage(shown)).toContain('<p class="bad">✗ exit 2 · 1.2 s: No *ls* here.</p>');
  expect(renderThreadPage(shown)).toContain("<p><strong>One</strong> file.</p>");
});

test("a page and Markdown have the threads of sub-agents, and say what is left out of a long one", () => {
  const work = (texts: readonly string[]): readonly JournalEntry[] => [
    { type: "turn.started", turnId: "1" },
    ...texts.map((text, at) => {
      return { type: "item.ended", item: { id: `item_${at}`, type: "agent_message", text } } as const;
    }),
  ];
  const long = Array.from({ length: 30 }, (_, at) => `Step ${at}: ${"x".repeat(100_000)}`);
  const shown = createThreadDocument([], priceOf, [
    { threadId: "a", name: "look", entries: work(["Found it."]) },
    { threadId: "b", name: "look / dig", entries: work(long) },
    { threadId: "c", name: "gone", entries: null },
  ]);
  const left = "11 later steps left out. The whole thread: unroll threads export b";
  expect(shown.agents.map(({ name, steps, missing }) => [name, steps.length, missing])).toEqual([
    ["look", 2, null],
    ["look / dig", 20, left],
    ["gone", 0, "This thread cannot be read here."],
  ]);
  const page = renderThreadPage(shown);
  expect(page.match(/<summary>(?:look|gone).*<\/summary>/g)).toEqual([
    "<summary>look (thread a)</summary>",
    "<summary>look / dig (thread b)</summary>",
    "<summary>gone (thread c)</summary>",
  ]);
  const text = renderThreadMarkdown(shown);
  expect(text.match(/^##+ (?:Sub|Turn).*$/gm)).toEqual([
    "## Sub-agent look (thread a)",
    "### Turn 1",
    "## Sub-agent look / dig (thread b)",
    "### Turn 1",
    "## Sub-agent gone (thread c)",
  ]);
  for (const each of [page, text]) for (const part of ["Found it.", "Step 18", left]) expect(each).toContain(part);
  for (const each of [page, text]) expect(each).not.toContain("Step 19");
});

test("a page and Markdown tell which hosts commands reached, how much they moved, and which were denied", () => {
  const of = { item_id: "item_0", command: "npm install", port: 443 } as const;
  const reason = "evil.example:443 is not among the hosts that commands may reach.";
  const moved = { connections: 2, sent_bytes: 1_200, received_bytes: 30_000 };
  const events = [
    { type: "host.allowed", ...of, host: "packages.example", rule: "packages.example" },
    { type: "host.denied", ...of, host: "evil.example", rule: null, reason },
    { type: "host.closed", ...of, host: "packages.example", ...moved },
  ] as const;
  const entries = events.map((event) => ({ type: "told", event }) as const);
  const shown = createThreadDocument([{ type: "turn.started", turnId: "1" }, ...entries], priceOf);
  const lines = [
    `Host denied: ${reason}`,
    "Host reached: packages.example:443, 2 connections, 1,200 bytes sent, 30,000 received.",
  ];
  expect(renderThreadMarkdown(shown).split("## Turn 1\n\n")[1]?.split("\n\n## Usage")[0]).toBe(
    lines.map((line) => `*${line}*`).join("\n\n"),
  );
  for (const line of lines) expect(renderThreadPage(shown)).toContain(`>${line}<`);
});

test("a table tells each request, its cost with and without the cache, and why it missed the cache", () => {
  const miss = { type: "expired", cause: "the request before was 12 min ago" } as const;
  const entries = [request({ shared_tokens: 0 }), request({ cached_tokens: 4000 }), request({ miss })];
  expect(renderCacheTable(accountThread(entries, priceOf), null)).toEqual([
    "request  turn  time (UTC)           input  shared  cached  uncached  written  output     cost  without cache  why it missed the cache",
    "      1     0  2026-11-18 11:06:40  5,000       0       0     5,000        0     200  $0.0070        $0.0070",
    "      2     0  2026-11-18 11:06:40  5,000   4,000   4,000     1,000        0     200  $0.0034        $0.0070",
    "      3     0  2026-11-18 11:06:40  5,000   4,000       0     5,000        0     200  $0.0070        $0.0070  the request before was 12 min ago",
    "",
    "3 requests in 0 turns: 15,000 tokens in, 4,000 of them cached (27 %), 600 out",
    "cost: $0.0174, without the cache $0.0210 (list prices)",
  ]);
});

test("what is not known is said to be unknown, and never 0", () => {
  const account = accountThread([request({ cached_tokens: null, cache_write_tokens: null })], () => null);
  const [, row = "", , , cost] = renderCacheTable(account, null);
  expect(row.trim().split(/ {2,}/)).toEqual([
    "1",
    "0",
    "2026-11-18 11:06:40",
    "5,000",
    "4,000",
    "?",
    "?",
    "?",
    "200",
    "?",
    "?",
  ]);
  expect(cost).toBe("cost: unknown (no public price for this model, or no counts from the server)");
  expect(listCacheFacts("t", account)).toMatchObject([
    { type: "request", cached_tokens: null, cache_write_tokens: null, cost_usd: null },
    { type: "thread", thread_id: "t", cost_usd: null, unpriced_requests: 1 },
  ]);
  const page = renderCachePage("t", account);
  expect(page).toContain("The cost is unknown.");
  expect(page).toContain('class="untold"');
});

test("a thread whose requests were not written down says so", () => {
  const account = accountThread([{ type: "turn.started", turnId: "1" }], priceOf);
  expect(renderCacheTable(account, null)[0]).toBe(
    "no answered requests on record in 1 turn: 0 tokens in, 0 of them cached, 0 out",
  );
  expect(renderCachePage("t", account)).not.toContain("<svg");
});

test("a thread that was rewound counts its removed turns, and names them", () => {
  const entries = [
    { type: "turn.started", turnId: "1" },
    { type: "turn.started", turnId: "2" },
    { type: "thread.rewound", turnId: "2" },
    { type: "epoch", cause: "rewound", isFinal: true, items: [] },
  ] as const;
  expect(renderCacheTable(accountThread(entries, priceOf), null)[0]).toContain("in 2 turns, 1 of them rewound: ");
});

test("a page of thousands of requests stays a small one", () => {
  const account = accountThread(
    Array.from({ length: 5000 }, () => request({ cached_tokens: 4000 })),
    priceOf,
  );
  expect(renderCachePage("t", account).length).toBeLessThan(5_000_000);
});

test("the pictures of a thread with one request speak of one request", () => {
  const page = renderCachePage("t", accountThread([request({ cached_tokens: 4000 })], priceOf));
  expect(page).toContain("Tokens of 1 request:");
  expect(page).toContain("Cost of 1 request added up");
});
