import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createLlamaServerGuise, createVllmGuise, startScriptedModel } from "@unroll/scripted-model";
import { keys, openTerminalWorld } from "./terminal-world.ts";

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

test("a model on this machine that does not answer is told, and something else can be chosen", async () => {
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

test("servers on this machine are offered by what they are and have, and used after a yes", async () => {
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
