import { openSync, readdirSync, readFileSync, unlinkSync, writeSync, closeSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { kill } from "node:process";
import { text } from "node:stream/consumers";
import { createWatchdog, spawnChild, type ChildExit, type ChildStart, type Watchdog } from "@unroll/process-tree";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { launchOf } from "./fixture/parent.ts";
import { createFolder, untilGone } from "./fixture/processes.ts";
import { findStarters } from "./fixture/starter.ts";

const isLinux = platform() === "linux";

/** A machine may be as busy as it likes. */
const patience = { readyMs: 60_000, answerMs: 60_000, lastMs: 60_000, abortMs: 60_000 };

function openWatchdog(more: Parameters<typeof createWatchdog>[2] = {}): Watchdog {
  const watchdog = createWatchdog("starter-test.", 0, { patience, ...more });
  onTestFinished(() => watchdog.close());
  return watchdog;
}

const { signal } = new AbortController();
const byNode: Watchdog["spawn"] = (launch, connection, { fds }) => spawnChild(launch, connection, fds);

interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: ChildExit;
}

async function readToEnd(start: ChildStart): Promise<Ran> {
  if (start.type === "failed") throw new Error(start.message);
  const { outputs, onExit } = start.child;
  const exit = new Promise<ChildExit>((resolve) => onExit(resolve));
  const [stdout = "", stderr = ""] = await Promise.all(
    [outputs.stdout, outputs.stderr].map(async (each) => (each ? text(each) : "")),
  );
  return { stdout, stderr, exit: await exit };
}

/** Everything that a process inherits, except its number. */
const allOfIt = `
  env -0
  printf '%s\\0' "$@"
  pwd
  umask
  ulimit -Sn
  grep '^Sig[BIC]' /proc/self/status
  cat /proc/$$/oom_score_adj
  read -r pid name state parent group session terminal rest < /proc/$$/stat
  echo $((group - $$)) $((session - $$)) $terminal
  ls /proc/$$/fd
  readlink /proc/$$/fd/0
  cat <&3; cat <&4; echo back >&5
  echo error >&2
  echo $PPID >&5
`;

const endings = { code: "exit 3", signal: "kill -TERM $$", "a code like a signal's": "exit 137" };

it.runIf(isLinux).for(Object.entries(endings))(
  "a process is the same with every starter; its end: %s",
  async ([, ending]) => {
    const folder = await createFolder();
    const environment = { PATH: "/usr/bin:/bin", "odd-NAME.%": "a=b\nc", ÄÖ: "ü €", EMPTY: "" };
    const args = ["-c", `${allOfIt}${ending}`, "name", "", "two words", "line\nbreak", "ünï€", "-x", "'\"$`\\"];
    const launch = launchOf("sh", args, { cwd: folder, environment, endsFirst: true });
    const runBy = async (
      spawn: Watchdog["spawn"],
    ): Promise<Ran & { readonly said: string; readonly parent: number }> => {
      const fds = ["first", "second", ""].map((content, index) => openNameless(join(folder, String(index)), content));
      const ran = await readToEnd(await spawn(launch, "output", { fds, signal }));
      const [said = "", parent] = readFileSync(`/proc/self/fd/${fds[2]}`, "utf8").split("\n");
      for (const fd of fds) closeSync(fd);
      return { ...ran, said, parent: Number(parent) };
    };
    const wanted = await runBy(byNode);
    expect(wanted).toMatchObject({ said: "back", parent: process.pid });
    const ran = await runBy(openWatchdog().spawn);
    expect({ ...ran, parent: process.pid }).toEqual(wanted);
    expect(findStarters()).toEqual([ran.parent]);
  },
);

function openNameless(path: string, content: string): number {
  const fd = openSync(path, "wx+");
  unlinkSync(path);
  writeSync(fd, content, 0);
  return fd;
}

it("arguments and variables arrive byte for byte", async () => {
  const { spawn } = openWatchdog();
  const unit = fc.constantFrom(
    "a",
    " ",
    "=",
    "-",
    "%",
    "$",
    "'",
    '"',
    "`",
    "\\",
    "\n",
    "\t",
    "\u0001",
    "\u007f",
    "é",
    "€",
    "😀",
  );
  const word = fc.string({ unit });
  const name = word.filter((each) => each !== "" && !each.includes("="));
  await fc.assert(
    fc.asyncProperty(
      fc.array(word),
      fc.dictionary(name, word, { noNullPrototype: true }),
      async (args, environment) => {
        const launch = launchOf("/bin/sh", ["-c", 'printf "%s\\0" "$@"; cat /proc/$$/environ', "sh", ...args], {
          environment,
        });
        const { stdout } = await readToEnd(await spawn(launch, "output", { fds: [], signal }));
        const variables = Object.entries({ ...environment, UNROLL_PROCESS_ID: launch.marker });
        const wanted = [
          ...args,
          ...(args.length === 0 ? [""] : []),
          ...variables.map(([key, value]) => `${key}=${value}`),
        ];
        expect(stdout).toBe(wanted.map((each) => `${each}\0`).join(""));
      },
    ),
    { numRuns: Number(process.env["UNROLL_PROPERTY_RUNS"] ?? 5) },
  );
});

it("a program that cannot be started gives the same message with every starter", async () => {
  const { spawn } = openWatchdog();
  const launches = [
    launchOf("no-such-program", []),
    launchOf("/", []),
    launchOf("true", [], { cwd: "/proc/no/such/folder" }),
    launchOf("true", ["x".repeat(200_000)]),
    launchOf("true", ["zero\0byte"]),
  ];
  for (const launch of launches)
    expect(await spawn(launch, "output", { fds: [], signal })).toEqual(await spawnChild(launch, "output", []));
});

it("a process reads what is written to it, to the end", async () => {
  const start = await openWatchdog().spawn(launchOf("cat", []), "pipes", { fds: [], signal });
  if (start.type === "failed") throw new Error(start.message);
  start.child.write("one\n");
  start.child.stdin?.end("two\n");
  expect(await readToEnd(start)).toEqual({ stdout: "one\ntwo\n", stderr: "", exit: { exitCode: 0, signal: null } });
});

it.runIf(isLinux)("the process that starts others is one for all, and ends with its watchdog", async () => {
  const watchdog = openWatchdog();
  const script = "head -c 300000 /dev/zero; cat /proc/$PPID/comm >&2";
  const launches = Array.from({ length: 4 }, () => launchOf("sh", ["-c", script]));
  const ran = await Promise.all(
    launches.map(async (launch) => readToEnd(await watchdog.spawn(launch, "output", { fds: [], signal }))),
  );
  const wanted = { stdout: "\0".repeat(300_000), stderr: "unroll-starter\n", exit: { exitCode: 0, signal: null } };
  expect(ran).toEqual(launches.map(() => wanted));
  expect(findStarters()).toHaveLength(1);
  await watchdog.close();
  expect(findStarters()).toEqual([]);
});

it.runIf(isLinux)(
  "processes continue when the process that started them is killed, and later ones start without it",
  async () => {
    const told: string[] = [];
    const watchdog = openWatchdog({ warn: (message) => told.push(message) });
    const start = await watchdog.spawn(launchOf("sh", ["-c", "echo begun; read line; echo $line"]), "pipes", {
      fds: [],
      signal,
    });
    if (start.type === "failed") throw new Error(start.message);
    const starters = findStarters();
    for (const pid of starters) kill(pid, "SIGKILL");
    await untilGone(starters);
    const next = await readToEnd(await watchdog.spawn(launchOf("sh", ["-c", "exit 4"]), "output", { fds: [], signal }));
    expect(next).toEqual({ stdout: "", stderr: "", exit: { exitCode: 4, signal: null } });
    start.child.write("and ended\n");
    expect(await readToEnd(start)).toEqual({
      stdout: "begun\nand ended\n",
      stderr: "",
      exit: { exitCode: 255, signal: null },
    });
    expect(told).toEqual([expect.stringMatching(/^The process that starts commands has ended/)]);
  },
);

it.runIf(isLinux)("a harness that is held up does not take the process that starts others for late", async () => {
  const watchdog = openWatchdog({ patience: { ...patience, readyMs: 1 } });
  const starting = watchdog.spawn(launchOf("sh", ["-c", 'echo "$PPID"']), "output", { fds: [], signal });
  // Until it is there, and waits for what it is asked.
  while (!findStarters().some(sleeps)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  const { stdout } = await readToEnd(await starting);
  expect(findStarters()).toEqual([Number(stdout)]);
});

function sleeps(pid: number): boolean {
  return /^State:\s+S/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
}

/** Has a starter that a command has stopped, and from then on `impatience`. */
async function withStoppedStarter(
  impatience: Partial<typeof patience>,
  warn: (message: string) => void = () => {},
): Promise<Watchdog> {
  const own = { ...patience };
  const watchdog = openWatchdog({ patience: own, warn });
  await readToEnd(await watchdog.spawn(launchOf("true", []), "output", { fds: [], signal }));
  for (const pid of findStarters()) kill(pid, "SIGSTOP");
  Object.assign(own, impatience);
  return watchdog;
}

it.runIf(isLinux)(
  "a stopped process that starts others continues, and starts each requested process once",
  async () => {
    const watchdog = await withStoppedStarter({ answerMs: 10 });
    const [starter] = findStarters();
    const ran = await readToEnd(
      await watchdog.spawn(launchOf("sh", ["-c", 'echo "$PPID"; exit 3']), "output", { fds: [], signal }),
    );
    expect(ran).toEqual({ stdout: `${starter}\n`, stderr: "", exit: { exitCode: 3, signal: null } });
  },
);

it.runIf(isLinux)(
  "one that does not continue is ended and reported once; requests that it had not accepted start without it",
  async () => {
    const told: string[] = [];
    const watchdog = await withStoppedStarter({ answerMs: 10, lastMs: 0 }, (message) => told.push(message));
    const launches = [3, 4].map((code) => launchOf("sh", ["-c", `echo "$PPID"; exit ${code}`]));
    const ran = await Promise.all(
      launches.map(async (launch) => readToEnd(await watchdog.spawn(launch, "output", { fds: [], signal }))),
    );
    const wanted = { stdout: `${process.pid}\n`, stderr: "" };
    expect(ran).toEqual([3, 4].map((exitCode) => ({ ...wanted, exit: { exitCode, signal: null } })));
    expect([findStarters(), told]).toEqual([
      [],
      [expect.stringMatching(/^The process that starts commands has ended/)],
    ]);
  },
);

it.runIf(isLinux)("an aborted caller does not wait for a stopped one, and nothing is started later", async () => {
  const folder = await createFolder();
  const watchdog = await withStoppedStarter({ lastMs: 0, abortMs: 0 });
  const givingUp = new AbortController();
  const starting = watchdog.spawn(launchOf("touch", ["started"], { cwd: folder }), "output", {
    fds: [],
    signal: givingUp.signal,
  });
  givingUp.abort();
  expect(await starting).toEqual({
    type: "failed",
    reason: "other",
    message: "touch could not be started: it is no longer wanted",
  });
  expect([findStarters(), readdirSync(folder)]).toEqual([[], []]);
});

it.runIf(isLinux)("a watchdog closes though somebody has stopped its process", async () => {
  const watchdog = await withStoppedStarter({});
  await watchdog.close();
  expect(findStarters()).toEqual([]);
});
