// One session over app-server, the same for every program that speaks it: what is sent, and what came back, in its order.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { says } from "./exec-world.mjs";

const patience = 60_000;

/** The model's answers to the user's last message; the second time, with the output of its call, it is done. */
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

const open = { approvalPolicy: "never", sandboxPolicy: { type: "dangerFullAccess" } };
const asking = { approvalPolicy: "on-request", sandboxPolicy: { type: "workspaceWrite" } };

/**
 * The session in parts, each with all messages of the program: in one process, and then in another that resumes its
 * thread.
 */
export async function runSession(command, { env, work }) {
  const parts = {};
  const start = () => startServer(command, { env, cwd: work });
  const threadId = await within({ server: start(), work, parts }, runFirst);
  await within({ server: start(), work, parts }, (seat) => runSecond(seat, threadId));
  return parts;
}

/** Runs a part of the session in a process of its own. */
async function within({ server, work, parts }, run) {
  const seat = {
    ...server,
    work,
    async record(name, act) {
      const from = server.told.length;
      await act();
      await server.quiet();
      parts[name] = server.told.slice(from);
    },
    /** Begins a turn; gives what waits for its end. */
    async turn(threadId, text, more = {}) {
      const from = server.told.length;
      await server.request("turn/start", { threadId, input: [{ type: "text", text }], ...more });
      return () => server.find(({ method }) => method === "turn/completed", from);
    },
    /** The command that the turn runs, when it is there. */
    command: (from) => server.find(({ method, params }) => method === "item/started" && params.item.type === "commandExecution", from),
    wholeTurn: (...asked) => async () => (await seat.turn(...asked))(),
    async initialize() {
      const clientInfo = { name: "compare", title: null, version: "1.0.0" };
      await server.request("initialize", { clientInfo, capabilities: { experimentalApi: true } });
      server.send({ method: "initialized" });
    },
  };
  try {
    return await run(seat);
  } finally {
    await server.end();
  }
}

async function runFirst(seat) {
  const { record, request, wholeTurn, decide, work } = seat;
  await record("initialize", seat.initialize);
  await record("a request before its thread", () => request("turn/start", { threadId: "01a20000-0000-7000-8000-000000000000", input: [] }));
  await record("an unknown method", () => request("thread/dance", {}));
  await record("wrong parameters", () => request("turn/start", { threadId: 5 }));
  let threadId = "";
  await record("thread/start", async () => {
    const { result } = await request("thread/start", { cwd: work, approvalPolicy: "on-request", sandbox: "workspace-write" });
    threadId = result.thread.id;
  });
  await record("text", wholeTurn(threadId, "Say hello"));
  await record("a command", wholeTurn(threadId, "Run a command", open));
  await record("a patch", wholeTurn(threadId, "Write a file", open));
  decide("accept");
  await record("an approval, yes", wholeTurn(threadId, "Ask, and be let", asking));
  decide("decline");
  await record("an approval, no", wholeTurn(threadId, "Ask, and be refused", asking));
  decide("cancel");
  await record("an approval, cancelled", wholeTurn(threadId, "Ask, and be stopped", asking));
  await record("steering", () => runSteered(seat, threadId));
  await record("an interruption", () => runInterrupted(seat, threadId));
  await record("thread/name/set", () => request("thread/name/set", { threadId, name: "A name" }));
  await record("thread/read", () => request("thread/read", { threadId, includeTurns: true }));
  return threadId;
}

async function runSteered({ told, turn, command, request }, threadId) {
  const from = told.length;
  const ended = await turn(threadId, "Be steered", open);
  const begun = await command(from);
  await request("turn/steer", { threadId, expectedTurnId: begun.params.turnId, input: [{ type: "text", text: "Quickly." }] });
  await ended();
}

async function runInterrupted({ told, turn, command, request }, threadId) {
  const from = told.length;
  const ended = await turn(threadId, "Be interrupted", open);
  const begun = await command(from);
  await request("turn/interrupt", { threadId, turnId: begun.params.turnId });
  await ended();
}

async function runSecond({ record, request, wholeTurn, initialize, quiet }, threadId) {
  await initialize();
  await quiet();
  await record("thread/list", () => request("thread/list", { limit: 5 }));
  await record("thread/resume", () => request("thread/resume", { threadId }));
  await record("a turn of it", wholeTurn(threadId, "Go on", open));
  await record("thread/unsubscribe", () => request("thread/unsubscribe", { threadId }));
  await record("thread/archive", () => request("thread/archive", { threadId }));
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
