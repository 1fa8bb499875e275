// Public programs that read our threads as codex's: the SDK (@openai/codex-sdk) resumes one by resumeThread, and
// ccusage (@ccusage/codex of npm, 18: later ones are native) sums up its usage. Both are installed into a temporary
// folder.
//   node -C @unroll/source conformance/threads/public-readers.mjs      after npm run build; exits with 1 where one reads other things
import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openWorld } from "../front-ends/exec-world.mjs";

const unroll = fileURLToPath(new URL("../../bin/unroll", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "unroll-readers-"));
const world = await openWorld([{ items: [{ text: "One." }] }, { items: [{ text: "Two." }] }]);
try {
  const install = ["install", "--prefix", folder, "--omit=optional", "--no-audit", "--no-fund"];
  execFileSync("npm", [...install, "@openai/codex-sdk", "@ccusage/codex@18"], { stdio: "ignore" });
  const sdk = join(folder, "node_modules/@openai/codex-sdk/dist/index.js");
  const { Codex } = await import(pathToFileURL(sdk).href);
  const codex = new Codex({ codexPathOverride: unroll, env: world.env, apiKey: "none" });
  const options = { workingDirectory: world.work, sandboxMode: "danger-full-access" };
  const thread = codex.startThread(options);
  await thread.run("First.");
  const resumed = codex.resumeThread(thread.id, options);
  const { finalResponse } = await resumed.run("Second.");
  assert.deepEqual([finalResponse, resumed.id], ["Two.", thread.id]);
  const [first, second] = world.model.requests.map(({ input }) => JSON.stringify(input));
  assert.ok(second.startsWith(first.slice(0, -1)), "the resumed thread repeats the bytes of the one before");
  const require = createRequire(join(folder, "node_modules/@ccusage/codex/package.json"));
  const { bin } = require("./package.json");
  const ccusage = join(folder, "node_modules/@ccusage/codex", Object.values(bin)[0]);
  const told = execFileSync(process.execPath, [ccusage, "daily", "--offline", "--json"], { env: world.env, encoding: "utf8" });
  const { inputTokens, cachedInputTokens, outputTokens } = JSON.parse(told).totals;
  assert.deepEqual({ inputTokens, cachedInputTokens, outputTokens }, { inputTokens: 200, cachedInputTokens: 80, outputTokens: 20 });
  process.stdout.write("The SDK goes on with our thread, and ccusage adds up what it used.\n");
} finally {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
}
