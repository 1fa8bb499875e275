import { execFileSync } from "node:child_process";
import { link, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openServerWorld, type Told } from "./server-world.ts";

test("a client reads files, folders and what they are; hidden ones, unroll's own and links out of the project are refused", async () => {
  await using world = await openServerWorld({ script: { turns: [] } }, 'sandbox.deny_read = ["~/private"]');
  const { home, work } = world;
  const [session, login, secret, outside] = [
    join(home, ".codex/sessions/a.jsonl"),
    join(home, ".codex/auth.json"),
    join(home, "private/key.txt"),
    join(home, "outside.txt"),
  ];
  await mkdir(join(home, "private"));
  await mkdir(join(work, "src"));
  await mkdir(join(home, ".codex/sessions"));
  for (const path of [session, login, secret, outside, join(work, "a.txt")]) await writeFile(path, "text");
  await symlink(login, join(work, "login"));
  await symlink(join(home, "private"), join(work, "folder"));
  await symlink(outside, join(work, "out"));
  await link(secret, join(work, "name"));
  const server = await world.open();
  const ask = (method: string, path: string): Promise<Told> => server.request(`fs/${method}`, { path });

  expect((await ask("readFile", join(work, "a.txt"))).result).toEqual({
    dataBase64: Buffer.from("text").toString("base64"),
  });
  const listed = (await ask("readDirectory", work)).result?.["entries"];
  expect(listed).toContainEqual({ fileName: "src", isDirectory: true, isFile: false });
  expect(listed).toContainEqual({ fileName: "a.txt", isDirectory: false, isFile: true });
  expect((await ask("getMetadata", join(work, "src"))).result).toMatchObject({ isDirectory: true, isSymlink: false });
  expect((await ask("getMetadata", join(work, "a.txt"))).result).toMatchObject({ isFile: true, isDirectory: false });

  const refused = {
    [session]: "leads to a file of unroll's own folder",
    [login]: "",
    [secret]: "leads to a hidden file",
    [join(work, "login")]: "leads to a hidden file",
    [join(work, "out")]: "leads out of the project",
    [join(work, "name")]: "is another name of a hidden file",
  };
  for (const [path, reason] of Object.entries(refused))
    for (const method of ["readFile", "getMetadata"])
      expect((await ask(method, path)).error?.message).toContain(`${path} ${reason}`);
  for (const path of [join(home, "private"), join(work, "folder"), join(home, ".codex"), join(work, "a.txt")])
    expect((await ask("readDirectory", path)).error?.message).toMatch(/it was not read\.$/);
  expect((await ask("readFile", "a.txt")).error?.message).toBe("path: an absolute path is expected.");
  for (const path of [join(work, "none"), join(work, "none/none")])
    expect((await ask("readFile", path)).error?.message).toContain("is not there");
  expect((await ask("readFile", join(work, "src"))).error?.message).toContain("is not a regular file");
});

test("a search names no hidden file, and looks in no hidden folder nor in unroll's own, whatever leads there", async () => {
  await using world = await openServerWorld(
    { script: { turns: [] } },
    'sandbox.deny_read = ["~/../work/private", "~/den"]',
  );
  const { home, work } = world;
  for (const folder of ["private/deep", "open"]) await mkdir(join(work, folder), { recursive: true });
  await mkdir(join(home, "den"));
  const files = [join(work, "private/deep/needle.txt"), join(work, "open/needle.txt"), join(home, "den/needle.txt")];
  for (const path of [...files, join(home, ".codex/needle.txt")]) await writeFile(path, "");
  for (let n = 0; n < 60; n += 1) await writeFile(join(work, `private/needle${n}`), ""); // more than are ever named
  await symlink(join(home, "den"), join(work, "link"));
  await symlink(work, join(home, "same"));
  const server = await world.open();
  const search = async (root: string): Promise<Told> =>
    server.request("fuzzyFileSearch", { query: "needle", roots: [root] });
  for (const isGit of [false, true]) {
    if (isGit) execFileSync("git", ["init", "-q", work]);
    for (const root of [work, join(home, "same")]) {
      const files = (await search(root)).result?.["files"];
      expect(files).toMatchObject([{ root, path: "open/needle.txt" }]);
    }
    expect((await search(home)).result?.["files"]).not.toContainEqual(
      expect.objectContaining({ path: expect.stringMatching(/private|den/) as string }),
    );
    for (const hidden of [join(work, "private"), join(work, "link"), join(home, "den"), join(home, ".codex")])
      expect((await search(hidden)).error?.message).toMatch(/it was not read\.$/);
    expect((await search(join(work, "none"))).result).toEqual({ files: [] });
  }
});

test("pipes, devices, loops, files of /proc and other names of a login are never read, and nothing waits for them", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const { home, work } = world;
  const at = (name: string): string => join(work, name);
  const login = join(home, ".codex/auth.json");
  await writeFile(login, "secret");
  execFileSync("mkfifo", [at("pipe")]);
  await symlink(at("pipe"), at("to-pipe"));
  await symlink("loop", at("loop"));
  await symlink(join(home, ".codex"), at("folder"));
  await link(login, at("name"));
  const server = await world.open();
  const refused = [at("pipe"), at("to-pipe"), at("loop"), at("folder/auth.json"), at("name"), "/dev/zero", `/${login}`];
  for (const path of [...refused, `/proc/self/root${login}`, join(home, ".codex/../.codex/auth.json")])
    expect((await server.request("fs/readFile", { path })).error?.message).toMatch(/it was not read\.$/);
  expect((await server.request("fs/readFile", { path: "/proc/self/environ" })).result).toEqual({ dataBase64: "" });
});

test("only a saved thread is resumed by its file: no pipe, no link to another kind of file, no garbage", async () => {
  await using world = await openServerWorld({ script: { turns: [] } });
  const folder = join(world.home, ".codex/sessions/2026/11/21");
  await mkdir(folder, { recursive: true });
  const toPath = (n: number): string =>
    join(folder, `rollout-2026-11-21T22-02-46-01a20022-2187-7ac0-b6b4-dc79acab60e${n}.jsonl`);
  execFileSync("mkfifo", [toPath(1)]);
  await symlink("/etc/passwd", toPath(2));
  await writeFile(toPath(3), "[".repeat(3_000_000));
  const foreign = join(world.work, "rollout-2026-11-21T22-02-46-01a20022-2187-7ac0-b6b4-dc79acab60e4.jsonl");
  await writeFile(foreign, '{"type":"session_meta","payload":{"id":"01a20022-2187-7ac0-b6b4-dc79acab60e4"}}\n');
  const server = await world.open();
  for (const path of [toPath(1), toPath(2), toPath(3), toPath(4), foreign])
    expect((await server.request("thread/resume", { threadId: "", path })).error?.message).toBe(
      `path: ${path} is not the file of a saved thread of this CODEX_HOME.`,
    );
});
