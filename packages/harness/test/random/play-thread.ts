import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { globSync } from "node:fs";
import { join } from "node:path";
import type { Thread } from "@unroll/harness";
import type { ThreadEvent } from "@unroll/protocol";
import type { CapturedRequest, Turn, Violation } from "@unroll/scripted-model";
import { asksForNotes, notes, openPrintingWorld, openStore } from "../compaction-world.ts";
import { toServer } from "../mcp-servers.ts";
import type { ThreadWorld } from "../thread-world.ts";
import { type Answer, faults, type RandomAct } from "./random-acts.ts";

/** The facts of a played thread, for the laws to judge. */
export interface PlayedThread {
  readonly requests: readonly CapturedRequest[];
  readonly events: readonly ThreadEvent[];
  readonly violations: readonly Violation[];
  /** Requests that hold encrypted content again that was refused before. */
  readonly resent: ReadonlySet<number>;
  /** The requests before which a restart was announced. */
  readonly announced: ReadonlySet<number>;
  /** Requests that the server refused. */
  readonly refused: ReadonlySet<number>;
}

/** Does all that to one thread, which lies in a store. `serverUrl`: of an MCP server whose tools come late. */
export async function playThread(acts: readonly RandomAct[], serverUrl: string): Promise<PlayedThread> {
  const script = createScript();
  const files = { "sub/x": "", "AGENTS.md": "Use tabs." };
  await using world = await openPrintingWorld(
    { respond: (request) => script.respond(request), checks: { prefix: false } },
    { files },
  );
  const player = await openPlayer(world, serverUrl);
  for (const act of [begin, ...acts, begin]) {
    script.plan("answers" in act ? act.answers : []);
    await player.play(act);
    if ("end" in act && act.end !== null) script.restoreKeys();
  }
  await player.close();
  const { events, announced } = player;
  return {
    requests: world.model.requests,
    events,
    violations: world.model.violations,
    announced,
    refused: script.refused,
    resent: script.resent,
  };
}

const begin: Extract<RandomAct, { type: "run" }> = {
  type: "run",
  answers: [],
  steerAt: null,
  rewriteAt: null,
  end: null,
};

interface Script {
  readonly refused: ReadonlySet<number>;
  readonly resent: ReadonlySet<number>;
  /** The server can read all again: an interruption may come before it is known what it cannot. */
  restoreKeys(): void;
  plan(answers: readonly Answer[]): void;
  respond(request: CapturedRequest): Turn;
}

function createScript(): Script {
  let waiting: Turn[] = [];
  const refused = new Set<number>();
  const lost = new Set<unknown>();
  const resent = new Set<number>();
  return {
    refused,
    resent,
    restoreKeys: () => lost.clear(),
    plan(answers) {
      waiting = answers.flatMap(({ items, fault }) => (fault === null ? [{ items }] : [fault, { items }]));
    },
    respond(request) {
      const held = request.input.flatMap((item) => item["encrypted_content"] ?? []);
      if (held.some((content) => lost.has(content))) resent.add(request.index);
      let turn = waiting.shift();
      if (turn === faults.stale && held.length === 0) turn = waiting.shift();
      if (turn === faults.stale) for (const content of held) lost.add(content);
      if (turn && "status" in turn) refused.add(request.index);
      else if (asksForNotes(request)) return { items: [{ text: notes }] };
      return turn ?? { items: [{ text: "End." }] };
    },
  };
}

interface Player {
  readonly events: readonly ThreadEvent[];
  readonly announced: ReadonlySet<number>;
  play(act: RandomAct): Promise<void>;
  close(): Promise<void>;
}

async function openPlayer(world: ThreadWorld, serverUrl: string): Promise<Player> {
  const events: ThreadEvent[] = [];
  const announced = new Set<number>();
  const store = openStore(world);
  let config: readonly string[] = [];
  let thread = await world.openThread({ store });
  /** Events from the opening count as part of its first turn. */
  let isHeard = true;

  const announce = (): void => void announced.add(world.model.requests.length);

  function hear(event: ThreadEvent): void {
    events.push(event);
    isHeard = true;
    if (event.type === "epoch.opened") announce();
  }

  async function close(): Promise<void> {
    if (!isHeard) announce();
    await thread[Symbol.asyncDispose]();
  }

  async function reopen(own: { readonly fork?: { readonly id: string } }): Promise<void> {
    await close();
    thread = await world.openThread({ store, resume: thread.id, ...own, config, allowCacheBreak: true });
    isHeard = false;
  }

  async function run({ steerAt, rewriteAt, end }: Extract<RandomAct, { type: "run" }>): Promise<void> {
    const stop = new AbortController();
    let file: Uint8Array | null = null;
    let count = 0;
    let isBegun = false;
    for await (const event of thread.run("Go", { signal: stop.signal })) {
      hear(event);
      isBegun ||= event.type === "turn.started";
      if (count === rewriteAt) await writeFile(join(world.work, "AGENTS.md"), `Rule ${events.length}.`);
      if (count === steerAt) await thread.send("And this.");
      if (count === end?.at && end.how === "interrupt") stop.abort();
      if (count === end?.at && end.how === "kill") file = await readFile(fileOf(world, thread)).catch(() => null);
      if (file !== null) break;
      count += 1;
    }
    if (file === null) return;
    if (!isBegun) announce(); // its opening may have told so behind this event
    // what a process leaves that is killed here
    await close();
    await writeFile(fileOf(world, thread), file);
    await reopen({});
  }

  async function play(act: RandomAct): Promise<void> {
    switch (act.type) {
      case "run":
        return run(act);
      case "compact":
        for await (const event of thread.compact({ signal: new AbortController().signal })) hear(event);
        return;
      case "undo":
        return thread.undoCompaction().then(announce, () => {});
      case "fork":
        await reopen({ fork: { id: thread.id } });
        return run(begin); // a thread without messages is not saved
      case "change":
        thread.change("folder" in act.change ? { cwd: join(world.work, act.change.folder) } : act.change);
        return;
      case "document":
        return writeFile(join(world.work, "AGENTS.md"), act.text);
      case "skill":
        return changeSkill(world, act.isThere);
      case "resume":
        config = toConfig(act, serverUrl);
        return reopen({});
    }
  }

  return { events, announced, play, close };
}

function fileOf({ home }: ThreadWorld, { id }: Thread): string {
  const cwd = join(home, ".codex/sessions");
  return join(cwd, globSync(`**/*${id}.jsonl`, { cwd })[0] ?? "none");
}

async function changeSkill({ home }: ThreadWorld, isThere: boolean): Promise<void> {
  const folder = join(home, ".agents/skills/zip");
  if (!isThere) return rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "SKILL.md"), "---\nname: zip\ndescription: Packs.\n---\nZip.");
}

function toConfig(act: Extract<RandomAct, { type: "resume" }>, serverUrl: string): readonly string[] {
  const { model, sandbox, instructions, tool, limit, hasServer } = act;
  return [
    `model=${model}`,
    `sandbox_mode=${sandbox}`,
    `shell_tool=${tool}`,
    ...(instructions === "" ? [] : [`developer_instructions=${JSON.stringify(instructions)}`]),
    ...(limit === null ? [] : [`model_auto_compact_token_limit=${limit}`]),
    ...(hasServer ? [...toServer("late", { url: serverUrl }), "mcp_startup_grace_ms=0"] : []),
  ];
}
