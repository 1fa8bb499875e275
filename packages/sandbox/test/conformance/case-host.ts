import { spawn, type ChildProcess } from "node:child_process";
import { randomInt, randomUUID } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type ListenOptions, type Server } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** One line of cases.json. */
export interface SandboxCase {
  readonly id: string;
  readonly policy: "read-only" | "workspace-write" | "danger-full-access";
  readonly network: boolean;
  /** The hosts that the command may reach by name; braces are filled in. Absent: `network` decides. */
  readonly hosts?: readonly string[];
  readonly setup: string;
  readonly command: string;
  readonly expect: "allowed" | "denied";
  /** Where no new `/proc` can be mounted, if it differs. */
  readonly boundProc?: "allowed" | "denied";
  readonly verify?: string;
  readonly stdin?: string;
  readonly pathPrefix?: string;
  readonly leakFd?: boolean;
  readonly abort?: { readonly afterMs: number };
}

/** The surroundings of a case: folders, servers, and a process that it must not reach. */
export interface CaseHost extends AsyncDisposable {
  readonly folders: Readonly<Record<"WS" | "OUT" | "EXTRA" | "TMPDIR" | "HOME", string>>;
  readonly environment: Readonly<Record<string, string>>;
  readonly victim: ChildProcess;
  /** All that came to the UDP port. */
  readonly datagrams: readonly string[];
  /** Fills in the names in braces. */
  fill(text: string): string;
  /** Runs a script outside; whether it succeeded. */
  succeeds(script: string): Promise<boolean>;
}

const isArm = process.arch === "arm64";
const syscalls = {
  SYS_ptrace: isArm ? 117 : 101,
  SYS_process_vm_readv: isArm ? 270 : 310,
  SYS_open_by_handle_at: isArm ? 265 : 304,
  SYS_openat: isArm ? 56 : 257,
  SYS_openat2: 437,
  SYS_mknodat: isArm ? 33 : 259,
  SYS_fchmodat2: 452,
  SYS_add_key: isArm ? 217 : 248,
  SYS_keyctl: isArm ? 219 : 250,
};

const conformance = fileURLToPath(new URL("../../../../conformance/sandbox", import.meta.url));

/** Not in /tmp, which is a writable root itself. */
const parent = "/var/tmp";

export async function createCaseHost({ command }: SandboxCase): Promise<CaseHost> {
  const base = realpathSync(mkdtempSync(join(parent, "unroll-case-")));
  const [WS, OUT, EXTRA, TMPDIR, HOME] = ["ws", "out", "extra", "tmpdir", "home"].map((name) => join(base, name)) as [
    string,
    string,
    string,
    string,
    string,
  ];
  for (const folder of [WS, OUT, EXTRA, TMPDIR, HOME]) mkdirSync(folder);
  writeFileSync(join(OUT, "victim"), "precious\n");
  writeFileSync(join(OUT, "secret.txt"), "secret\n");
  const tag = `t${randomUUID().slice(0, 8)}`;
  const victim = spawn("/bin/sleep", ["300"], { argv0: `victim-${tag}`, stdio: "ignore" });

  const datagrams: string[] = [];
  const udp = createSocket("udp4").on("message", (message) => datagrams.push(String(message).trim()));
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  const socketOfTmp = `/tmp/unroll-case-${tag}.sock`;
  const tcp = await listen({ port: 0, host: "127.0.0.1" });
  const servers = [tcp, await listen({ path: join(OUT, "s.sock") }), await listen({ path: socketOfTmp })];
  const datagramSocket = join(OUT, "d.sock");
  const datagramServer = command.includes("DGRAM_SOCK") ? await listenForDatagrams(datagramSocket) : null;
  const values: Readonly<Record<string, string | number | undefined>> = {
    ...syscalls,
    WS,
    OUT,
    EXTRA,
    TMPDIR,
    HOME,
    TAG: tag,
    UNIX_SOCK_TMP: socketOfTmp,
    DGRAM_SOCK: datagramSocket,
    TCP_PORT: portOf(tcp),
    UDP_PORT: udp.address().port,
    UNIX_SOCK: join(OUT, "s.sock"),
    VICTIM_PID: victim.pid,
    NODE: process.execPath,
    CONFORMANCE: conformance,
    RUN: findRuntimeFolder(),
    FREE_PORT: await findFreePort(),
  };
  const environment = { PATH: process.env["PATH"] ?? "", HOME, LANG: "C.UTF-8", TMPDIR };
  const fill = (text: string) =>
    text.replaceAll(/\{([A-Za-z_]+)\}/g, (whole, name: string) => String(values[name] ?? whole));

  return {
    folders: { WS, OUT, EXTRA, TMPDIR, HOME },
    environment,
    victim,
    datagrams,
    fill,
    async succeeds(script) {
      const [code] = (await once(
        spawn("bash", ["-c", fill(script)], { cwd: WS, env: environment, stdio: "ignore" }),
        "exit",
      )) as [number];
      return code === 0;
    },
    async [Symbol.asyncDispose]() {
      victim.kill("SIGKILL");
      datagramServer?.kill("SIGKILL");
      for (const server of servers) server.close();
      udp.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

async function listen(where: ListenOptions): Promise<Server> {
  const server = createServer((socket) =>
    socket
      .on("error", () => {})
      .resume()
      .end("hi\n"),
  ).listen(where);
  await once(server, "listening");
  return server;
}

async function listenForDatagrams(path: string): Promise<ChildProcess> {
  const program = "$|=1; socket(S,AF_UNIX,SOCK_DGRAM,0); bind(S,sockaddr_un($ARGV[0])); print qq(up\\n); sleep 60";
  const server = spawn("/usr/bin/perl", ["-MSocket", "-e", program, path], { stdio: ["ignore", "pipe", "ignore"] });
  await once(server.stdout, "data");
  return server;
}

/** Where programs of this user put their pipes; one that may not be there. */
function findRuntimeFolder(): string {
  const own = `/run/user/${userInfo().uid}`;
  return existsSync(own) ? own : "/run/lock";
}

/** Below those that systems give out: another test would be given it as soon as it is free again. */
async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const server = await listen({ port, host: "127.0.0.1" }).catch(() => null);
    if (server === null) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
