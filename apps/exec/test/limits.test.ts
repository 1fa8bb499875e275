import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { ExecOptions } from "@unroll/exec";
import { openExecWorld } from "./exec-world.ts";

const says = { items: [{ text: "Done." }] };

test.for([
  ["permissions.x.nonsense=true", "permissions"],
  ["default_permissions=nonsense", 'there is no permission profile "nonsense"'],
  ["sandbox_moode=read-only", "sandbox_moode"],
  ["zzz.max_turns=3", "zzz.max_turns = 3"],
  ["features.network_proxy=true", "features.network_proxy = true"],
  ["features.shell_tool=false", "features.shell_tool = false"],
  ["features.view_image=false", "features.view_image = false"],
  ['approvals_reviewer="nobody"', "approvals_reviewer"],
  ['tools.allowed=["x"]', "tools.allowed"],
] as const)("-c %s is a limit that is not understood, so no request is sent", async ([config, message]) => {
  await using world = await openExecWorld({ script: { turns: [says] } });
  const ran = await world.run({ prompt: "Go", config: [config] });
  expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(message) as string });
  expect(world.model.requests).toEqual([]);
});

test("an unknown key that limits nothing is ignored with one line", async () => {
  await using world = await openExecWorld({ script: { turns: [says] } });
  const ran = await world.run({ prompt: "Go", config: ["zzz.colour=red"] });
  expect(ran.exitCode).toBe(0);
  expect(ran.stderr.match(/unknown key zzz/g)).toHaveLength(1);
});

test.for<readonly [ExecOptions, string]>([
  [{ fullAuto: true }, "workspace-write"],
  [{ fullAuto: true, sandbox: "read-only" }, "read-only"],
  [{ fullAuto: true, sandbox: "workspace-write" }, "workspace-write"],
  [{ fullAuto: true, sandbox: "danger-full-access" }, "workspace-write"],
  [{ approveForMe: true }, "workspace-write"],
  [{ config: ['default_permissions=":workspace"'] }, "workspace-write"],
])("%j works in the sandbox %s", async ([options, mode]) => {
  await using world = await openExecWorld({ script: { turns: [says] } });
  const ran = await world.run({ prompt: "Go", ...options });
  expect(ran.exitCode).toBe(0);
  expect(ran.stderr).toContain(` · ${mode} · `);
  expect(ran.stderr.includes("unroll has no automatic review")).toBe(options.approveForMe === true);
});

const invented = JSON.parse(
  readFileSync(new URL("../../../conformance/limits/invented.json", import.meta.url), "utf8"),
) as { readonly refused: Readonly<Record<string, unknown>>; readonly ignored: Readonly<Record<string, unknown>> };

test("invented limits of -c are refused, and other invented keys ignored", async () => {
  await using world = await openExecWorld({ script: { turns: [says] } });
  for (const [name, value] of Object.entries(invented.refused)) {
    const ran = await world.run({ prompt: "Go", config: [`${name}=${toToml(value)}`] });
    expect([name, ran.exitCode, ran.stderr.includes(`unknown key ${name}`)]).toEqual([name, 2, true]);
  }
  const config = Object.entries(invented.ignored).map(([name, value]) => `${name}=${toToml(value)}`);
  const ran = await world.run({ prompt: "Go", config });
  expect([ran.exitCode, ran.stderr.match(/unknown key/g)?.length]).toEqual([0, config.length]);
  expect(world.model.requests).toHaveLength(1);
});

/** A value as TOML, on one line. */
function toToml(value: unknown): string {
  return JSON.stringify(value).replaceAll('":', '"=');
}
