import { toCommandFile } from "@unroll/process-tree";
import { expect, it } from "vitest";
import { planSeatbelt } from "../../../src/plan/macos/plan-seatbelt.ts";

const command = {
  argv: ["bash", "-lc", "true"],
  cwd: "/Users/u/work",
  environment: { PATH: "/bin" },
  hasTerminal: false,
};
const backend = { type: "seatbelt", file: toCommandFile("/usr/bin/sandbox-exec") } as const;

it("a policy becomes a Seatbelt profile with every path a parameter", () => {
  const rules = [
    { type: "writable", path: "/Users/u/work" },
    { type: "read-only", path: "/Users/u/work/.git" },
    { type: "absent", path: "/Users/u/work/.codex" },
    { type: "hidden-file", path: "/Users/u/.codex/auth.json" },
  ] as const;
  expect(planSeatbelt(command, { rules, networkAccess: false }, backend)).toMatchSnapshot();
});

it("the network is open only when the policy says so", () => {
  const [open, closed] = [true, false].map(
    (networkAccess) => planSeatbelt(command, { rules: [], networkAccess }, backend).args[1] ?? "",
  );
  expect(open?.replace(closed ?? "", "")).toMatchSnapshot();
});
