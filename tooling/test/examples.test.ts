import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { hasSandbox } from "../../packages/sandbox/test/fixture/probed-sandbox.ts";
import { readPage } from "./read-page.ts";

const root = join(import.meta.dirname, "../..");
const examples = globSync("examples/*/main.ts", { cwd: root });
const browser = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync("sh", ["-c", 'command -v "$0"', name]).status === 0,
);

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Runs it in this process: it says what it does on the console. */
async function play(name: string): Promise<string> {
  vi.stubEnv("THREADS", "20"); // 200 by itself: 3 s of a core
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await import(`../../examples/${name}/main.ts`);
  return log.mock.calls.map((words) => words.join(" ")).join("\n");
}

const sketches = globSync("packages/harness/test/sketches/*.ts", { cwd: root });

test.each([...examples, ...sketches])("%s has at most 60 lines", (file) => {
  expect(readFileSync(join(root, file), "utf8").trimEnd().split("\n").length).toBeLessThanOrEqual(60);
});

test.each([
  ["core-agent", "It is noon."],
  ["batch", "20 of 20 tasks ran\n0 of 20 tasks ran"],
  ["many-threads", "20 of 20 threads are done"],
  ["openai-client", "Hello by your client. 1"],
  ["own-tool", "The tool deploy asks before it runs.\nIt is deployed."],
  ["sse-client", "again in a moment: scripted_error\nHello from the second try."],
  ["sub-agents", "The other agent found two files.\nfiles (counter): completed\na.ts: 0 defects\nb.ts: 2 defects"],
])("the example %s does what it shows", async (name, said) => {
  expect(await play(name)).toBe(said);
});

test("the example patch-in-memory does what it shows", async () => {
  const said = await play("patch-in-memory");
  expect(said).toMatch(/^Success\..*\nM hello\.py\n?/s);
  expect(said).toContain("seems to be applied already");
  expect(said).toContain('print("hello")');
});

test.skipIf(!hasSandbox)("the example sandbox-alone does what it shows", async () => {
  expect(await play("sandbox-alone")).toMatch(/^exit 0: data\nexit [12]: .*there\.txt/s);
});

test("the example web-server streams the events of a turn", async () => {
  const { openWebServer } = await import("../../examples/web-server/main.ts");
  await using server = await openWebServer(0);
  expect(await (await fetch(server.url)).text()).toContain("<form>");
  const answer = await fetch(`${server.url}run`, { method: "POST", body: "Hi" });
  const events = (await answer.text()).split("\n\n").map((message) => message.slice("data: ".length));
  expect(events.some((event) => event.includes('"text":"Hello, page."'))).toBe(true);
});

test.runIf(browser !== undefined)("its page shows them as they come, in a browser", async () => {
  const { openWebServer } = await import("../../examples/web-server/main.ts");
  await using server = await openWebServer(0);
  const whenEnded = `new Promise((resolve) => {
    const out = document.querySelector("pre");
    const look = () => out.dataset.end && resolve(out.outerHTML);
    new MutationObserver(look).observe(out, { attributes: true });
    look();
  })`;
  const shown = await readPage(browser ?? "", `${server.url}#Hi`, whenEnded);
  expect(shown).toBe('<pre data-end="turn.completed">Hello, page.</pre>');
});
