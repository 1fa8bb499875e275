import { readFileSync } from "node:fs";
import { clientRequests } from "@unroll/app-server-protocol";
import { expect, test } from "vitest";
import { codexSchema } from "./codex-schema.ts";
import { openServerWorld } from "./server-world.ts";

const page = readFileSync(new URL("../../../docs/app-server-methods.md", import.meta.url), "utf8");

/** The rows of a section: the methods, and what the page says of them. */
function readRows(title: string): ReadonlyMap<string, string> {
  const section = page.split("\n## ").find((each) => each.startsWith(`${title}\n`)) ?? "";
  const rows = [...section.matchAll(/^\| (`.+`) \| (.+) \|$/gm)];
  return new Map(
    rows.flatMap(([, cell = "", text = ""]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => [name, text])),
  );
}

const theirs = Object.keys(codexSchema.clientRequests);

test("the page of methods has every method of the Codex CLI once: served, or refused with the reason that clients get", async () => {
  const [served, refused] = [readRows("Served"), readRows("Refused")];
  expect([...served.keys()].toSorted()).toEqual(Object.keys(clientRequests).toSorted());
  expect([...refused.keys()].toSorted()).toEqual(theirs.filter((method) => !served.has(method)).toSorted());
  expect([...served.keys()].filter((method) => !theirs.includes(method))).toEqual(["thread/rollback"]);
  await using world = await openServerWorld({ script: { turns: [] } });
  const server = await world.open();
  for (const [method, reason] of refused)
    expect((await server.request(method, {})).error).toEqual({
      code: -32601,
      message: `There is no method ${method}: ${reason}`,
    });
});
