import { spawn, spawnSync } from "node:child_process";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { renderCachePage, renderThreadPage } from "@unroll/report";
import { expect, test } from "vitest";
import { createHostileThread } from "./hostile-thread.ts";

/** Installed by `.ci/run` alone; elsewhere the test is skipped, and `tooling/announce-skips.ts` says why. */
const browser = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync("sh", ["-c", 'command -v "$0"', name]).status === 0,
);

interface WatchedServer extends AsyncDisposable {
  readonly url: string;
  /** The paths that a page requested. */
  readonly asked: readonly string[];
}

async function openWatchedServer(): Promise<WatchedServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

interface Shown {
  /** The page's DOM after the browser loaded it. */
  readonly dom: string;
  /** The page's output on its console. */
  readonly console: readonly string[];
}

async function show(page: string, folder: string, name: string): Promise<Shown> {
  const file = join(folder, `${name}.html`);
  await writeFile(file, page);
  const flags = [
    "--headless",
    "--no-sandbox", // root in a container
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
    "--enable-logging=stderr",
    "--virtual-time-budget=2000",
    `--user-data-dir=${join(folder, `${name}-profile`)}`,
    "--dump-dom",
  ];
  const child = spawn(browser ?? "", [...flags, pathToFileURL(file).href], {
    env: { ...process.env, HOME: folder, TMPDIR: folder },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 250_000, // a bound for what hangs, on a busy machine too
    killSignal: "SIGKILL",
  });
  const text = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (piece: string) => void (text[stream] += piece));
  }
  const exitCode = await new Promise((resolve, reject) => void child.on("error", reject).on("close", resolve));
  expect({ exitCode, stderr: exitCode === 0 ? "" : text.stderr }).toEqual({ exitCode: 0, stderr: "" });
  return { dom: text.stdout, console: text.stderr.split("\n").filter((line) => /\bCONSOLE\b/.test(line)) };
}

test.skipIf(browser === undefined)(
  "a browser shows the pages of a hostile thread without an error, and asks nobody for anything",
  async () => {
    await using server = await openWatchedServer();
    await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-browser-test-"));
    const thread = createHostileThread(server.url);
    const careless = `<!doctype html><title>x</title><img src="${server.url}/careless"><script>console.error("told")</script>`;
    const [control, page, cache] = await Promise.all([
      show(careless, folder.path, "careless"),
      show(renderThreadPage(thread), folder.path, "thread"),
      show(renderCachePage("t", thread.account), folder.path, "cache"),
    ]);
    // a page that does what ours must not is caught
    expect(control.console).toMatchObject([expect.stringContaining("told")]);
    expect(server.asked).toEqual(["/careless"]);
    for (const { dom, console } of [page, cache]) {
      expect(console).toEqual([]);
      expect(dom).toMatch(/<\/main>\s*<\/body><\/html>\s*$/); // nothing was closed too early, nor put behind
      expect(dom.match(/<rect/g)).toHaveLength(7);
      expect(dom.match(/<(?:script|iframe|link|svg onload)/g)).toBe(null);
    }
    expect(page.dom).toContain("\\u{202e}gnp.exe");
    expect(page.dom.match(/<img /g)).toHaveLength(1);
  },
);
