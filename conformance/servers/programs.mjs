// The programs that the cases are run through: unroll, and the Codex CLI where its path is given. Both by `exec --json`.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const unroll = resolve(import.meta.dirname, "../front-ends/unroll.mjs");
const patienceMs = 90_000;

/** `command`: how it is started. `free`: the flags that let commands run without a question and outside of a sandbox. */
export const listPrograms = ({ codex, only }) =>
  [
    { name: "unroll", command: [process.execPath, "-C", "@unroll/source", unroll], free: ["-s", "danger-full-access"] },
    ...(codex === null ? [] : [{ name: "codex", command: [codex], free: ["--dangerously-bypass-approvals-and-sandbox"] }]),
  ].filter(({ name }) => only === null || name === only);

/** A home and a working folder, in which a program talks to one server. `model` null: none is named. `more`: of `config.toml`. */
export function openWorld({ command, free }, { url, model, more = "" }) {
  const folder = mkdtempSync(join(tmpdir(), "unroll-servers-"));
  const [home, work] = [join(folder, "home"), join(folder, "work")];
  mkdirSync(join(home, ".codex"), { recursive: true });
  mkdirSync(work);
  const named = model === null ? "" : `model = ${JSON.stringify(model)}\n`;
  const provider = `[model_providers.server]\nname = "server"\nbase_url = ${JSON.stringify(url)}\nwire_api = "responses"\n`;
  writeFileSync(join(home, ".codex/config.toml"), `${named}model_provider = "server"\n${more}${provider}`);
  const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: join(home, ".codex"), NODE_COMPILE_CACHE: join(tmpdir(), "unroll-servers-compiled") };
  let thread = null;

  /** One turn; the second one resumes the thread of the first. */
  async function say(prompt, ...flags) {
    const resumed = thread === null ? [] : ["resume"];
    const [program, ...args] = [...command, "exec", ...resumed, "--skip-git-repo-check", "--json", ...free, ...flags];
    const ran = await run(program, [...args, ...(thread === null ? [] : [thread]), prompt], { cwd: work, env });
    const events = ran.stdout.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));
    thread ??= events.find(({ type }) => type === "thread.started")?.thread_id ?? null;
    const items = events.filter(({ type }) => type === "item.completed").map(({ item }) => item);
    return {
      ...ran,
      /** The model's texts, message by message. */
      said: items.filter(({ type }) => type === "agent_message").map(({ text }) => text),
      /** Everything shown to a user or a program, in one text. */
      told: `${ran.stdout}${ran.stderr}`,
      isCompleted: events.some(({ type }) => type === "turn.completed"),
    };
  }

  return {
    work,
    say,
    write: (name, text) => writeFileSync(join(work, name), text),
    /** The lines of `ran.txt`, into which commands of the cases write. */
    readRan() {
      try {
        return readFileSync(join(work, "ran.txt"), "utf8").trim().split("\n");
      } catch {
        return [];
      }
    },
    close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
}

/** A message in a cell of a table. */
export function shortenFault(message) {
  const line = message.replaceAll(/(?:\\+n|-{4,}|\s)+/g, " ").replaceAll(/127\.0\.0\.1:\d+ /g, "").replaceAll(/\\+"/g, '"').trim();
  return line.length > 110 ? `${line.slice(0, 110)}…` : line;
}

function run(program, args, options) {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const text = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"]) child[name].setEncoding("utf8").on("data", (piece) => (text[name] += piece));
    const timer = setTimeout(() => child.kill("SIGKILL"), patienceMs);
    child.on("error", fail).on("close", (exitCode) => {
      clearTimeout(timer);
      done({ exitCode, ...text });
    });
  });
}
