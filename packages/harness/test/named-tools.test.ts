import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ResolvedConfig } from "@unroll/config";
import type { ModelClient } from "@unroll/core";
import type { Harness } from "@unroll/harness";
import type { ApprovalPolicy, Person } from "@unroll/protocol";
import type { Turn } from "@unroll/scripted-model";
import { type BuiltinToolName, builtinToolNames } from "@unroll/tools";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd } from "./thread-world.ts";

interface Tool {
  readonly type: string;
  readonly name?: string;
  readonly parameters?: { readonly properties?: Readonly<Record<string, unknown>> };
}

interface Request {
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly input: readonly unknown[];
}

const families = ["gpt-5", "gpt-5-codex", "gpt-oss", "default", "unroll-demo"];
const policies: readonly ApprovalPolicy[] = ["untrusted", "on-failure", "on-request", "never"];
const modes = ["read-only", "workspace-write", "danger-full-access"] as const;
const person: Person = { answer: async () => ({ type: "cancelled" }) };

const ofServers = ["mcp_call", "mcp_search", "list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"];
const allNames: readonly string[] = [...builtinToolNames, ...ofServers];
const nameOf = ({ name, type }: Tool): string => name ?? type;

/** Tools that a text names and a request does not have. `shell` is a word, too: it counts where it is marked as code. */
function findStrangers(text: string, tools: readonly Tool[]): readonly string[] {
  const has = new Set(tools.map(nameOf));
  const isNamed = (name: string): boolean => new RegExp(name === "shell" ? "`shell`" : `\\b${name}\\b`).test(text);
  return allNames.filter((name) => !has.has(name) && isNamed(name));
}

const fieldsOf = (tools: readonly Tool[]): readonly string[] =>
  tools.flatMap(({ parameters }) => Object.keys(parameters?.properties ?? {}));

/** Words that instructions mark as code, and keys of their examples. */
function listMarked(instructions: string): ReadonlySet<string> {
  const marked = [...instructions.matchAll(/`([a-z_]+)`|\{"([a-z_]+)":|, "([a-z_]+)":/g)];
  return new Set(marked.map(([, code, first, next]) => code ?? first ?? next ?? ""));
}

/** A model that records the first request of threads of one harness. */
function createCapture(): { readonly model: ModelClient; readonly take: () => Request } {
  let last: Request | null = null;
  return {
    model: {
      // oxlint-disable-next-line require-yield -- it has nothing to say
      async *stream({ chunks }) {
        last = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Request;
        return { type: "completed", responseId: "r", usage: null };
      },
    },
    take: () => last as Request,
  };
}

interface Variant {
  readonly family: string;
  readonly shellTool: ResolvedConfig["modelFamily"]["shellTool"];
  readonly applyPatchTool: ResolvedConfig["modelFamily"]["applyPatchTool"];
  readonly seesImages: boolean;
  readonly searches: boolean;
  readonly asks: boolean;
  readonly builtins: readonly BuiltinToolName[] | null;
}

/** Each combination of the values of each member. */
function combine(axes: { readonly [Key in keyof Variant]: readonly Variant[Key][] }): readonly Variant[] {
  const combined = Object.entries(axes).reduce<readonly object[]>(
    (made, [key, values]) => made.flatMap((each) => values.map((value) => ({ ...each, [key]: value }))),
    [{}],
  );
  return combined as readonly Variant[];
}

const shellTools = ["exec_command", "shell_command", "shell"] as const;
const both = [true, false];

/** Each way in which the config, the model and the person settle the tools. */
const byConfig = combine({
  family: families,
  shellTool: shellTools,
  applyPatchTool: ["custom", "function"],
  seesImages: both,
  searches: both,
  asks: both,
  builtins: [null],
});

/**
 * Subsets of the built-in tools that a program may name: those that have or lack at most two of them, since a text speaks of
 * one tool and at most one other beside it.
 */
const subsets = Array.from({ length: 2 ** builtinToolNames.length }, (_, bits) =>
  builtinToolNames.filter((_name, index) => bits & (1 << index)),
)
  .filter(({ length }) => length <= 2 || length >= builtinToolNames.length - 2)
  .filter((names) => names.includes("exec_command") || !names.includes("write_stdin"));
const bySubset = combine({
  family: families,
  shellTool: ["exec_command"],
  applyPatchTool: ["custom", "function"],
  seesImages: [true],
  searches: [true],
  asks: [true],
  builtins: subsets,
});

async function openRequests(): Promise<
  AsyncDisposable & { readonly harness: Harness; readonly request: (variant: Variant, at: number) => Promise<Request> }
> {
  const world = await openThreadWorld({ script: { turns: [] } });
  const { model, take } = createCapture();
  const base = await world.loadConfig(["mask_secrets=false"]);
  const harness = await world.openHarness({ model });
  return {
    harness,
    async request({ family, shellTool, applyPatchTool, seesImages, searches, asks, builtins }, at) {
      const config: ResolvedConfig = {
        ...base,
        modelFamily: { ...base.modelFamily, id: family, shellTool, applyPatchTool, supportsImages: seesImages },
        webSearchMode: searches ? "cached" : "disabled",
        approvalPolicy: policies[at % policies.length] ?? "never",
        sandboxSettings: { ...base.sandboxSettings, mode: modes[at % modes.length] ?? "read-only" },
      };
      const options = { config, person: asks ? person : null, ...(builtins && { builtins }) };
      await using thread = await harness.openThread(options);
      await runToEnd(thread, "Hi");
      return take();
    },
    async [Symbol.asyncDispose]() {
      await harness[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

/** CI tries all variants. */
const stride = process.env["CI"] === "true" ? 1 : 7;

test("the variants of the config that are tried have each pair of values of two members", () => {
  const pairsOf = (variants: readonly Variant[]): ReadonlySet<string> =>
    new Set(
      variants.flatMap((variant) => {
        const values = Object.entries(variant).map(([key, value]) => `${key} ${String(value)}`);
        return values.flatMap((one, at) => values.slice(at + 1).map((other) => `${one}, ${other}`));
      }),
    );
  expect(pairsOf(takeSome(byConfig))).toEqual(pairsOf(byConfig));
});

const takeSome = (all: readonly Variant[]): readonly Variant[] => all.filter((_variant, at) => at % stride === 0);

test.for([
  ["config, model and person", byConfig],
  ["the built-in tools that a program names", bySubset],
] as const)(
  "a request names no tool and no argument that it does not have, whatever %s give it",
  async ([, variants]) => {
    await using requests = await openRequests();
    const seen: Request[] = [];
    for (const variant of takeSome(variants)) seen.push(await requests.request(variant, seen.length));
    const fields = new Set(seen.flatMap(({ tools }) => fieldsOf(tools)));
    const faults = seen.flatMap(({ instructions, tools, input }) => {
      const own = new Set(fieldsOf(tools));
      const marked = listMarked(instructions);
      return [
        ...findStrangers(instructions, tools),
        ...findStrangers(JSON.stringify(tools), tools),
        ...findStrangers(JSON.stringify(input), tools),
        ...[...fields].filter((field) => marked.has(field) && !own.has(field) && !allNames.includes(field)),
        ...(instructions.includes("{{") ? ["{{"] : []),
      ].map((fault) => `${fault} with ${tools.map(nameOf).join(", ")}`);
    });
    expect(new Set(faults)).toEqual(new Set());
    expect(seen.some(({ instructions }) => instructions.includes("`write_stdin`"))).toBe(true);
  },
);

test("what calls give back names no tool that the thread does not have", async () => {
  const secret = "dpl-9aQ/x+7Zk2!mN4";
  const run = (command: string): Turn => ({ items: [{ call: "shell_command", arguments: { command, login: false } }] });
  const turns = [run("cat .env"), run("applypatch x"), { items: [{ call: "fly", arguments: {} }] }];
  await using world = await openThreadWorld({ script: { turns: [...turns, { items: [{ text: "End." }] }] } });
  await writeFile(join(world.work, ".env"), `TOKEN=${secret}\n`);
  await using thread = await world.openThread({ builtins: ["shell_command"], env: { DEPLOY_TOKEN: secret } });
  await runToEnd(thread, "Go");
  const { tools, input } = (world.model.requests.at(-1)?.body ?? {}) as unknown as Request;
  const text = JSON.stringify(input);
  for (const part of [
    "<masked_secrets>",
    "There is no program of that name.",
    "The tools you can call are: shell_command.",
  ])
    expect(text).toContain(part);
  expect(findStrangers(text, tools)).toEqual([]);
});
