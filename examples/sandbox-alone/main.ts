// The sandbox without a model: any command in the sandbox of an agent's commands.
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "@unroll/config";
import { forEach } from "@unroll/flow";
import { openSandbox } from "@unroll/harness";
import { nodeHost } from "@unroll/harness/node";

await using folder = await mkdtempDisposable(join(tmpdir(), "sandbox-alone-"));
const host = nodeHost({ cwd: folder.path, env: { PATH: process.env["PATH"], HOME: folder.path } });
const config = await loadConfig({
  codexHome: join(folder.path, ".codex"),
  cwd: host.cwd,
  env: host.env,
  overrides: [{ key: "sandbox_mode", value: "workspace-write", origin: "this example" }],
  flags: {},
});
await using sandbox = await openSandbox(config, host);
const runner = await sandbox.openRunner();

for (const script of ["echo data > here.txt && cat here.txt", "echo data > /etc/there.txt"]) {
  const spec = {
    argv: ["sh", "-c", script],
    cwd: host.cwd,
    timeoutMs: 10_000,
    maxOutputBytes: 40_000,
    confinement: "policy",
  } as const;
  let output = "";
  const running = runner.run(spec, new AbortController().signal);
  const outcome = await forEach(running, ({ text }) => void (output += text));
  console.log(outcome.type === "exited" ? `exit ${outcome.exitCode}: ${output.trim()}` : outcome.type);
}
