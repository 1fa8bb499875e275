import { execFile } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempDisposableSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { promisify } from "node:util";
import { afterEach, expect, test } from "vitest";
import type { ResolvedConfig } from "@unroll/config";
import { drain } from "@unroll/flow";
import { openSandbox } from "@unroll/harness";
import { createHost, loadProgramConfig } from "@unroll/program";
import { trustCertificates } from "../src/config/trust-certificates.ts";
import { createSelfSigned } from "@unroll/text/fixture/self-signed";
import { createFakeIo } from "./fixture/fake-io.ts";

const before = getCACertificates("default");
afterEach(() => setDefaultCACertificates(before));

/** The status, by both clients of Node.js, or why this process does not trust a server with the certificate. */
async function reach(server: { readonly key: string; readonly cert: string }): Promise<number | string> {
  const listening = createServer(server, (_, answer) => answer.end()).listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  try {
    const { ok, status } = await fetch(`https://127.0.0.1:${port}`).catch(() => ({ ok: false, status: 0 }));
    const code = await new Promise<number | string>((resolve) => {
      get({ port, host: "127.0.0.1", agent: false }, (answer) => resolve(answer.resume().statusCode ?? 0)).on(
        "error",
        (error: NodeJS.ErrnoException) => resolve(error.code ?? ""),
      );
    });
    expect(ok).toBe(code === status);
    return code;
  } finally {
    listening.close();
  }
}

const nameOf = (pem: string): string => new X509Certificate(pem).fingerprint256;

async function load(cwd: string): Promise<ResolvedConfig> {
  return loadProgramConfig({}, createHost(createFakeIo({ env: { CODEX_HOME: "/sys/nonexistent/codex" }, cwd })));
}

test.each(["SSL_CERT_FILE", "CODEX_CA_CERTIFICATE", "SSL_CERT_DIR", "ca_certificates"])(
  "%s names an authority that clients trust",
  async (name) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-certificates-"));
    const [work, own] = ["work", "own"].map((each) => join(folder.path, each)) as [string, string];
    for (const each of [work, own]) mkdirSync(each);
    const server = createSelfSigned();
    writeFileSync(join(own, "ca.pem"), `# Our authority\n${server.cert}`);
    expect(await reach(server)).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
    const file = join(own, "ca.pem");
    const value = name === "SSL_CERT_DIR" ? `/sys/nonexistent:${own}` : file;
    const config = { ...(await load(work)), caCertificates: name === "ca_certificates" ? file : null };
    const warnings = await trustCertificates(config, { [name]: value }, []);
    expect(warnings.map(({ message }) => message)).toEqual(
      name === "SSL_CERT_DIR"
        ? [
            "The certificates of SSL_CERT_DIR are not used: /sys/nonexistent has no certificate in PEM that can be read.",
          ]
        : [],
    );
    expect(await reach(server)).toBe(200);
    const trusted = new Set(getCACertificates("default").map(nameOf));
    expect(before.map(nameOf).filter((each) => !trusted.has(each))).toEqual([]);
  },
);

test.for(["SSL_CERT_FILE", "CODEX_CA_CERTIFICATE", "SSL_CERT_DIR"])(
  "the authorities of %s count for the company's proxy that leads commands to hosts; without them it is refused",
  async (name, { skip }) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-certificates-"));
    const [work, own] = ["work", "own"].map((each) => join(folder.path, each)) as [string, string];
    for (const each of [work, own]) mkdirSync(each);
    const server = createSelfSigned();
    writeFileSync(join(own, "ca.pem"), server.cert);
    const company = createServer(server, ({ url }, answer) => answer.end(`${url} by the company`));
    company.listen(0, "127.0.0.1");
    await once(company, "listening");
    const proxy = `127.0.0.1:${(company.address() as AddressInfo).port}`;
    const env = { CODEX_HOME: join(folder.path, "codex"), HOME: folder.path, PATH: process.env["PATH"] ?? "" };
    const host = createHost(createFakeIo({ env: { ...env, http_proxy: `https://${proxy}` }, cwd: work }));
    const config = await loadProgramConfig({ sandbox: "workspace-write", allowHost: ["shop.invalid"] }, host);
    await using sandbox = await openSandbox(config, host);
    skip((await sandbox.explain()).backend !== "bubblewrap", "no sandbox works here");
    const runner = await sandbox.openRunner();
    const spec = { cwd: work, timeoutMs: 60_000, maxOutputBytes: 10_000, confinement: "policy" } as const;
    const fetchShop = async () => {
      const command = { ...spec, argv: ["curl", "-sS", "http://shop.invalid/"] };
      const outcome = await drain(runner.run(command, new AbortController().signal));
      return "output" in outcome ? outcome.output.text : outcome.message;
    };
    const before = await fetchShop();
    await trustCertificates(config, { [name]: name === "SSL_CERT_DIR" ? own : join(own, "ca.pem") }, []);
    expect([before, await fetchShop()]).toEqual([
      `shop.invalid:80 cannot be reached: the proxy ${proxy} cannot be reached (its certificate is not trusted; name its authority in SSL_CERT_FILE).\n`,
      "http://shop.invalid:80/ by the company",
    ]);
    company.close();
  },
);

test("an authority of the project, of a temporary folder or behind a link to one is not trusted, and a warning says so", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-certificates-"));
  const server = createSelfSigned();
  const [work, file, link] = ["work", "work/ca.pem", "link.pem"].map((each) => join(folder.path, each)) as [
    string,
    string,
    string,
  ];
  mkdirSync(work);
  writeFileSync(file, server.cert);
  symlinkSync(file, link);
  const config = await load(work);
  const unused = (path: string): string =>
    `The certificates of SSL_CERT_FILE are not used: ${path} lies in a project, a writable folder or a temporary one. Move it elsewhere.`;
  for (const [path, shared] of [
    [file, []],
    [link, []],
    [link, [folder.path]],
  ] as const) {
    const warnings = await trustCertificates(config, { SSL_CERT_FILE: path }, shared);
    expect(warnings).toEqual([{ code: "value_ignored", message: unused(path) }]);
  }
  expect(await reach(server)).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  // As a program does it: what everybody may write is never taken.
  const io = createFakeIo({
    env: { CODEX_HOME: "/sys/nonexistent/codex", SSL_CERT_FILE: link, TMPDIR: folder.path },
    cwd: "/",
  });
  const { warnings } = await loadProgramConfig({}, createHost(io));
  expect(warnings.map(({ message }) => message)).toContain(unused(link));
});

test("a file that Node.js reads by itself counts only where no command could have written it, and a warning says so", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-certificates-"));
  const [work, open] = [join(folder.path, "work"), join(folder.path, "open")];
  for (const each of [work, open]) mkdirSync(each);
  const [server, other] = [createSelfSigned(), createSelfSigned()];
  const [file, inWork, inOpen, unnamed, good] = ["a.pem", "work/a.pem", "open/a.pem", "open/a", "good.pem"].map(
    (each) => join(folder.path, each),
  ) as [string, string, string, string, string];
  for (const each of [file, inWork, inOpen, unnamed]) writeFileSync(each, server.cert);
  writeFileSync(good, other.cert);
  const listening = createServer(server, (_, answer) => answer.end()).listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const program = join(import.meta.dirname, "fixture/reach-as-started.ts");
  const reachWith = async (env: Readonly<Record<string, string>>, validity = "valid"): Promise<unknown> => {
    const argv = ["-C", "@unroll/source", program, work, String(port), validity, open];
    const { stdout } = await promisify(execFile)(process.execPath, argv, { env });
    return JSON.parse(stdout);
  };
  const refused = (name: string, reason: string): readonly unknown[] => [
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    [`The certificates of ${name} are not used: ${reason}.`],
  ];
  const isOpen = (path: string): string =>
    `${path} lies in a project, a writable folder or a temporary one. Move it elsewhere`;
  const noConfig = "the config is not valid, so nobody knows which files commands can write";
  expect(
    await Promise.all([
      reachWith({ NODE_EXTRA_CA_CERTS: file }),
      reachWith({ NODE_EXTRA_CA_CERTS: inOpen }),
      reachWith({ NODE_EXTRA_CA_CERTS: inWork }),
      reachWith({ NODE_EXTRA_CA_CERTS: file }, "invalid"),
      reachWith({ NODE_EXTRA_CA_CERTS: inOpen, SSL_CERT_FILE: good }),
      // Node.js takes them for the system's
      reachWith({ NODE_USE_SYSTEM_CA: "1", SSL_CERT_FILE: inOpen }),
      reachWith({ SSL_CERT_FILE: inOpen, CODEX_CA_CERTIFICATE: good }),
      reachWith({ NODE_USE_SYSTEM_CA: "1", SSL_CERT_DIR: open }),
    ]),
  ).toEqual([
    [200, []],
    refused("NODE_EXTRA_CA_CERTS", isOpen(inOpen)),
    refused("NODE_EXTRA_CA_CERTS", isOpen(inWork)),
    refused("NODE_EXTRA_CA_CERTS", noConfig),
    refused("NODE_EXTRA_CA_CERTS", isOpen(inOpen)),
    refused("SSL_CERT_FILE", isOpen(inOpen)),
    refused("SSL_CERT_FILE", isOpen(inOpen)),
    refused("SSL_CERT_DIR", isOpen(open)),
  ]);
  listening.close();
});

test("the user's config names authorities by ca_certificates, and a project's cannot", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-certificates-"));
  const home = join(folder.path, "home");
  const project = join(folder.path, "project");
  for (const each of [home, join(project, ".codex"), join(project, ".git")]) mkdirSync(each, { recursive: true });
  const trust = `[projects."${project}"]\ntrust_level = "trusted"\n`;
  const read = async (user: string, own: string): Promise<ResolvedConfig> => {
    writeFileSync(join(home, "config.toml"), user + trust);
    writeFileSync(join(project, ".codex/config.toml"), own);
    return loadProgramConfig({}, createHost(createFakeIo({ env: { CODEX_HOME: home }, cwd: project })));
  };
  const key = 'ca_certificates = "/sys/nonexistent/ca.pem"\n';
  const byUser = await read(key, "");
  expect(byUser.caCertificates).toBe("/sys/nonexistent/ca.pem");
  expect(byUser.warnings.map(({ message }) => message)).toContain(
    "The certificates of ca_certificates are not used: /sys/nonexistent/ca.pem has no certificate in PEM that can be read.",
  );
  expect((await read("", key)).caCertificates).toBeNull();
});

test("a file without certificates is named", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-certificates-"));
  const file = join(folder.path, "ca.pem");
  writeFileSync(file, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  const [warning] = await trustCertificates(await load("/proc"), { SSL_CERT_FILE: file }, []);
  expect(warning?.message).toMatch(/^The certificates of SSL_CERT_FILE are not used: not all of it is a certificate/);
});
