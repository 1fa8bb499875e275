import { randomUUID } from "node:crypto";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  hasOpenssl,
  makeCertificates,
  serverKinds,
  startPostgres,
  startRedis,
} from "@unroll/scripted-model/fixture/servers";
import { expect, test } from "vitest";
import { listProcesses } from "./list-processes.ts";
import { openCommandWorld, trusting } from "./run-unroll.ts";

const [password, wrongPassword] = [`sesame-${randomUUID()}`, `wrong-${randomUUID()}`];
const passwords = new RegExp(`${password}|${wrongPassword}`);
const script = { turns: [{ items: [{ text: "Done." }] }], atEnd: "repeat-last" } as const;
const untrusted = "its certificate is not trusted";
/** Anybody may write the files of the folder for temporary ones. */
const unused = new RegExp(`The certificates of SSL_CERT_FILE are not used: .*${untrusted}`, "s");

test.skipIf(serverKinds.redis !== null || !hasOpenssl)(
  "a queue at rediss:// needs a trusted certificate, and shows no password",
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-tls-"));
    const certificates = makeCertificates(folder.path);
    await using server = await startRedis({ certificates, password });
    await using world = await openCommandWorld({ script });
    const run = async (authority: string | null, url: string, ...args: readonly string[]): Promise<string> => {
      const trust = authority === null ? { SSL_CERT_FILE: certificates.authority } : trusting(authority);
      const { stdout, stderr, exitCode } = await world.run(args, { env: { UNROLL_QUEUE: url, ...trust } });
      return `${stdout}${stderr}${exitCode}`;
    };
    const { authority, stranger } = certificates;
    const wrong = server.url.replace(password, wrongPassword);
    const address = server.url.replace("localhost", "127.0.0.1");
    const outputs = await Promise.all([
      run(authority, server.url, "queue", "status", "--host", "one"),
      run(null, server.url, "queue", "status"),
      run(stranger, server.url, "queue", "status"),
      run(authority, address, "queue", "status"),
      run(authority, wrong, "queue", "status"),
    ]);
    expect(outputs).toEqual([
      expect.stringContaining("host one: 0 delayed"),
      expect.stringMatching(unused),
      expect.stringContaining(untrusted),
      expect.stringContaining("its certificate is for another name"),
      expect.stringContaining("WRONGPASS"),
    ]);
    expect(outputs.join("")).not.toMatch(passwords);
  },
);

test.skipIf(serverKinds.postgres !== null || !hasOpenssl)(
  "a store and a queue in PostgreSQL with TLS need a trusted certificate, and show no password",
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-tls-"));
    const certificates = makeCertificates(folder.path);
    await using server = await startPostgres({ certificates, password });
    await using world = await openCommandWorld({ script });
    const lines: string[] = [];
    const run = async (env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string> => {
      const running = world.start(args, { env });
      lines.push(listProcesses());
      const { stdout, stderr, exitCode } = await running.ended;
      return `${stdout}${stderr}${exitCode}`;
    };
    const { authority, stranger } = certificates;
    const [strict, loose] = [`${server.url}?sslmode=verify-full`, `${server.url}?sslmode=require`];
    const trust = trusting(authority);
    const first = await run({ UNROLL_STORE: loose, ...trust }, "exec", "--skip-git-repo-check", "Go");
    const outputs = [
      first,
      ...(await Promise.all([
        run({ UNROLL_STORE: `${strict}&sslrootcert=${authority}` }, "threads", "list", "--all"),
        run({ UNROLL_STORE: loose, SSL_CERT_FILE: authority }, "threads", "list"),
        run({ UNROLL_STORE: strict, ...trusting(stranger) }, "threads", "list"),
        run({ UNROLL_STORE: strict.replace(password, wrongPassword), ...trust }, "threads", "list"),
        run({ UNROLL_STORE: server.url }, "threads", "list"),
        run({ UNROLL_QUEUE: strict, ...trust }, "queue", "status", "--host", "one"),
        run({ UNROLL_QUEUE: loose }, "queue", "status"),
      ])),
    ];
    expect(outputs).toEqual([
      expect.stringContaining("Done."),
      expect.stringContaining("1 turn"),
      expect.stringMatching(unused),
      expect.stringContaining(untrusted),
      expect.stringContaining("password authentication failed"),
      expect.stringContaining("no encryption"),
      expect.stringContaining("host one: 0 delayed"),
      expect.stringContaining(untrusted),
    ]);
    expect(`${outputs.join("")}${lines.join("")}`).not.toMatch(passwords);
  },
);
