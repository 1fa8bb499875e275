// The world of one case of compare-exec.mjs: a home folder, a repository to work in, and a scripted model.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startScriptedModel } from "../../packages/scripted-model/src/index.ts";

const usage = {
  input_tokens: 9_990, // more than any request has: fewer would be reported as a truncated one
  input_tokens_details: { cached_tokens: 40, cache_write_tokens: 0 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 10_000,
};

/** `isOurs`: the config has the keys that only unroll knows. `turns`: each a turn of a script, or a function of the request that gives one. The last one stays. */
export async function openWorld(turns, { isOurs = true } = {}) {
  const respond = (request, index) => {
    const turn = turns[Math.min(index, turns.length - 1)];
    const chosen = typeof turn === "function" ? turn(request) : turn;
    return "items" in chosen ? { usage, ...chosen } : chosen;
  };
  const checks = { prefix: false, calls: false, fields: false };
  const model = await startScriptedModel({ respond, checks, allowViolations: true });
  const folder = mkdtempSync(join(tmpdir(), "unroll-compare-"));
  const [home, work] = [join(folder, "home"), join(folder, "work")];
  mkdirSync(join(home, ".codex"), { recursive: true });
  mkdirSync(work);
  execFileSync("git", ["init", "-q"], { cwd: work });
  for (const name of ["a.txt", "b.txt"]) writeFileSync(join(work, name), `${name}\n`);
  writeFileSync(join(work, "image.png"), onePixel);
  const retries = "request_max_retries = 1\nstream_max_retries = 1";
  const provider = `[model_providers.test]\nname = "test"\n${isOurs ? 'preset = "openai"\n' : ""}base_url = "${model.url}"\nwire_api = "responses"\n${retries}\n`;
  writeFileSync(join(home, ".codex/config.toml"), `model = "gpt-5.5"\nmodel_provider = "test"\n${provider}`);
  const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: join(home, ".codex"), CODEX_API_KEY: "none" };
  return {
    model,
    work,
    env,
    normalize: (text) =>
      text
        .replaceAll(folder, "<folder>")
        .replaceAll(new URL(model.url).host, "<server>")
        // what follows is stderr, for people
        .replace(/exited with code (\d+)[^]*/, "exited with code $1")
        .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<id>")
        .replace(/resp_[\w-]+/g, "<response>"),
    async close() {
      await model.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** The model's answers. A tool is called by the name under which it is offered. */
export const says = {
  text: (text) => ({ items: [{ text }] }),
  command: (command) => (request) => {
    const isUnified = namesOf(request).includes("exec_command");
    const call = isUnified ? "exec_command" : "shell_command";
    return { items: [{ call, arguments: isUnified ? { cmd: command, yield_time_ms: 30_000 } : { command } }] };
  },
  /** A call that needs approval under every policy that asks. */
  outside: (command) => (request) => {
    const { items: [{ call, arguments: given }] } = says.command(command)(request);
    const wish = { sandbox_permissions: "require_escalated", justification: "To try it." };
    return { items: [{ call, arguments: { ...given, ...wish } }] };
  },
  patch: (input) => ({ items: [{ custom: "apply_patch", input: `*** Begin Patch\n${input}\n*** End Patch\n` }] }),
};

function namesOf({ body }) {
  return (body.tools ?? []).map(({ name, type }) => name ?? type);
}

const onePixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
