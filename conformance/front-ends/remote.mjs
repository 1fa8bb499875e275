// The Codex CLI's own terminal on an app-server, `codex --remote ADDRESS`: on the Codex CLI's app-server and on unroll's, over a WebSocket and a Unix socket. It runs in tmux,
// where keys are typed and the screen is read. Without tmux, nothing runs.
//
//   node -C @unroll/source conformance/front-ends/remote.mjs CODEX   # exit 1 if a case fails on unroll, or only on the Codex CLI
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { parseArguments, text } from "../../tooling/parse-arguments.ts";
import { openRows } from "../rows.mjs";
import { openWorld, says } from "./exec-world.mjs";

const usage = "node -C @unroll/source conformance/front-ends/remote.mjs CODEX [--rows FILE]";
const { program, rows } = parseArguments(usage, { words: { program: text }, options: { rows: text } });
const codex = resolve(program ?? process.env.CODEX ?? "codex");
const servers = { reference: [codex], ours: [process.execPath, "-C", "@unroll/source", resolve(import.meta.dirname, "unroll.mjs")] };
const patienceMs = 60_000;
const staysWithModel = "2. Use existing model";

/** The model's answers to the user's last message; the second time, with the output of its call, it is done. */
const answers = {
  "say hello": says.text("Hello there."),
  "ask first": says.outside("touch let"),
  "take long": says.outside("echo started > started && sleep 600"),
  "go on": says.text("Gone on."),
};

function answer({ body: { input, tools } }) {
  const said = input.findLastIndex(({ role, content }) => role === "user" && content.some(({ text: part = "" }) => part in answers));
  if (said < 0) return says.text("A title"); // the terminal also asks for one
  if (input.slice(said).some(({ type }) => type.endsWith("_call_output"))) return says.text("Done.");
  const chosen = answers[input[said].content.find(({ text: part = "" }) => part in answers).text];
  return typeof chosen === "function" ? chosen({ body: { tools } }) : chosen;
}

/** The steps of one session. A case throws if the screen or the folder does not become as expected. */
const cases = {
  async "a prompt"({ type, sees }) {
    await type("say hello");
    await sees("Hello there.");
  },
  async "an approval"({ type, sees, press, has }) {
    await type("ask first");
    await sees("Would you like to run the following command?");
    await press("y");
    await sees("Done.");
    await has("let");
  },
  async "a command of the user"({ type, has, sees }) {
    await type("!echo mine | tee own");
    await has("own");
    await sees("You ran");
  },
  async "an interruption"({ type, sees, press, has }) {
    await type("take long");
    await sees("Would you like to run the following command?");
    await press("y");
    await has("started");
    await press("Escape");
    await sees("interrupted");
  },
  async "a resumed thread"({ type, sees, restart }) {
    await restart("resume", "--last");
    await sees("Hello there.");
    await type("go on");
    await sees("Gone on.");
  },
};

const counted = openRows();
if (spawnSync("tmux", ["-V"]).status !== 0) {
  console.log("skipped codex --remote: there is no tmux on PATH");
  counted.write(rows);
  process.exit();
}
const version = execFileSync(codex, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim().split(" ").at(-1);
let failures = 0;
for (const kind of ["ws", "unix"]) {
  const [theirs, own] = [await runCases(kind, "reference"), await runCases(kind, "ours")];
  for (const what of Object.keys(cases)) {
    const fault = own.get(what) ?? (theirs.get(what) === null ? null : `only here: with the Codex CLI ${theirs.get(what)}`);
    if (fault !== null) failures += 1;
    counted.note({ frontEnd: "app-server", client: "codex --remote", version, isCompared: true }, `${kind}: ${what}`, fault === null ? [] : [null]);
    console.log(`${fault === null ? "ok    " : "FAILED"} codex --remote ${kind}://: ${what}${fault === null ? "" : `: ${fault}`}`);
  }
}
counted.write(rows);
process.exit(failures === 0 ? 0 : 1);

/** The failure of each case; null: it passed. */
async function runCases(kind, side) {
  const world = await openWorld([answer], { isOurs: side === "ours" });
  const { HOME: home, CODEX_HOME: codexHome } = world.env;
  const address = kind === "ws" ? `ws://127.0.0.1:${await findPort()}` : `unix://${join(home, "served.sock")}`;
  const token = join(home, "token");
  writeFileSync(token, "open-sesame");
  const auth = kind === "ws" ? ["--ws-auth", "capability-token", "--ws-token-file", token] : [];
  const [command, ...args] = servers[side];
  const server = spawn(command, [...args, "app-server", "--listen", address, ...auth], { env: world.env, cwd: world.work, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((done) => server.once("exit", done));
  // a folder of its own: only the server knows the model
  const ownHome = join(home, "terminal");
  mkdirSync(ownHome);
  writeFileSync(join(ownHome, "config.toml"), `check_for_update_on_startup = false\n[projects."${world.work}"]\ntrust_level = "trusted"\n`);
  const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: ownHome, TERM: "xterm-256color", TOKEN: "open-sesame" };
  const terminal = openTerminal({ cwd: world.work, env, socket: join(codexHome, "tmux.sock") });
  const flags = ["--remote", address, ...(kind === "ws" ? ["--remote-auth-token-env", "TOKEN"] : [])];
  const found = new Map();
  try {
    await until(() => isListening(address), `${side} does not listen at ${address}`);
    await terminal.start([codex, ...flags]);
    const seat = { ...terminal, has: (name) => until(() => readdirSync(world.work).includes(name), `no file ${name}`), restart: (...more) => terminal.start([codex, ...more, ...flags]) };
    for (const [what, run] of Object.entries(cases)) found.set(what, await run(seat).then(() => null, ({ message }) => message));
  } catch ({ message }) {
    for (const what of Object.keys(cases)) if (!found.has(what)) found.set(what, message);
  } finally {
    terminal.close();
    server.kill();
    await ended;
    await world.close();
  }
  return found;
}

/** A terminal in tmux. */
function openTerminal({ cwd, env, socket }) {
  const tmux = (...args) => execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const screen = () => tmux("capture-pane", "-p", "-t", "t");
  const sees = (wanted) => until(() => screen().includes(wanted), () => `the screen does not show ${JSON.stringify(wanted)}:\n${screen().replaceAll(/\n\s*\n/g, "\n")}`);
  let isOpen = false;
  const close = () => isOpen && tmux("kill-server");
  return {
    sees,
    close,
    press: (key) => tmux("send-keys", "-t", "t", key),
    async type(line) {
      tmux("send-keys", "-t", "t", "-l", line);
      await sees(line.replace(/^!/, ""));
      await waitMs(500); // text that comes at once, with Enter, is a paste to it
      tmux("send-keys", "-t", "t", "Enter");
    },
    /** In place of the program before. */
    async start(command) {
      if (isOpen) tmux("respawn-pane", "-k", "-t", "t", ...command);
      else tmux("new-session", "-d", "-s", "t", "-x", "120", "-y", "50", ...command);
      isOpen = true;
      await sees("? for shortcuts");
      await waitMs(2_000); // the list of models comes later, and with it a question about a newer one
      if (!screen().includes(staysWithModel)) return;
      tmux("send-keys", "-t", "t", "2");
      tmux("send-keys", "-t", "t", "Enter");
      await until(() => !screen().includes(staysWithModel), "the question about a newer model does not end");
    },
  };
}

async function until(isSo, fault) {
  for (const end = Date.now() + patienceMs; Date.now() < end; await waitMs(50)) if (await isSo()) return;
  throw new Error(typeof fault === "string" ? fault : fault());
}

function waitMs(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

async function isListening(address) {
  if (address.startsWith("unix://")) return existsSync(address.slice("unix://".length));
  return fetch(`${address.replace("ws:", "http:")}/readyz`).then(({ ok }) => ok, () => false);
}

function findPort() {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
