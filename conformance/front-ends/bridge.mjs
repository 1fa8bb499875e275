// The bridge of @zakstam/codex-local-component: it starts an app-server and checks each message by schemas of an earlier protocol.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { scripts } from "./world.mjs";

const name = "@zakstam/codex-local-component";
const turns = [scripts.outside("touch made"), scripts.text("Done.")];

/** Runs one turn whose command is answered, and then `requests`: by the name of a request in the client, its parameters but the thread. */
async function drive({ place, world }, decision, requests = {}) {
  const own = (file) => import(pathToFileURL(place(name, "dist", file)).href);
  const { CodexLocalBridge } = await own("local-adapter/bridge.js");
  const client = await own("app-server/client.js");
  const faults = [];
  const waiting = new Map();
  const take = (message) => {
    if (message.method === "item/commandExecution/requestApproval") bridge.send(client.buildCommandExecutionApprovalResponse(message.id, decision));
    const key = message.method ?? message.id;
    waiting.get(key)?.(message);
    waiting.delete(key);
  };
  const bridge = new CodexLocalBridge(
    { codexBin: world.codex, cwd: world.work },
    { onEvent: ({ payloadJson }) => take(JSON.parse(payloadJson)), onGlobalMessage: take, onProtocolError: ({ error, line }) => void faults.push(`${error.message}: ${line}`) },
  );
  let last = 0;
  const ask = async (request, ...args) => {
    const id = (last += 1);
    const answered = new Promise((resolve) => waiting.set(id, resolve));
    bridge.send(client[`build${request}Request`](id, ...args));
    const { error, result } = await answered;
    if (error !== undefined) throw new Error(`${request}: ${error.message}`);
    return result;
  };
  Object.assign(process.env, world.env); // the bridge passes its own environment on
  bridge.start();
  try {
    await ask("Initialize", { name: "conformance", title: null, version: "1" });
    bridge.send(client.buildInitializedNotification());
    const { thread } = await ask("ThreadStart", { cwd: world.work, approvalPolicy: "on-request", sandbox: "workspace-write" });
    const ended = new Promise((resolve) => waiting.set("turn/completed", resolve));
    await ask("TurnStartText", { threadId: thread.id, text: "Go" });
    await ended;
    for (const [request, params] of Object.entries(requests)) await ask(request, { threadId: thread.id, ...params });
  } finally {
    bridge.stop();
  }
  return faults[0] ?? null;
}

const toDecision = (decision, wanted) => ({
  turns,
  run: async (context) => {
    const fault = await drive(context, decision);
    return fault ?? (existsSync(join(context.world.work, "made")) === wanted ? null : `the command ${wanted ? "did not run" : "ran"}`);
  },
});

export const bridgeClient = {
  name,
  frontEnd: "app-server",
  cases: {
    "approval yes": toDecision("accept", true),
    "approval no": toDecision("decline", false),
    "read, list, fork and archive": {
      turns,
      run: (context) => drive(context, "accept", { ThreadRead: { includeTurns: true }, ThreadList: {}, ThreadLoadedList: {}, ThreadFork: {}, ThreadArchive: {}, ThreadUnarchive: {}, ThreadResume: {} }),
    },
    rollback: { turns, run: (context) => drive(context, "accept", { ThreadRollback: { numTurns: 1 } }) },
  },
};
