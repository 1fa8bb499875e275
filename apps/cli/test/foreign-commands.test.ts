import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { describeForeign, foreignCommands } from "../src/foreign-commands.ts";
import { aliases, subcommands } from "../src/program.ts";
import { openInProcessWorld, openModelWorld } from "./run-in-process.ts";

const file = new URL("../../../conformance/front-ends/codex-commands-0.169.json", import.meta.url);
const { commands } = JSON.parse(readFileSync(file, "utf8")) as { readonly commands: readonly string[] };

test("every subcommand of the Codex CLI is one of unroll, or is answered", () => {
  const ours = [...Object.keys(subcommands), ...Object.keys(aliases), "help"];
  expect(commands.filter((name) => !ours.includes(name) && describeForeign(name) === null)).toEqual([]);
  expect(Object.keys(foreignCommands).filter((name) => ours.includes(name) || !commands.includes(name))).toEqual([]);
});

test.for([
  [["features", "list"], "features is a subcommand of the Codex CLI that unroll does not have: it lists and switches"],
  [["-c", "model=x", "features", "list"], "features is a subcommand"],
  [["-C", "/tmp", "--oss", "cloud"], "cloud is a subcommand"],
  [["a"], "a is a subcommand of the Codex CLI that unroll does not have: it applies the latest diff"],
  [["apply", "TASK"], "unroll apply-patch applies a patch from stdin."],
  [["debug", "models"], "Use unroll models"],
  [["archive", "x"], "Use unroll threads archive ID."],
] as const)("%j is not sent as a prompt", async ([args, message]) => {
  await using world = await openInProcessWorld();
  const ran = await world.run(args);
  expect(ran).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining(message) as string });
});

test.for([
  [["help"], "Usage: unroll [options] [command] [prompt]"],
  [["help", "exec"], "Usage: unroll exec|e"],
] as const)("%j is the help", async ([args, beginning]) => {
  await using world = await openInProcessWorld();
  const ran = await world.run(args);
  expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(beginning) as string });
});

test.for([
  ["exec", "--yolo", "Hi"],
  ["exec", "resume", "--last", "--yolo", "Hi"],
  ["--yolo", "--no-alt-screen", "--enable", "multi_agent", "--plain", "Hi"],
  ["resume", "--last", "--yolo", "--no-alt-screen", "--disable", "goals", "--plain"],
])("flags of the Codex CLI's terminal program count, or do no harm: %j", async (args) => {
  const text = { items: [{ text: "Hello." }] };
  await using world = await openModelWorld({ script: { turns: [text, text], checks: { prefix: false } } });
  if (args.includes("--last")) await world.run(["exec", "Before"]);
  const ran = await world.run(args, { stdin: args.includes("Hi") ? "" : "Hi\n" });
  expect(ran.stderr).not.toContain("unknown option");
  const sent = JSON.stringify(world.model.requests.at(-1)?.body);
  expect(["# Sandbox: none", "# Approvals: never", "Hi"].filter((each) => !sent.includes(each))).toEqual([]);
});
