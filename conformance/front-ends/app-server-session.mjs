// One session over app-server, the same for every program that speaks it: what is sent, and what came back, in its order.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { says } from "./exec-world.mjs";

const patience = 60_000;

/** What the model says to what the person said last; the second time, when it has the output of its call, it is done. */
const answers = {
  "Say hello": says.text("Hello."),
  "Run a command": says.command("echo made > made.txt && cat made.txt"),
  "Write a file": says.patch("*** Add File: new.txt\n+one\n+two"),
  "Ask, and be let": says.outside("touch let"),
  "Ask, and be refused": says.outside("touch refused"),
  "Ask, and be stopped": says.outside("touch stopped"),
  "Be interrupted": says.command("sleep 60"),
  "Go on": says.text("Gone on."),
  "Be steered": says.command("sleep 2"),
};

export function answer(request) {
  const { input } = request.body;
  const said = input.findLastIndex(({ role, content }) => role === "user" && content.some(({ text = "" }) => text in answers));
  const isAnswered = input.slice(said).some(({ type }) => type.endsWith("_call_output"));
  const chosen = isAnswered ? says.text("Done.") : answers[input[said].content.find(({ text = "" }) => text in answers).text];
  return typeof chosen === "function" ? chosen(request) : chosen;
}

/** The session in parts, each with all that the program said in it. */
export async function runSession(command, { env, work }) {
  const parts = {};
  let server = startServer(command, { env, cwd: work });
  const record = async (name, run) => {
    const from = server.told.length;
    await run();
    await server.quiet();
    parts[name] = server.told.slice(from);
  };
  const turn = async (threadId, text, more = {}) => {
    const from = server.told.length;
    await server.request("turn/start", { threadId, input: [{ type: "text", text }], ...more });
    return () => server.find(({ method }) => method === "turn/completed", from);
  };
  const wholeTurn = (threadId, text, more) => async () => (await turn(threadId, text, more))();
  let threadId = "";
  const initialize = async () => {
    const clientInfo = { name: "compare", title: null, version: "1.0.0" };
    await server.request("initialize", { clientInfo, capabilities: { experimentalApi: true } });
    server.send({ method: "initialized" });
  };
  await record("initialize", initialize);
  await record("a request before its thread", () => server.request("turn/start", { threadId: "01a20000-0000-7000-8000-000000000000", input: [] }));
  await record("an unknown method", () => server.request("thread/dance", {}));
  await record("wrong parameters", () => server.request("turn/start", { threadId: 5 }));
  await record("thread/start", async () => {
    const { result } = await server.request("thread/start", { cwd: work, approvalPolicy: "on-request", sandbox: "workspace-write" });
    threadId = result.thread.id;
  });
  const open = { approvalPolicy: "never", sandboxPolicy: { type: "dangerFullAccess" } };
  const asking = { approvalPolicy: "on-request", sandboxPolicy: { type: "workspaceWrite" } };
  await record("text", wholeTurn(threadId, "Say hello"));
  await record("a command", wholeTurn(threadId, "Run a command", open));
  await record("a patch", wholeTurn(threadId, "Write a file", open));
  server.decide("accept");
  await record("an approval, yes", wholeTurn(threadId, "Ask, and be let", asking));
  server.decide("decline");
  await record("an approval, no", wholeTurn(threadId, "Ask, and be refused", asking));
  server.decide("cancel");
  await record("an approval, cancelled", wholeTurn(threadId, "Ask, and be stopped", asking));
  await record("steering", async () => {
    const from = server.told.length;
    const ended = await turn(threadId, "Be steered", open);
    const begun = await server.find(({ method, params }) => method === "item/started" && params.item.type === "commandExecution", from);
    await server.request("turn/steer", { threadId, expectedTurnId: begun.params.turnId, input: [{ type: "text", text: "Quickly." }] });
    await ended();
  });
  await record("an interruption", async () => {
    const from = server.told.length;
    const ended = await turn(threadId, "Be interrupted", open);
    const begun = await server.find(({ method, params }) => method === "item/started" && params.item.type === "commandExecution", from);
    await server.request("turn/interrupt", { threadId, turnId: begun.params.turnId });
    await ended();
  });
  await record("thread/name/set", () => server.request("thread/name/set", { threadId, name: "A name" }));
  await record("thread/read", () => server.request("thread/read", { threadId, includeTurns: true }));
  await server.end();
  server = startServer(command, { env, cwd: work });
  await initialize();
  await server.quiet();
  await record("thread/list", () => server.request("thread/list", { limit: 5 }));
  await record("thread/resume", () => server.request("thread/resume", { threadId }));
  await record("a turn of it", wholeTurn(threadId, "Go on", open));
  await record("thread/unsubscribe", () => server.request("thread/unsubscribe", { threadId }));
  await record("thread/archive", () => server.request("thread/archive", { threadId }));
  await server.end();
  return parts;
}

function startServer([command, ...args], options) {
  const child = spawn(command, [...args, "app-server"], { ...options, stdio: ["pipe", "pipe", "ignore"] });
  const told = [];
  const waiting = new Set();
  const asked = new Map();
  let [next, decision] = [1, "accept"];
  const send = (message) => void child.stdin.write(`${JSON.stringify(message)}\n`);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.method === undefined) message.answers = asked.get(message.id);
    told.push(message);
    if (message.method !== undefined && message.id !== undefined) send({ id: message.id, result: { decision } });
    for (const look of waiting) look();
  });
  function find(isWanted, from = 0) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const timer = setTimeout(() => reject(new Error(`nothing came; last: ${JSON.stringify(told.at(-1))}`)), patience);
    const look = () => {
      const found = told.slice(from).find(isWanted);
      if (found === undefined) return;
      clearTimeout(timer);
      waiting.delete(look);
      resolve(found);
    };
    waiting.add(look);
    look();
    return promise;
  }
  return {
    told,
    send,
    find,
    decide: (chosen) => void (decision = chosen),
    request(method, params) {
      const id = next++;
      asked.set(id, method);
      send({ id, method, params });
      return find((message) => message.method === undefined && message.id === id);
    },
    /** Resolves when nothing more comes. */
    async quiet() {
      for (let before = -1; before !== told.length; ) {
        before = told.length;
        await new Promise((done) => setTimeout(done, 400));
      }
    },
    async end() {
      const exited = new Promise((done) => child.once("exit", done));
      child.stdin.end();
      const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
      await exited;
      clearTimeout(timer);
    },
  };
}
