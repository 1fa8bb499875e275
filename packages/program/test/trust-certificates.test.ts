import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, mkdtempDisposableSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, get } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, expect, test } from "vitest";
import type { ResolvedConfig } from "@unroll/config";
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
  return loadProgramConfig({}, createHost(createFakeIo({ env: { CODEX_HOME: "/proc/nonexistent/codex" }, cwd })));
}

test.each(["SSL_CERT_FILE", "CODEX_CA_CERTIFICATE", "SSL_CERT_DIR"])(
  "%s names an authority that clients trust",
  async (name) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-certificates-"));
    const [work, own] = ["work", "own"].map((each) => join(folder.path, each)) as [string, string];
    for (const each of [work, own]) mkdirSync(each);
    const server = createSelfSigned();
    writeFileSync(join(own, "ca.pem"), `# Our authority\n${server.cert}`);
    expect(await reach(server)).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
    const value = name === "SSL_CERT_DIR" ? `/proc/nonexistent:${own}` : join(own, "ca.pem");
    const warnings = await trustCertificates(await load(work), { [name]: value }, []);
    expect(warnings.map(({ message }) => message)).toEqual(
      name === "SSL_CERT_DIR"
        ? [
            "The certificates of SSL_CERT_DIR are not used: /proc/nonexistent has no certificate in PEM that can be read.",
          ]
        : [],
    );
    expect(await reach(server)).toBe(200);
    const trusted = new Set(getCACertificates("default").map(nameOf));
    expect(before.map(nameOf).filter((each) => !trusted.has(each))).toEqual([]);
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
    env: { CODEX_HOME: "/proc/nonexistent/codex", SSL_CERT_FILE: link, TMPDIR: folder.path },
    cwd: "/",
  });
  const { warnings } = await loadProgramConfig({}, createHost(io));
  expect(warnings.map(({ message }) => message)).toContain(unused(link));
});

test("a file without certificates is named", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "unroll-certificates-"));
  const file = join(folder.path, "ca.pem");
  writeFileSync(file, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  const [warning] = await trustCertificates(await load("/proc"), { SSL_CERT_FILE: file }, []);
  expect(warning?.message).toMatch(/^The certificates of SSL_CERT_FILE are not used: not all of it is a certificate/);
});
