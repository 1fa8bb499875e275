import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { chmod, chown, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getuid } from "node:process";
import { once } from "node:events";

/** A server of the test's own, on a socket in a temporary folder. It ends, and its files go, when it is disposed. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  /** Ends it at once, as a crash does, and starts it again on the same files. */
  restart(): Promise<void>;
}

const redisProgram = ["/usr/bin/redis-server", "/usr/bin/valkey-server"].find((path) => existsSync(path)) ?? null;
const [postgresFolder = null] = globSync("/usr/lib/postgresql/*/bin").toSorted().toReversed();
/** PostgreSQL refuses root: as root, its own account runs it. */
const account =
  getuid?.() === 0 ? spawnSync("id", ["-u", "postgres"], { encoding: "utf8" }).stdout.trim() || null : null;

/** The servers that this machine can run; null: why not. */
export const serverKinds = {
  redis: redisProgram === null ? "there is no redis-server" : null,
  postgres: postgresFolder === null ? "there is no PostgreSQL server" : null,
} as const;

export async function startRedis(): Promise<TestServer> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-redis-"));
  const socket = join(folder.path, "s");
  const command = [
    "--port",
    "0",
    "--unixsocket",
    socket,
    "--save",
    "",
    "--appendonly",
    "yes",
    "--appendfsync",
    "always",
  ];
  const start = (): ChildProcess =>
    spawn(redisProgram ?? "redis-server", command, { cwd: folder.path, stdio: "ignore" });
  const isReady = (): boolean => spawnSync("/usr/bin/redis-cli", ["-s", socket, "ping"]).status === 0;
  return await run({ folder, isReady, url: `unix://${socket}`, start });
}

export async function startPostgres(): Promise<TestServer> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-postgres-"));
  const ids = account === null ? {} : { uid: Number(account), gid: Number(account) };
  if (account !== null) {
    await chown(folder.path, Number(account), Number(account));
    await chmod(folder.path, 0o755);
  }
  const data = join(folder.path, "data");
  const options = { cwd: folder.path, ...ids };
  const made = spawnSync(
    join(postgresFolder ?? "", "initdb"),
    ["-D", data, "-A", "trust", "-U", "unroll", "-N"],
    options,
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr.toString()}`);
  const settings = ["-c", "listen_addresses=", "-c", "fsync=off", "-k", folder.path];
  const start = (): ChildProcess =>
    spawn(join(postgresFolder ?? "", "postgres"), ["-D", data, ...settings], { ...options, stdio: "ignore" });
  const url = `postgresql://unroll@/postgres?host=${encodeURIComponent(folder.path)}`;
  const isReady = (): boolean => spawnSync(join(postgresFolder ?? "", "pg_isready"), ["-h", folder.path]).status === 0;
  return await run({ folder, isReady, url, start });
}

interface ServerParts {
  readonly folder: AsyncDisposable;
  readonly isReady: () => boolean;
  readonly url: string;
  readonly start: () => ChildProcess;
}

async function run({ folder, isReady, url, start }: ServerParts): Promise<TestServer> {
  let server = start();
  await waitUntil(isReady, server);
  /** SIGQUIT is PostgreSQL's immediate shutdown: it ends its own processes. Redis has only one. */
  async function end(): Promise<void> {
    const ended = once(server, "exit");
    server.kill(url.startsWith("unix:") ? "SIGKILL" : "SIGQUIT");
    await ended;
  }
  return {
    url,
    async restart() {
      await end();
      server = start();
      await waitUntil(isReady, server);
    },
    async [Symbol.asyncDispose]() {
      await end();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Resolves as soon as the server takes connections. */
async function waitUntil(isReady: () => boolean, server: ChildProcess): Promise<void> {
  while (!isReady()) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}.`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
