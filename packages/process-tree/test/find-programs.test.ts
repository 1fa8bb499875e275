import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempDisposableSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { platform, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { findSystemProgram, openPrograms, type ProgramPlaces, systemFolders } from "@unroll/process-tree";
import { describe, expect, it } from "vitest";

const isRoot = userInfo().uid === 0;

/** A folder outside /tmp, because no program is taken from there. */
function createPlaces(): Disposable & { readonly path: string; readonly put: (file: string) => string } {
  const folder = mkdtempDisposableSync("/var/tmp/unroll-programs-");
  const path = realpathSync(folder.path);
  return {
    path,
    put(file) {
      const program = join(path, file);
      mkdirSync(dirname(program), { recursive: true });
      writeFileSync(program, "#!/bin/sh\n");
      chmodSync(program, 0o755);
      return program;
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

describe.skipIf(platform() === "win32")("a program that the user brings", () => {
  /** Where `tool` is found on a PATH of these folders. */
  const find = (folders: readonly string[], places: Omit<ProgramPlaces, "env">, env: ProgramPlaces["env"] = {}) => {
    const programs = openPrograms({ ...places, env: { ...env, PATH: folders.join(":") } });
    const found = programs.find("tool");
    return {
      found: found.type === "found" ? found.file : found.passedOver,
      type: found.type,
      PATH: programs.environment["PATH"],
    };
  };

  it("is not taken from another work tree of the repository", () => {
    using places = createPlaces();
    const { path, put } = places;
    const git = (...args: readonly string[]): void =>
      void execFileSync("git", ["-C", join(path, "main"), "-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        stdio: "ignore",
      });
    put("main/bin/tool");
    git("init");
    git("add", ".");
    git("commit", "-m", "one");
    git("worktree", "add", "../linked");
    const [main, linked] = [join(path, "main"), join(path, "linked")];
    for (const [cwd, bin] of [
      [linked, "main/bin"],
      [main, "linked/bin"],
    ] as const)
      expect(find([join(path, bin)], { cwd })).toMatchObject({ type: "missing", found: join(path, bin, "tool") });
  });

  it.each([
    ["the working folder", "project/sub/bin", {}],
    ["the root of its repository", "project/bin", {}],
    ["a folder between", "project/between/bin", {}],
    ["any node_modules", "elsewhere/node_modules/.bin", {}],
    ["a writable folder", "writable/bin", {}],
    ["a known project", "known/bin", {}],
    ["$TMPDIR", "temporary/bin", {}],
    ["a link to the project", "link-to-project/bin", {}],
  ])("is not taken from %s", (_, folder) => {
    using places = createPlaces();
    const { path, put } = places;
    const own = put("own/tool");
    for (const name of ["project/sub/bin", "project/bin", "project/between/bin", "elsewhere/node_modules/.bin"])
      put(`${name}/tool`);
    for (const name of ["writable/bin", "known/bin", "temporary/bin"]) put(`${name}/tool`);
    mkdirSync(join(path, "project/.git"));
    writeFileSync(join(path, "project/.git/HEAD"), "ref: refs/heads/main\n");
    for (const name of ["objects", "refs"]) mkdirSync(join(path, "project/.git", name));
    symlinkSync(join(path, "project"), join(path, "link-to-project"));
    const cwd = join(path, "project/sub");
    const projects = [join(path, "writable"), join(path, "known")];
    const env = { TMPDIR: join(path, "temporary") };
    const planted = join(path, folder);
    expect(find([planted, dirname(own)], { cwd, projects }, env)).toEqual({
      found: own,
      type: "found",
      PATH: dirname(own),
    });
    expect(find([planted], { cwd, projects }, env)).toMatchObject({ found: join(planted, "tool"), type: "missing" });
  });

  it("is not taken from a relative folder, nor from /tmp, nor as a link that leads into the project", () => {
    using places = createPlaces();
    const { path, put } = places;
    using temporary = mkdtempDisposableSync("/tmp/unroll-programs-");
    for (const folder of ["project/bin", "project"]) put(`${folder}/tool`);
    writeFileSync(join(temporary.path, "tool"), "", { mode: 0o755 });
    mkdirSync(join(path, "links"));
    symlinkSync(join(path, "project/bin/tool"), join(path, "links/tool"));
    const cwd = join(path, "project");
    expect(find(["bin", "", ".", temporary.path, join(path, "links")], { cwd }).type).toBe("missing");
    expect(find(["/tmp", temporary.path, "/proc/self/cwd/bin", "/dev/fd/..", "/usr/bin"], { cwd }).PATH).toBe(
      "/usr/bin",
    );
    // Readers of a search path take an empty one for the working folder.
    expect(find(["bin", ""], { cwd }).PATH).toBe(systemFolders.join(":"));
  });

  it("is taken from where the user's own tools are, in the order of PATH", () => {
    using places = createPlaces();
    const { path, put } = places;
    const folders = [".local/bin", ".pyenv/shims", ".local/share/mise/shims", "linuxbrew/.linuxbrew/bin"];
    const files = folders.map((folder) => put(`${folder}/tool`));
    // Programs of npm are links into its own node_modules.
    put("lib/node_modules/tool/cli.js");
    mkdirSync(join(path, "global/bin"), { recursive: true });
    symlinkSync("../../lib/node_modules/tool/cli.js", join(path, "global/bin/tool"));
    const all = [...files.map((file) => dirname(file)), join(path, "global/bin")];
    for (const [index] of all.entries()) {
      const rest = all.slice(index);
      expect(find(rest, { cwd: join(path, "project") })).toEqual({
        found: join(rest[0] ?? "", "tool"),
        type: "found",
        PATH: rest.join(":"),
      });
    }
  });

  it("stands for itself where it is named by a path", () => {
    const programs = openPrograms({ env: {}, cwd: "/somewhere" });
    expect([programs.find("/x/tool"), programs.find("./tool"), programs.find("bin/tool", "/else")]).toEqual([
      { type: "found", file: "/x/tool" },
      { type: "found", file: "/somewhere/tool" },
      { type: "found", file: "/else/bin/tool" },
    ]);
  });

  it.skipIf(isRoot)("is not taken from where others can write (as root the place alone decides)", () => {
    using places = createPlaces();
    const { path, put } = places;
    const tool = put("shared/bin/tool");
    const cwd = join(path, "project");
    for (const open of [dirname(tool), dirname(dirname(tool)), tool]) {
      expect(find([dirname(tool)], { cwd }).type).toBe("found");
      chmodSync(open, 0o777);
      expect(find([dirname(tool)], { cwd }).type).toBe("missing");
      chmodSync(open, 0o755);
    }
  });

  it.skipIf(!isRoot)(
    "is taken by root from where the place is right, even if others may write there (needs root)",
    () => {
      using places = createPlaces();
      const tool = places.put("shared/bin/tool");
      chmodSync(dirname(tool), 0o777);
      expect(find([dirname(tool)], { cwd: join(places.path, "project") }).type).toBe("found");
    },
  );
});

describe.skipIf(platform() === "win32")("a program of the system", () => {
  it("is the shell, in a folder of the system", () => {
    expect(systemFolders.map((folder) => join(folder, "sh"))).toContain(findSystemProgram("sh"));
    expect(findSystemProgram("unroll-no-such-program")).toBeNull();
  });
});
