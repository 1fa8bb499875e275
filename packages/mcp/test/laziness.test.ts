import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { compiled } from "./fixture/servers.ts";

it("the SDK is loaded when a server is started, and not before", async () => {
  const script = fileURLToPath(import.meta.resolve("./fixture/report-imports.ts"));
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@unroll/source", script], {
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
  });
  expect(JSON.parse(stdout)).toEqual({ afterImport: false, withoutServers: false, withServer: true });
});
