// A home folder, a working folder, a scripted model and a program `codex` that is unroll: what one case runs in.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startScriptedModel } from "../../packages/scripted-model/src/index.ts";

const main = resolve(import.meta.dirname, "unroll.mjs");
const cache = join(tmpdir(), "unroll-front-ends-compiled");

/** `reference`: the Codex CLI instead of unroll; null: unroll. */
export async function openWorld(turns, { reference = null } = {}) {
  const model = await startScriptedModel({ respond: answerBy(turns), allowViolations: true });
  const folder = mkdtempSync(join(tmpdir(), "unroll-front-ends-"));
  const [home, work] = [join(folder, "home"), join(folder, "work")];
  mkdirSync(join(home, ".codex"), { recursive: true });
  mkdirSync(work);
  const preset = reference === null ? 'preset = "openai"\n' : ""; // a key that only ours knows
  const agents = reference === null ? "[agents]\nenabled = true\n" : "";
  const provider = `${agents}[model_providers.test]\nname = "test"\n${preset}base_url = "${model.url}"\nwire_api = "responses"\n`;
  writeFileSync(join(home, ".codex/config.toml"), `model = "gpt-5"\nmodel_provider = "test"\n${provider}`);
  const codex = join(folder, "codex");
  const program = reference === null ? `"${process.execPath}" -C @unroll/source "${main}"` : `"${reference}"`;
  writeFileSync(codex, `#!/bin/sh\nexec ${program} "$@"\n`);
  chmodSync(codex, 0o755);
  const env = { PATH: `${folder}:${process.env.PATH}`, HOME: home, CODEX_HOME: join(home, ".codex"), NODE_COMPILE_CACHE: cache };
  return {
    model,
    home,
    work,
    codex,
    env,
    async close() {
      await model.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * One turn behind the other; the last one stays. Some clients ask for a title beside the conversation, at any time: its answer is none of
 * the turns.
 */
function answerBy(turns) {
  let next = 0;
  return ({ body }) => {
    if (body.text?.format?.schema?.properties?.title !== undefined) return scripts.text('{"title":"A title"}');
    next += 1;
    return turns[Math.min(next, turns.length) - 1];
  };
}

/** The model's answers, case by case. */
export const scripts = {
  text: (text) => ({ items: [{ text }] }),
  /** A call that every policy that asks asks about. */
  outside: (command) => ({
    items: [{ call: "exec_command", arguments: { cmd: command, sandbox_permissions: "require_escalated", justification: "To try it." } }],
  }),
  /** A sub-agent gets a task; its answer is the next one. */
  spawn: (task) => ({ items: [{ call: "spawn_agent", arguments: { task_name: "look", message: task } }] }),
  command: (command) => ({ items: [{ call: "exec_command", arguments: { cmd: command } }] }),
};
