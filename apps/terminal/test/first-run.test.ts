import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLlamaServerGuise, createVllmGuise, startScriptedModel } from "@unroll/scripted-model";
import { keys, openTerminalWorld, readSent } from "./terminal-world.ts";

const ready = "gpt-5-codex";

test("on its first run it asks who is to answer, and the demo does", async () => {
  await using world = await openTerminalWorld({ isBare: true });
  const seat = world.start();
  await seat.shows("Which one do you want to use?");
  await seat.pass(1000);
  seat.type("4");
  await seat.shows("the built-in demo model answers");
  expect(seat.screen().join("\n")).not.toContain("Which one do you want to use?");
});

test("a local model that does not answer is reported, and you can choose something else", async () => {
  await using world = await openTerminalWorld({ isBare: true, env: { CODEX_OSS_BASE_URL: "http://127.0.0.1:1/v1" } });
  const seat = world.start();
  for (const [shown, key] of [
    ["Which one do you want to use?", "3"],
    ["Which program serves the model?", "1"],
    ["nothing listens there", "4"],
  ] as const) {
    await seat.shows(shown);
    await seat.shows("› 1  ");
    await seat.pass(1000);
    seat.type(key);
    await seat.hides(shown === "nothing listens there" ? "Who is" : shown);
  }
  await seat.shows("the built-in demo model answers");
  expect(seat.screen().join("\n")).toContain("Ollama does not answer at http://127.0.0.1:1");
});

test("local servers are offered with their program and models, and used once you choose one", async () => {
  const turns = [{ items: [{ text: "From the llama." }] }];
  await using llama = await startScriptedModel({ script: { turns }, guise: createLlamaServerGuise({ model: "lab" }) });
  const guise = createVllmGuise({ models: ["a", "b"] });
  await using vllm = await startScriptedModel({ script: { turns: [] }, guise });
  const ports = [llama, vllm].map(({ url }) => new URL(url).port);
  await using world = await openTerminalWorld({ isBare: true, config: `local_ports = [${ports.join(", ")}, 1]` });
  const seat = world.start();
  await seat.shows(`1  llama.cpp, port ${ports[0]}`);
  await seat.shows("2 models: a, b");
  expect([...llama.requests, ...vllm.requests]).toEqual([]);
  await seat.pass(1000);
  seat.type("2");
  await seat.shows("Which model of vLLM?");
  await seat.pass(1000);
  seat.type(keys.escape);
  await seat.shows("Which one do you want to use?");
  await seat.pass(1000);
  seat.type("1");
  await seat.shows("lab");
  await seat.hides("Which one do you want to use?");
  seat.type(`Hi${keys.enter}`);
  await seat.shows("From the llama.");
  expect(llama.requests[0]?.body["model"]).toBe("lab");
});

test("a project that brings settings is asked about once, with what trust means", async () => {
  await using world = await openTerminalWorld({
    files: {
      ".git/HEAD": "",
      ".git/objects/x": "",
      ".git/refs/x": "",
      ".codex/config.toml": 'model_verbosity = "low"\n',
    },
  });
  const seat = world.start();
  await seat.shows("Trust this project?");
  await seat.pass(1000);
  seat.type("2");
  await seat.shows("trusted.");
  expect(await readFile(join(world.home, ".codex/config.toml"), "utf8")).toContain('trust_level = "trusted"');
  await seat.leave();
  const again = world.start();
  await again.shows(ready);
});

test("the first start in a folder asks once whether the model may edit there, and keeps the answer for the folder", async () => {
  const turns = ["one", "two"].flatMap((name) => {
    const input = `*** Begin Patch\n*** Add File: ${name}.txt\n+text\n*** End Patch`;
    return [{ items: [{ custom: "apply_patch", input }] }, { items: [{ text: `done ${name}` }] }];
  });
  await using world = await openTerminalWorld({ config: 'approval_policy = "never"', turns });
  const first = world.start({ prompt: "make one" });
  await first.shows("May I edit files here?");
  await first.shows("the model reads files; it asks before it changes one");
  expect(world.model.requests).toHaveLength(0);
  await first.pass(1000);
  first.type("y");
  await first.shows("done one");
  await first.leave();
  const config = await readFile(join(world.home, ".codex/config.toml"), "utf8");
  expect(config).toContain(`[projects.${JSON.stringify(world.work)}]\nsandbox_mode = "workspace-write"`);
  expect(await readFile(join(world.work, "one.txt"), "utf8")).toBe("text\n");

  const second = world.start({ prompt: "make two" });
  await second.shows("done two");
  expect(second.screen().join("\n")).not.toContain("May I edit");
  expect(await readFile(join(world.work, "two.txt"), "utf8")).toBe("text\n");
});

test("a folder stays read-only if the question is left, and a set sandbox mode is not asked about", async () => {
  const input = "*** Begin Patch\n*** Add File: one.txt\n+text\n*** End Patch";
  const turns = [{ items: [{ custom: "apply_patch", input }] }];
  await using world = await openTerminalWorld({ config: 'approval_policy = "never"', turns });
  const seat = world.start({}, { columns: 120, rows: 24 });
  await seat.shows("May I edit files here?");
  await seat.pass(1000);
  seat.type(keys.escape);
  await seat.shows("read-only · ask never");
  seat.type(`edit it${keys.enter}`);
  await seat.shows("This thread is read-only. Shift+Tab (or /mode edit) lets the model edit");
  await seat.shows("all finished");
  expect(readSent(world.model.requests[1])).not.toContain("Shift+Tab");
  await seat.leave();
  expect(await readFile(join(world.home, ".codex/config.toml"), "utf8")).not.toContain("projects");
  const set = world.start({ sandbox: "workspace-write" }, { columns: 120, rows: 24 });
  await set.shows("workspace-write · ask never");
});

test("line by line, the first start asks the same, and a refusal names the command that lets the model edit", async () => {
  const input = "*** Begin Patch\n*** Add File: one.txt\n+text\n*** End Patch";
  const turns = [{ items: [{ custom: "apply_patch", input }] }];
  await using world = await openTerminalWorld({ config: 'approval_policy = "never"', turns });
  const seat = world.start({ plain: true }, { columns: 120, rows: 24 });
  await seat.shows("? May I edit files here?");
  await seat.shows("  n  no, read only: the model reads files;");
  await seat.shows("Letter or name: ");
  seat.type("n\n");
  await seat.shows("read-only. /mode changes it for a thread.");
  await seat.shows("> ");
  seat.type("edit it\n");
  await seat.shows("This thread is read-only. /mode edit lets the model edit in the working folder.");
  await seat.shows("all finished");
  const config = await readFile(join(world.home, ".codex/config.toml"), "utf8");
  expect(config).toContain('sandbox_mode = "read-only"');
});
