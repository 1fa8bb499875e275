import { readdirSync, readlinkSync } from "node:fs";
import { mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Responder, type ScriptedModel, startScriptedModel } from "@unroll/scripted-model";
import type { ProcessCommand } from "./measure-process.ts";
import { toPiModels } from "./peers.ts";

/** The built command, as a user has it. */
const builtCommand = join(import.meta.dirname, "../../bin/unroll");

/** A scripted model, and folders in which our command and its peers find it. All gone when disposed. */
export interface CommandWorld extends AsyncDisposable {
  readonly model: ScriptedModel;
  readonly codexHome: string;
  readonly cwd: string;
  node(...args: readonly string[]): ProcessCommand;
  unroll(...args: readonly string[]): ProcessCommand;
  /** Another program: see `toPeerTurn`. Our config file is written so that those that are like `codex` understand it too. */
  peer(command: string, ...args: readonly string[]): ProcessCommand;
}

/** `command`: of another checkout; null, as by default, for the one of this. */
export async function openCommandWorld(respond: Responder, command: string | null = null): Promise<CommandWorld> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-bench-"));
  const [home, cwd] = [join(folder.path, "home"), join(folder.path, "work")];
  const checks = { fields: false, prefix: false, calls: false };
  const model = await startScriptedModel({ respond, checks, allowViolations: true });
  const codexHome = join(home, ".codex");
  await mkdir(codexHome, { recursive: true });
  await mkdir(cwd);
  await writeFile(join(codexHome, "config.toml"), toConfig(model.url, cwd));
  await mkdir(join(home, ".pi/agent"), { recursive: true });
  await writeFile(join(home, ".pi/agent/models.json"), toPiModels(model.url));
  const env = { PATH: process.env["PATH"], HOME: home };
  return {
    model,
    codexHome,
    cwd,
    node: (...args) => ({ argv: [process.execPath, ...args], cwd, env }),
    unroll: (...args) => ({ argv: [command ?? builtCommand, ...args], cwd, env }),
    peer: (command, ...args) => ({ argv: [command, ...args], cwd, env }),
    async [Symbol.asyncDispose]() {
      endProgramsBelow(folder.path);
      await model.close();
      await folder.remove();
    },
  };
}

/** Ends what runs from a file below a folder: the terminal of `codex` copies itself there as a server that outlives it (Linux only). */
function endProgramsBelow(folder: string): void {
  if (process.platform !== "linux") return;
  for (const pid of readdirSync("/proc").map(Number).filter(Number.isInteger)) {
    try {
      if (readlinkSync(`/proc/${pid}/exe`).startsWith(`${folder}/`)) process.kill(pid, "SIGKILL");
    } catch {
      // it has ended, or is not ours
    }
  }
}

/** The folder is trusted: the terminals ask about it otherwise. */
function toConfig(url: string, cwd: string): string {
  return [
    'model = "gpt-5"',
    'model_provider = "bench"',
    "[model_providers.bench]",
    'name = "bench"',
    'preset = "openai"',
    `base_url = "${url}"`,
    'wire_api = "responses"',
    `[projects."${cwd}"]`,
    'trust_level = "trusted"',
    "",
  ].join("\n");
}
