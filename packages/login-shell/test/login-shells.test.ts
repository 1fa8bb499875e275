import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPathMemory } from "@unroll/files";
import type { CommandSpec } from "@unroll/protocol";
import { openShellWorld } from "./shell-world.ts";

function fileOf(spec: CommandSpec): string {
  return spec.environment?.["BASH_ENV"] ?? "";
}

describe("a profile", () => {
  it("runs once for all commands, and only when one needs it", async () => {
    await using world = await openShellWorld({ files: { ".profile": "echo hi; export A=1" } });
    await world.enter(world.toSpec("true", { argv: ["bash", "-c", "true"] }));
    expect(world.runs).toEqual([]);
    const first = await world.enter(world.toSpec("echo $A"));
    expect(world.runs.length).toBe(1);
    const second = await world.enter(world.toSpec("echo $A"));
    expect([world.runs.length, second]).toEqual([1, first]);
    expect(await world.run(first)).toBe("1\n");
  });

  it("is kept where each command has other limits, as the sandbox sets them, and those that it sets hold", async () => {
    await using world = await openShellWorld({
      files: { ".profile": "greet() { echo hi; }; ulimit -Ss 4096" },
      prelude: (count) => `ulimit -n ${1_000 - count}`,
    });
    const entered = await world.enter(world.toSpec("greet; ulimit -s; ulimit -n"));
    expect(world.warnings).toEqual([]);
    expect(await world.run(entered)).toBe(`hi\n4096\n${1_000 - world.runs.length}\n`);
  });

  it("runs again for the next command where the sandbox had something to say: it was held to a limit, perhaps", async () => {
    await using world = await openShellWorld({
      files: { ".profile": "export A=1" },
      prelude: (count) => (count === 1 ? "echo 'unroll: a process could not be started' >&2" : ":"),
    });
    const spec = world.toSpec("echo $A");
    expect(await world.enter(spec)).toEqual(spec);
    const entered = await world.enter(spec);
    expect([entered.argv[1], await world.run(entered)]).toEqual(["--norc", "1\n"]);
    expect(world.warnings).toEqual(["unroll: a process could not be started"]);
  });

  it("runs for all that wait for it at once, and again where the one that it ran for is stopped", async () => {
    await using world = await openShellWorld({ files: { ".profile": "export A=1" } });
    const entered = await Promise.all(
      ["echo $A", "echo $A", "echo $A"].map((script) => world.enter(world.toSpec(script))),
    );
    expect([new Set(entered.map(fileOf)).size, world.runs.length]).toEqual([1, 1]);
    const other = { cwd: "/" };
    const stopped = world.stopSoon(world.toSpec("echo $A", other));
    const waiting = world.enter(world.toSpec("echo $A", other));
    expect((await stopped).argv[1]).toBe("-lc");
    expect(await world.run(await waiting)).toBe("1\n");
    expect(world.warnings).toEqual([]);
  });

  it("is not shared by commands with another folder, sandbox, environment or filter", async () => {
    await using world = await openShellWorld({ files: { ".profile": "export AT=$PWD" } });
    const spec = world.toSpec("echo $AT");
    const entered = [
      await world.enter(spec),
      await world.enter({ ...spec, cwd: "/" }),
      await world.enter({ ...spec, confinement: "none" }),
      await world.enter({ ...spec, environment: { GIT_PAGER: "cat" } }),
      await world.enter(spec, { walls: "others" }),
      await world.enter(spec, { filterId: "other" }),
      await world.enter({ ...spec, argv: ["/bin/bash", "-lc", "echo $AT"] }),
    ];
    expect(new Set(entered.map(fileOf)).size).toBe(entered.length);
    const unconfined = await world.enter({ ...spec, confinement: "none" }, { walls: null });
    expect(fileOf(unconfined)).toBe(fileOf(entered[2] ?? spec));
  });

  it("is kept for the folders that were used last, and the file of another one goes when nobody can be reading it", async () => {
    await using world = await openShellWorld({ files: { ".profile": "export A=1" }, maxKept: 2 });
    const enterIn = (cwd: string): Promise<CommandSpec> => world.enter(world.toSpec("echo $A", { cwd }));
    const [first, second] = [await enterIn("/"), await enterIn("/usr")];
    await enterIn("/");
    world.runs.splice(0);
    await enterIn("/bin");
    expect([world.runs.length, await world.run(second)]).toEqual([1, "1\n"]);
    world.runs.splice(0);
    await enterIn("/");
    expect(world.runs.splice(0).length).toBe(0);
    world.clock.elapsedMs += 60_000;
    await enterIn("/usr");
    expect([world.runs.length, existsSync(fileOf(second)), existsSync(fileOf(first))]).toEqual([1, false, true]);
  });

  it("whose files stay known runs again where they are forgotten, where commands may write them, and once for a newer result", async () => {
    await using world = await openShellWorld({ files: { ".profile": "export A=1" } });
    const paths = createPathMemory();
    const see = async (cwd: string): Promise<unknown> => {
      const entered = await world.enter(world.toSpec("echo $A", { cwd }), { paths });
      const hasRun = world.runs.splice(0).length > 0;
      const text = await world.run(entered);
      world.runs.splice(0);
      return [hasRun, text];
    };
    const seeTwice = async (cwd: string): Promise<readonly unknown[]> => [await see(cwd), await see(cwd)];
    expect(await seeTwice("/")).toEqual([
      [true, "1\n"],
      [false, "1\n"],
    ]);
    await world.write(".profile", "export A=22");
    expect(await seeTwice("/")).toEqual(Array(2).fill([false, "1\n"]));
    // The files were looked at for this result, which shows that what is remembered is older.
    expect(await seeTwice("/usr")).toEqual([
      [true, "22\n"],
      [false, "22\n"],
    ]);
    expect(await seeTwice("/")).toEqual([
      [true, "22\n"],
      [false, "22\n"],
    ]);
    await world.write(".profile", "export A=3");
    paths.forget();
    expect(await see("/")).toEqual([true, "3\n"]);
    paths.except([world.home]);
    await world.write(".profile", "export A=44");
    expect(await see("/")).toEqual([true, "44\n"]);
    await world.write(".bash_login", "export A=5");
    expect(await see("/")).toEqual([true, "5\n"]);
  });

  it("runs again when it, a file that it names, or its saved result changes, and after an hour", async () => {
    const files = { ".profile": '. "$HOME/.env"; [ -f ~/.later ] && source ~/.later\n', ".env": "export A=1" };
    await using world = await openShellWorld({ files });
    const spec = world.toSpec("echo $A");
    const see = async (): Promise<unknown> => {
      const entered = await world.enter(spec);
      return [world.runs.splice(0).length > 0, await world.run(entered)];
    };
    expect(await see()).toEqual([true, "1\n"]);
    await world.write(".env", "export A=22");
    expect(await see()).toEqual([true, "22\n"]);
    await world.write(".later", "A=3");
    expect(await see()).toEqual([true, "3\n"]);
    await world.write(".bash_login", "A=4");
    expect(await see()).toEqual([true, "4\n"]);
    await world.write(".bash_login", 'export NVM_DIR="$HOME/.nvm"; A=$(cat "$NVM_DIR/alias/default")');
    await world.write(".nvm/alias/default", "5");
    expect(await see()).toEqual([true, "5\n"]);
    await world.write(".nvm/alias/default", "4 ");
    expect(await see()).toEqual([true, "4\n"]);
    world.runs.splice(0);
    await writeFile(fileOf(await world.enter(spec)), "echo forged\n");
    expect(await see()).toEqual([true, "4\n"]);
    await rm(dirname(dirname(fileOf(await world.enter(spec)))), { recursive: true });
    expect(await see()).toEqual([true, "4\n"]);
    world.runs.splice(0);
    world.clock.elapsedMs += 3_599_999;
    await world.enter(spec);
    expect(world.runs.length).toBe(0);
    world.clock.elapsedMs += 1;
    await world.enter(spec);
    expect(world.runs.length).toBeGreaterThan(0);
  });

  it("may name what would hold up its reader, or take it minutes to look through", async () => {
    // If you work in your home folder, commands in the sandbox can write the profile; its files are read outside.
    const lines = [
      "A=1",
      `B='${"=".repeat(100_000)}('`,
      "if false; then . ~/pipe; . /proc/kmsg; . /dev/tty; . ~/$B; fi",
      `C='. ${" ".repeat(100_000)}'`,
    ];
    await using world = await openShellWorld({ files: { ".profile": lines.join("\n") } });
    execFileSync("mkfifo", [join(world.home, "pipe")]);
    expect(await world.run(await world.enter(world.toSpec("echo $A ${#B} ${#C}")))).toBe("1 100001 100002\n");
    expect(world.warnings).toEqual([]);
  });

  it("leaves a file of this user's alone, which goes with the shells", async () => {
    const world = await openShellWorld();
    const file = fileOf(await world.enter(world.toSpec("true")));
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe("600");
    expect(((await stat(dirname(file))).mode & 0o777).toString(8)).toBe("700");
    await world.shells[Symbol.asyncDispose]();
    await expect(stat(dirname(dirname(file)))).rejects.toThrow("ENOENT");
    await world[Symbol.asyncDispose]();
  });

  it("gives commands no variable that is not for them, and writes none down", async () => {
    const profile = "export A_TOKEN=quite-secret B=1\nMY_TOKEN=also-secret; greet() { echo hi; }\n";
    await using world = await openShellWorld({ files: { ".profile": profile }, environment: { C_TOKEN: "kept" } });
    const keepsVariable = (name: string): boolean => !name.endsWith("_TOKEN");
    const filter = { keepsVariable, holdsCredential: () => false };
    const entered = await world.enter(world.toSpec("echo $A_TOKEN$MY_TOKEN $B $C_TOKEN; greet"), { filter });
    expect(await world.run(entered)).toBe("1 kept\nhi\n");
    expect(await readFile(fileOf(entered), "utf8")).not.toContain("secret");
    const holdsCredential = (text: string): boolean => text.includes("echo hi");
    await world.enter(world.toSpec("true"), { filter: { keepsVariable, holdsCredential }, filterId: "other" });
    expect(world.warnings.map(toReason)).toEqual(["a function or an alias holds a credential"]);
  });
});

describe("a command starts with the whole profile, and a warning says why, if the profile", () => {
  const failures: Readonly<Record<string, readonly [profile: string, reason: string]>> = {
    "takes too long": ["sleep 60", "the profile takes longer than 0.3 s"],
    "ends the shell": ["exit 3", "the profile ends the shell (exit code 3), or replaces it"],
    "fails under `set -e`": ["set -e; false", "the profile ends the shell (exit code 1), or replaces it"],
    "becomes another program": ["exec true", "the profile ends the shell (exit code 0), or replaces it"],
    "runs nothing of what it reads": ["set -n", "the profile ends the shell (exit code 0), or replaces it"],
    "leaves a program running": ["sleep 60 >/dev/null 2>&1 &", "the profile leaves a program running"],
    "starts an agent": [
      "(sleep 60 >/dev/null 2>&1 & echo $! >agent); read -r SSH_AGENT_PID <agent; export SSH_AGENT_PID",
      "the profile leaves a program running, whose number is in SSH_AGENT_PID",
    ],
    "opens a file": ["exec 7</dev/null", "the profile leaves the descriptor 7 open"],
    "redirects errors": ["exec 2>/dev/null", "the profile redirects the shell's input or output"],
    "keeps folders": ["pushd / >/dev/null", "the profile leaves folders on the stack of `pushd`"],
    "switches builtins off": ["enable -n test", "the profile switches builtins off (`enable -n`)"],
    "makes builtins something else": [
      "printf() { :; }; builtin() { echo no; }",
      "the profile ends the shell (exit code 0), or replaces it",
    ],
  };

  it.concurrent.each(Object.entries(failures))("%s", async (_name, [profile, reason]) => {
    await using world = await openShellWorld({
      files: { ".profile": profile },
      ...(reason.includes("0.3") && { timeoutMs: 300 }),
    });
    const spec = world.toSpec("true");
    expect(await world.enter(spec)).toEqual(spec);
    const runs = world.runs.length;
    expect(await world.enter(spec)).toEqual(spec);
    expect(world.runs.length).toBe(runs);
    expect(world.warnings.map(toReason)).toEqual([reason, reason]);
  });
});

it("a command without a script for a login shell, or for a shell whose state cannot be set, stays unchanged", async () => {
  await using world = await openShellWorld();
  const specs: readonly CommandSpec[] = [
    ...[
      ["bash", "-c", "true"],
      ["bash", "-lc"],
      ["sh", "-lc", "true"],
      ["dash", "-lc", "true"],
      ["./bash", "-lc", "true"],
      ["ls"],
    ].map((argv) => world.toSpec("", { argv })),
    world.toSpec("true", { environment: { POSIXLY_CORRECT: "1" } }),
    world.toSpec("true", { environment: { BASH_ENV: "/mine" } }),
    world.toSpec("true", { environment: { HOME: "" } }),
  ];
  for (const spec of specs) expect(await world.enter(spec)).toEqual(spec);
  expect([world.runs, world.warnings]).toEqual([[], []]);
});

it("a command keeps its words: the script, its name and its parameters", async () => {
  await using world = await openShellWorld({ files: { ".profile": "shopt -s extglob" } });
  const argv = ["bash", "-lc", 'echo "$0" "$@"', "name", "one", "two words"];
  const entered = await world.enter(world.toSpec("", { argv }));
  expect(entered.argv).toEqual(["bash", "--norc", "-c", ...argv.slice(2)]);
  expect(await world.run(entered)).toBe("name one two words\n");
});

function toReason(message: string): string {
  return /reused: (.*)\.$/.exec(message)?.[1] ?? message;
}
