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
