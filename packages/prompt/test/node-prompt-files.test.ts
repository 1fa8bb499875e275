import { execFileSync } from "node:child_process";
import { mkdir, mkdtempDisposable, realpath, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodePromptFiles } from "@unroll/prompt/node";
import { expect, test } from "vitest";

async function makeFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtempDisposable(join(await realpath(tmpdir()), "unroll-prompt-test-"));
  return { path: folder.path, [Symbol.asyncDispose]: () => folder.remove() };
}

test("a file on disk is read up to the limit, with its whole size, also through a link", async () => {
  await using folder = await makeFolder();
  await writeFile(join(folder.path, "AGENTS.md"), "Use tabs.");
  await symlink("AGENTS.md", join(folder.path, "link"));
  const { dev, ino } = await stat(join(folder.path, "AGENTS.md"), { bigint: true });
  const realPath = await realpath(join(folder.path, "AGENTS.md"));
  const opened = { realPath, device: `${dev}`, inode: `${ino}`, links: 1 };
  const bytes = (text: string) => new Uint8Array(Buffer.from(text));
  const read = (name: string, maxBytes: number) => nodePromptFiles.read(join(folder.path, name), maxBytes);
  expect(await read("AGENTS.md", 100)).toEqual({ type: "read", bytes: bytes("Use tabs."), size: 9, opened });
  expect(await read("link", 3)).toEqual({ type: "read", bytes: bytes("Use"), size: 9, opened });
  expect(await read("link", 0)).toEqual({ type: "read", bytes: bytes(""), size: 9, opened });
});

test("a missing file, a folder and a pipe are values, and the pipe does not block", async () => {
  await using folder = await makeFolder();
  await mkdir(join(folder.path, "folder"));
  execFileSync("mkfifo", [join(folder.path, "pipe")]);
  await symlink("loop", join(folder.path, "loop"));
  const read = (name: string) => nodePromptFiles.read(join(folder.path, name), 100);
  expect(await read("none")).toEqual({ type: "missing" });
  expect(await read("folder")).toEqual({ type: "irregular" });
  expect(await read("pipe")).toEqual({ type: "irregular" });
  expect(await read("loop")).toEqual({ type: "unreadable", reason: expect.stringMatching(/link/) });
});

test("a folder on disk is listed under its real path, and links count as what they point at", async () => {
  await using folder = await makeFolder();
  const path = (name: string) => join(folder.path, name);
  await mkdir(path("skills/one"), { recursive: true });
  await writeFile(path("skills/two.md"), "");
  for (const [name, target] of Object.entries({ three: "one", four: "two.md", five: "none" }))
    await symlink(target, path(`skills/${name}`));
  await symlink("skills", path("link"));
  const listed = await nodePromptFiles.list(path("link"));
  const entries = listed.type === "listed" ? listed.entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)) : [];
  expect({ ...listed, entries }).toEqual({
    type: "listed",
    realPath: path("skills"),
    entries: [
      { name: "five", type: "other" },
      { name: "four", type: "file" },
      { name: "one", type: "folder" },
      { name: "three", type: "folder" },
      { name: "two.md", type: "file" },
    ],
  });
  expect(await nodePromptFiles.list(path("skills/two.md"))).toEqual({ type: "missing" });
});
