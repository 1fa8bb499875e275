import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { whyNoSandbox } from "../fixture/sandbox.ts";

const script = fileURLToPath(new URL("../../../../conformance/sandbox/attack.mjs", import.meta.url));
const isContinuousIntegration = process.env["CI"] === "true";

describe.skipIf(whyNoSandbox !== null)(
  "a hostile command and a process outside change nothing beyond the workspace",
  () => {
    it.each([
      ["that were tried before", 6, ["1"]],
      ["that nobody has tried yet", isContinuousIntegration ? 40 : 6, []],
    ])("by things %s", async (_, commands, seed) => {
      const args = [
        "--conditions=@unroll/source",
        "--disable-warning=ExperimentalWarning",
        script,
        String(commands),
        ...seed,
      ];
      // It exits with 1 where something got through; what it prints then says the seed and the steps.
      const stdout = await promisify(execFile)(process.execPath, args).then(
        (done) => done.stdout,
        (error: unknown) => String(Reflect.get(Object(error), "stdout")),
      );
      expect(stdout).toMatch(new RegExp(`^seed \\d+\\n\\{[^\\n]*"commands":${commands},[^\\n]*\\}\\n$`));
    });
  },
);
