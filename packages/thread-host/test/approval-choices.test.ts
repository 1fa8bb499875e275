import type { HostQuestion } from "@unroll/protocol";
import { listApprovalChoices } from "@unroll/thread-host";
import { expect, test } from "vitest";

test("always is offered for a host only where it ends the question", () => {
  const place = { threadId: "t", itemId: "item_0", askedBy: "rules", reason: "Why.", cwd: "/project" };
  const asked = { type: "host.approval", ...place, command: "npm install", hosts: ["a.example:443"] } as const;
  const list = (endsByRule: HostQuestion["endsByRule"]) =>
    listApprovalChoices({ ...asked, endsByRule }).map(({ id }) => id);
  expect([list(true), list(false)]).toEqual([
    ["once", "thread", "always", "no"],
    ["once", "thread", "no"],
  ]);
});
