import { findNamedPrograms } from "@unroll/process-tree";
import { expect, test } from "vitest";

const list = (...entries: readonly (readonly [scope: string, key: string])[]): string =>
  entries.map((entry) => entry.map((field) => `${field}\0`).join("")).join("");

test("a repository's own settings that make git run programs are found, a person's are not", () => {
  const output = list(
    ["system", "filter.lfs.process"],
    ["global", "hook.mine.command"],
    ["command", "core.fsmonitor"],
    ["local", "core.bare"],
    ["local", "Filter.X.Y.clean"],
    ["worktree", "hook.evil.command"],
    ["local", "lfs.repositoryformatversion"],
    ["local", "lfs.customtransfer.a.path"],
    ["local", "core.sshcommand"],
  );
  expect(findNamedPrograms(output)).toEqual(["Filter.X.Y.clean", "hook.evil.command", "lfs.customtransfer.a.path"]);
});

test("what fetches counts where objects are missing that git would fetch", () => {
  const output = list(["local", "remote.o.promisor"], ["local", "core.sshcommand"], ["local", "protocol.ext.allow"]);
  expect(findNamedPrograms(output)).toEqual(["core.sshcommand", "protocol.ext.allow"]);
});

test("an output that is not whole says nothing; an empty one says that there are none", () => {
  expect([findNamedPrograms("local\0core.bare"), findNamedPrograms("local\0"), findNamedPrograms("")]).toEqual([
    null,
    null,
    [],
  ]);
});
