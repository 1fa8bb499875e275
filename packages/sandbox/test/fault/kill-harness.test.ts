import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { whyNoSandbox } from "../fixture/sandbox.ts";

const script = fileURLToPath(new URL("../../../../conformance/sandbox/kill-harness.mjs", import.meta.url));

it.skipIf(whyNoSandbox !== null)("no command survives a harness that is killed at any point", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@unroll/source", script, "20"]);
  expect(stdout).toBe("20 harnesses killed, 0 left something running\n");
});
