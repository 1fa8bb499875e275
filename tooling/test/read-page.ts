import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

/** A message of the browser: an answer to our request, or an event. Chrome DevTools Protocol, over a pipe. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"];

/** Opens a page in a Chromium, and gives what `expression` comes to there when the page is loaded: a promise is waited for, however long. */
export async function readPage(browser: string, url: string, expression: string): Promise<unknown> {
  await using profile = await mkdtempDisposable(join(tmpdir(), "unroll-browser-"));
  const own = [`--user-data-dir=${profile.path}`, "--remote-debugging-pipe", "about:blank"];
  const chromium = spawn(browser, [...flags, ...own], {
    env: { ...process.env, HOME: profile.path, TMPDIR: profile.path }, // it leaves folders there
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
  });
  chromium.stderr?.resume();
  // not its exit: its processes write into the profile until they end, and each holds stderr
  const ended = once(chromium, "close");
  try {
    const { call, wait } = connect(chromium.stdio[3] as Writable, chromium.stdio[4] as Readable);
    const { targetId } = await call("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true });
    await call("Page.enable", {}, sessionId);
    const loaded = wait("Page.loadEventFired");
    await call("Page.navigate", { url }, sessionId);
    await loaded;
    const how = { expression, awaitPromise: true, returnByValue: true };
    const { result } = await call("Runtime.evaluate", how, sessionId);
    return (result as { readonly value?: unknown }).value;
  } finally {
    chromium.kill(); // it ends its own processes then
    await ended;
  }
}

function connect(input: Writable, output: Readable) {
  const answers = new Map<number | string, (message: Message) => void>();
  let rest = "";
  let calls = 0;
  output.setEncoding("utf8").on("data", (read: string) => {
    const messages = (rest + read).split("\0");
    rest = messages.pop() ?? "";
    for (const text of messages) {
      const message: Message = JSON.parse(text);
      answers.get(message.id ?? message.method ?? "")?.(message);
    }
  });
  const wait = (what: number | string) => new Promise<Message>((resolve) => answers.set(what, resolve));

  async function call(method: string, params: object, sessionId?: unknown): Promise<Readonly<Record<string, unknown>>> {
    const id = (calls += 1);
    const answer = wait(id);
    input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { result, error } = await answer;
    if (result === undefined) throw new Error(`${method}: ${error?.message}`);
    return result;
  }
  return { call, wait };
}
