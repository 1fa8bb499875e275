import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { BatchTask, StartedThread, TaskChanges, TaskPlace } from "@unroll/batch";
import { createSerialQueue } from "@unroll/flow";
import { type Host, readImageFile, type ResolvedConfig } from "@unroll/harness";
import { loadProgramConfig, needsDemoModel, type ProcessIo, ProgramError, toProgramPlaces } from "@unroll/program";
import { findDataFolder, type RunWorktree } from "@unroll/process-tree";
import type { UserInput } from "@unroll/protocol";
import type { ExecOptions } from "../exec-options.ts";
import { openRunWorktree } from "../open-run-worktree.ts";
import { openClone } from "./open-clone.ts";

/** The parts that the places of all tasks share. */
export interface TaskSource {
  readonly flags: ExecOptions;
  readonly host: Host;
  readonly io: Pick<ProcessIo, "env" | "homeDirectory">;
  /** The config of tasks that name nothing of their own. */
  readonly config: ResolvedConfig;
}

/** A longer diff is not in the result; its file is beside the work tree. */
const mostDiffBytes = 1024 * 1024;

/** Opens the place of a task: its config, its images and, with `--worktree`, a work tree of its own. */
export function createTaskPlaces(source: TaskSource): (task: BatchTask, thread: StartedThread) => Promise<TaskPlace> {
  const { run: oneByOne } = createSerialQueue(); // git refuses to make two work trees at once
  return async (task, { threadId, turnId }) => {
    if (task.git !== undefined) return openClonePlace({ ...task, git: task.git }, { threadId, turnId }, source);
    const config = await loadTaskConfig(task, source);
    const input = await toInput(task, config);
    if (!source.flags.worktree) return { options: { config }, input };
    const worktree = await oneByOne(() => openRunWorktree(config, source.io, threadId));
    // it is the same project, so it is trusted as much
    const flags = { ...source.flags, trust: config.projectTrust === "trusted" };
    const own = await loadTaskConfig({ ...task, cwd: worktree.folder }, { ...source, flags });
    return {
      options: { config: own },
      input,
      close: (isEnded) => oneByOne(() => closeWorktree(worktree, isEnded)),
    };
  };
}

async function openClonePlace(
  task: Parameters<typeof openClone>[0]["task"],
  thread: Pick<StartedThread, "threadId" | "turnId">,
  source: TaskSource,
): Promise<TaskPlace> {
  const home = join(findDataFolder(source.io), "clones");
  const places = toProgramPlaces(source.config, source.io);
  const clone = await openClone({ task, ...thread, home, places });
  const config = await loadTaskConfig({ ...task, cwd: clone.folder }, source);
  return {
    options: { config },
    input: await toInput(task, config),
    ...(clone.isLost && { news: lostNews }),
    async close(_isEnded, turnId) {
      const changes = await clone.close(turnId);
      return clone.isLost ? { ...changes, isLost: true } : changes;
    },
  };
}

// structure-ignore idioms: for the model
const lostNews =
  "The machine that you worked on is gone. You continue on another one, in a new clone of the repository: files that you changed since the last push are not there. Look at the files before you continue.";

/** A task that was cut off finds its work tree again. */
async function closeWorktree(worktree: RunWorktree, isEnded: boolean): Promise<TaskChanges> {
  const patch = await worktree.savePatch();
  const text = patch.type === "saved" ? await readPatch(patch.path) : "";
  const isRemoved = isEnded && (await worktree.close()).isRemoved;
  worktree.release();
  return {
    worktree: isRemoved ? null : worktree.tree,
    branch: isRemoved ? null : worktree.branch,
    diff: text === "" ? null : text,
  };
}

/** Empty: it is too long. */
async function readPatch(path: string): Promise<string> {
  const { size } = await stat(path);
  return size <= mostDiffBytes ? readFile(path, "utf8") : "";
}

async function loadTaskConfig(
  { cwd, model, config: keys }: BatchTask,
  { flags, host, config }: TaskSource,
): Promise<ResolvedConfig> {
  if (cwd === undefined && model === undefined && keys === undefined) return config;
  const own = Object.entries(keys ?? {}).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const named = {
    ...flags,
    ...(cwd !== undefined && { cd: resolve(config.cwd, cwd) }),
    ...(model !== undefined && { model }),
    config: [...(flags.config ?? []), ...own],
  };
  const loaded = await loadProgramConfig(named, host);
  if (!(await needsDemoModel(loaded, host))) return loaded;
  return { ...loaded, model: config.model, provider: config.provider, modelFamily: config.modelFamily };
}

async function toInput({ id, prompt, images = [] }: BatchTask, config: ResolvedConfig): Promise<UserInput> {
  if (images.length === 0) return prompt;
  const parts = await Promise.all(images.map((path) => readImageFile(resolve(config.cwd, path), config)));
  const read = parts.map((part) => {
    if ("error" in part) throw new ProgramError("input", `${id}: images: ${part.error}`);
    return { type: "image" as const, dataUrl: part.dataUrl };
  });
  return [...read, { type: "text", text: prompt }];
}
