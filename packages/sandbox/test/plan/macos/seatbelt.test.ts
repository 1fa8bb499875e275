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
  expect(planSeatbelt(command, { rules, networkAccess: false, proxyPort: null }, backend)).toMatchSnapshot();
});

it("the network is open only when the policy says so", () => {
  const [open, closed] = [true, false].map(
    (networkAccess) => planSeatbelt(command, { rules: [], networkAccess, proxyPort: null }, backend).args[1] ?? "",
  );
  expect(open?.replace(closed ?? "", "")).toMatchSnapshot();
});

it("where hosts are allowed by name, the proxy's port alone can be reached, and variables lead there", () => {
  const [closed, hosts] = [null, 43_128].map((proxyPort) =>
    planSeatbelt(command, { rules: [], networkAccess: false, proxyPort }, backend),
  );
  expect(hosts?.args[1]?.replace(closed?.args[1] ?? "", "")).toBe(
    '\n(allow network-outbound (remote ip "localhost:43128"))',
  );
  expect(hosts?.environment).toMatchObject({
    PATH: "/bin",
    HTTPS_PROXY: "http://127.0.0.1:43128",
    GIT_SSH_COMMAND: "ssh -o 'ProxyCommand=/usr/bin/nc -X connect -x 127.0.0.1:43128 %h %p'",
  });
});
