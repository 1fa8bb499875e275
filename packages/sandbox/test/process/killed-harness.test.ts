import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { findProcesses, waitUntil } from "../fixture/processes.ts";

const harness = fileURLToPath(new URL("../fixture/harness-to-kill.ts", import.meta.url));

it.each([
  ["in its group", (word: string) => `bash -c 'sleep 60; true' ${word}`],
  ["in a session of its own", (word: string) => `setsid bash -c 'sleep 60; true' ${word}; sleep 60`],
])("a command ends when the harness is killed: %s", async (_, script) => {
  const word = randomUUID();
  const child = spawn(process.execPath, ["-C", "@unroll/source", harness, script(word)], { stdio: "ignore" });
  // A harness from its sources, on a busy machine.
  await waitUntil(() => findProcesses(word).length > 0);
  child.kill("SIGKILL");
  await once(child, "exit");
  await waitUntil(() => findProcesses(word).length === 0);
  expect(findProcesses(word)).toEqual([]);
});
