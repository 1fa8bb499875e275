import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const program = `
  import { registerHooks } from "node:module";
  const loaded = new Set();
  registerHooks({ load(url, context, next) { loaded.add(/packages\\/([a-z-]+)\\/(?:src|dist)/.exec(url)?.[1]); return next(url, context); } });
  await import("@unroll/harness");
  console.log(JSON.stringify([...loaded].filter((name) => name !== undefined).toSorted()));
`;

test("importing the harness loads no part that only a thread needs", async () => {
  const args = ["--conditions=@unroll/source", "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  expect(JSON.parse(stdout)).toEqual(["harness", "protocol", "text", "tools"]);
});
