import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findUserShell } from "@unroll/harness";
import { expect, test } from "vitest";

test("commands run in the user's shell if it is there and known, otherwise in bash, and in sh where there is no bash", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-shells-"));
  const [full, bare] = ["full", "bare"].map((name) => join(folder.path, name)) as [string, string];
  for (const each of [full, bare]) mkdirSync(each);
  for (const name of ["bash", "zsh", "fish"]) writeFileSync(join(full, name), "");
  const find = async (env: Readonly<Record<string, string>>): Promise<readonly string[]> =>
    (await findUserShell({ env }, true)).toArgv("ls", { login: true });
  expect([
    await find({ PATH: bare, SHELL: join(full, "zsh") }),
    await find({ PATH: full, SHELL: join(full, "fish") }),
    await find({ PATH: full, SHELL: join(bare, "bash") }),
    await find({ PATH: full }),
    await find({ PATH: bare }),
    await find({}),
  ]).toEqual([
    [join(full, "zsh"), "-lc", "ls"],
    ["bash", "-lc", "ls"],
    ["bash", "-lc", "ls"],
    ["bash", "-lc", "ls"],
    ["sh", "-lc", "ls"],
    ["bash", "-lc", "ls"],
  ]);
});

test("without SHELL and HOME, those of the system's list of users count", () => {
  const { homedir, shell } = userInfo();
  const entry = fileURLToPath(new URL("../src/node.ts", import.meta.url));
  const program = `import { nodeHost } from ${JSON.stringify(entry)}; const { HOME, SHELL } = nodeHost().env; console.log(JSON.stringify({ HOME, SHELL }));`;
  const read = (env: Readonly<Record<string, string>>): unknown =>
    JSON.parse(
      execFileSync(process.execPath, ["-C", "@unroll/source", "--input-type=module", "-e", program], {
        env: { PATH: "/usr/bin:/bin", ...env },
        encoding: "utf8",
      }),
    );
  expect(read({})).toEqual({ HOME: homedir, ...(shell && { SHELL: shell }) });
  expect(read({ HOME: "/proc", SHELL: "/bin/own" })).toEqual({ HOME: "/proc", SHELL: "/bin/own" });
});
