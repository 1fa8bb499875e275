import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openServerWorld } from "./server-world.ts";

const invented = JSON.parse(
  readFileSync(new URL("../../../conformance/limits/invented.json", import.meta.url), "utf8"),
) as { readonly refused: Readonly<Record<string, unknown>>; readonly ignored: Readonly<Record<string, unknown>> };

test("invented limits are refused, and other invented arguments ignored", async () => {
  await using world = await openServerWorld({ script: { turns: [{ items: [{ text: "Done." }] }] } });
  const server = await world.open();
  for (const [name, value] of Object.entries(invented.refused))
    for (const tool of ["codex", "unroll"]) {
      const { isError, content } = await server.call(tool, { prompt: "Hi", [name]: value });
      expect([name, isError, JSON.stringify(content).includes(`${tool}: ${name}`)]).toEqual([name, true, true]);
    }
  expect((await server.call("codex", { prompt: "Hi", ...invented.ignored })).isError).toBeUndefined();
  expect(server.stderr()).toContain(
    `ignored ${Object.keys(invented.ignored).join(", ")}: unroll does not know these members.`,
  );
});

test.for([
  { decision: "approved", readOnly: true },
  { action: "accept", _meta: { allowedPaths: ["/tmp"] } },
])("an approval with a limit that the server does not know is a denial: %j", async (answer) => {
  const outside = {
    call: "exec_command",
    arguments: { cmd: "touch made", sandbox_permissions: "require_escalated", justification: "It is needed." },
  };
  const turns = [{ items: [outside] }, { items: [{ text: "Done." }] }];
  await using world = await openServerWorld({ script: { turns }, allowViolations: true });
  const asked: string[] = [];
  const server = await world.open(({ message }) => {
    asked.push(message);
    return answer as never;
  });
  await server.call("unroll", { prompt: "Go", approvalPolicy: "on-request" });
  expect(asked).toHaveLength(1);
  expect(existsSync(join(world.work, "made"))).toBe(false);
});
