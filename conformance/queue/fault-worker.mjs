// A worker of faults.mjs: SIGUSR2 blocks its loop for longer than its lock, SIGHUP sets its clock an hour ahead.
// @boundaries-ignore it belongs to no package
import { createThreadRunner } from "../../packages/batch/src/index.ts";
import { createClock, openHarness } from "../../packages/harness/src/index.ts";
import { nodeHost } from "../../packages/harness/src/node.ts";
import { runWorker } from "../../packages/queue/src/index.ts";
import { openPostgresStore } from "../../packages/store-postgres/src/index.ts";

const { queue, store: url, model, home, lockMs, againMs, concurrency } = JSON.parse(process.argv[2]);
process.on("disconnect", () => process.exit(1)); // the script ended
process.on("uncaughtException", ({ code, message }) => {
  const isAway = ["queue_unreachable", "store_unreachable"].includes(code); // a server that starts again
  if (isAway || !process.connected) process.exit(1);
  process.send({ crash: message }, () => process.exit(1));
});
const now = Date.now;
let aheadMs = 0;
Date.now = () => now() + aheadMs;
process.on("SIGHUP", () => (aheadMs = 3_600_000));
process.on("SIGUSR2", () => {
  const end = performance.now() + lockMs * 1.6;
  while (performance.now() < end);
});

const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home, OPENAI_API_KEY: "any", OPENAI_BASE_URL: model };
const host = nodeHost({ env });
const clock = createClock(host);
const store = await openPostgresStore({ url, clock, holder: "faults", leaseMs: lockMs });
const config = { sandboxMode: "danger-full-access", approvalPolicy: "never", cwd: home, keys: { allow_login_shell: false } };
const harness = await openHarness({ host: { ...host, cwd: home }, store, config });
const runner = createThreadRunner({ harness, store, priceOf: () => null, newId: () => host.newId() });
const drain = new AbortController();
process.on("SIGTERM", () => drain.abort());
for await (const { type } of runWorker({ ...queue, runner, clock, concurrency, lockMs, againMs, drain: drain.signal }))
  if (type === "task.started" && process.connected) process.send({ type }, () => {});
await harness[Symbol.asyncDispose]();
process.exit(0);
