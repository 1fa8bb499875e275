import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { serveCompanyProxy } from "@unroll/egress/fixture/company-proxy";
import { hasOpenssl, makeCertificate } from "@unroll/egress/fixture/egress-fixture";
import { drain } from "@unroll/flow";
import { toCommandFile } from "@unroll/process-tree";
import type { HostEvent } from "@unroll/protocol";
import { expect, it, onTestFinished } from "vitest";
import { bash, runToEnd } from "../fixture/runner.ts";
import { createSandboxFixture, type FixtureOptions, whyNoSandbox } from "../fixture/sandbox.ts";

async function serve(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Names of the test all lead to loopback, which a rule names. */
async function openHosts(allow: readonly string[], more: Partial<FixtureOptions> = {}) {
  const events: HostEvent[] = [];
  const fixture = await createSandboxFixture({
    settings: { hosts: { allow: [...allow, "127.0.0.1"], deny: [] } },
    environment: { PATH: process.env["PATH"] ?? "" },
    hosts: { resolve: async () => ["127.0.0.1"], report: (event) => events.push(event) },
    ...more,
  });
  onTestFinished(() => fixture[Symbol.asyncDispose]());
  return { fixture, events };
}

it.skipIf(whyNoSandbox !== null)("a command reaches a host that is allowed by name, and no other", async () => {
  const port = await serve(createHttpServer((request, response) => response.end(`hello ${request.headers.host}\n`)));
  const { fixture, events } = await openHosts(["shop.example"]);
  const url = (name: string) => `http://${name}:${port}/`;
  const { outcome } = await fixture.run(
    `curl -sS ${url("shop.example")}; curl -sS -o /dev/null -w '%{http_code}\n' ${url("evil.example")}; curl -sS --noproxy '*' ${url("127.0.0.1")}`,
  );
  const reason = `evil.example:${port} is not among the hosts that commands may reach. To allow it: --allow-host evil.example:${port}`;
  const trace = { item_id: null, command: expect.stringContaining("bash -c"), port };
  const sizes = { connections: 1, sent_bytes: expect.any(Number), received_bytes: expect.any(Number) };
  expect([outcome, events]).toEqual([
    expect.objectContaining({
      exitCode: 7, // there is no other way out
      denial: { kind: "network", confidence: "likely", reason },
      output: expect.objectContaining({
        text: expect.stringMatching(/^hello shop\.example:\d+\n403\ncurl: \(7\) .*\nunroll: evil\.example:.*\n$/),
      }),
    }),
    [
      { type: "host.allowed", ...trace, host: "shop.example", rule: "shop.example" },
      { type: "host.denied", ...trace, host: "evil.example", rule: null, reason },
      { type: "host.closed", ...trace, host: "shop.example", ...sizes },
    ],
  ]);
});

it.skipIf(whyNoSandbox !== null)(
  "a command keeps nothing of the launcher, and its variables never run there",
  async () => {
    const { fixture } = await openHosts([], {
      environment: { PATH: process.env["PATH"] ?? "", PERL5OPT: "-Mno_such_module", VALUE: "a\u0001b@" },
    });
    const { outcome } = await fixture.run(
      'echo "$VALUE"; env -u PERL5OPT perl -e \'print join(" ", grep { -e "/proc/self/fd/$_" } 3 .. 20), "\\n"\'',
    );
    expect(outcome).toMatchObject({ exitCode: 0, output: { text: "a\u0001b@\n\n" } });
  },
);

it.skipIf(whyNoSandbox !== null)("a program that is missing is reported as such", async () => {
  const { fixture } = await openHosts([]);
  const spec = { ...bash(""), argv: ["no-such-program"], cwd: fixture.workspace };
  expect((await runToEnd(fixture.runner, spec)).outcome).toMatchObject({
    type: "not_started",
    message: expect.stringContaining("There is no program no-such-program"),
  });
});

it.skipIf(whyNoSandbox !== null)("a command in a terminal reaches its hosts, too", async () => {
  const port = await serve(createHttpServer((_, response) => response.end("hello\n")));
  const { fixture } = await openHosts(["shop.example"]);
  const spec = bash(`test -t 0 && curl -sS http://shop.example:${port}/`, { cwd: fixture.workspace });
  const start = await fixture.runner.startBackgroundCommand(
    { ...spec, terminal: { columns: 80, rows: 24 } },
    new AbortController().signal,
  );
  if (start.type !== "opened") throw new Error(start.message);
  expect(await drain(start.session.output)).toMatchObject({ exitCode: 0, output: { text: "hello\r\n" } });
});

it.skipIf(whyNoSandbox !== null)("200 connections at once are served, each to its end, with half-close", async () => {
  const port = await serve(createHttpServer((request, response) => void request.pipe(response)));
  const { fixture, events } = await openHosts(["shop.example"]);
  // Each ends its direction at once.
  const script = `
    const { connect } = require("node:net");
    const [, host, proxy] = /\\/\\/(.*):(\\d+)/.exec(process.env.HTTP_PROXY);
    let open = 200, whole = 0;
    for (let at = 0; at < 200; at += 1) {
      const body = "x".repeat(1000 + at);
      const socket = connect({ host, port: Number(proxy), allowHalfOpen: true });
      let text = "";
      socket.end(\`POST http://shop.example:${port}/ HTTP/1.1\\r\\nHost: shop.example:${port}\\r\\nConnection: close\\r\\nContent-Length: \${body.length}\\r\\n\\r\\n\${body}\`);
      socket.on("data", (chunk) => (text += chunk)).on("close", () => {
        if (text.startsWith("HTTP/1.1 200") && text.includes(body)) whole += 1;
        if ((open -= 1) === 0) console.log(whole);
      });
    }`;
  const run = await fixture.run(`${process.execPath} -e '${script.replaceAll("'", "")}'`);
  expect(run.outcome).toMatchObject({ exitCode: 0, output: { text: "200\n" } });
  expect(events.at(-1)).toMatchObject({ type: "host.closed", connections: 200 });
});

it.skipIf(whyNoSandbox !== null)(
  "a command that is denied many hosts fills neither its output nor the events",
  async () => {
    const { fixture, events } = await openHosts([]);
    const script = `
    const { connect } = require("node:net");
    const [, host, port] = /\\/\\/(.*):(\\d+)/.exec(process.env.HTTP_PROXY);
    for (let at = 0; at < 130; at += 1)
      connect({ host, port }).end(\`CONNECT h\${at}.example:443 HTTP/1.1\\r\\n\\r\\n\`).resume();`;
    const { outcome } = await fixture.run(`${process.execPath} -e '${script}'`);
    const last = "30 more connections were denied.";
    expect([events.length, events.at(-1)]).toEqual([
      101,
      expect.objectContaining({ type: "host.denied", reason: last }),
    ]);
    expect("output" in outcome && outcome.output.text.split("\n").slice(-2)).toEqual([`unroll: ${last}`, ""]);
  },
);

it.skipIf(whyNoSandbox !== null || spawnSync("ssh", ["-V"]).status !== 0)(
  "git's ssh speaks through a tunnel that it is handed, with the user's own options; SSH goes to port 22 alone",
  async () => {
    const port = await serve(createServer());
    const { fixture, events } = await openHosts(["shop.example"], {
      environment: { PATH: process.env["PATH"] ?? "", GIT_SSH_COMMAND: "ssh -o BatchMode=yes -v" },
    });
    const list = (host: string) =>
      `git ls-remote ssh://${host}:${port}/repo.git 2>&1 | grep '^debug1: Local\\|^unroll:'`;
    const { outcome } = await fixture.run(`${list("shop.example")}; ${list("evil.example")}`);
    const denied = `evil.example:${port} is not among the hosts that commands may reach. To allow it: --allow-host evil.example:${port}`;
    const closed = `The connection to shop.example:${port} was closed: SSH is let through to port 22 alone.`;
    expect(outcome).toMatchObject({
      output: {
        text: expect.stringMatching(
          new RegExp(
            `^debug1: Local version string SSH-2.0-.*\r?\nunroll: ${denied}\nunroll: ${closed}\nunroll: ${denied}\n$`,
          ),
        ),
      },
    });
    expect(events.flatMap((event) => (event.type === "host.denied" ? [event.reason] : []))).toEqual([closed, denied]);
  },
);

it.skipIf(whyNoSandbox !== null)("git clones, and npm installs, through it alone", async () => {
  const { fixture } = await openHosts(["packages.example"]);
  await fixture.host(
    'git init -q ../served && cd ../served && git commit -q --allow-empty -m first && git update-server-info; mkdir -p ../pkg && cd ../pkg && echo \'{"name":"tiny","version":"1.0.0"}\' > package.json && npm pack --silent --pack-destination ../served >/dev/null',
  );
  const port = await serve(
    createHttpServer((request, response) => {
      const path = (request.url ?? "").split("?")[0] ?? "";
      if (path === "/tiny") {
        const dist = { tarball: `http://packages.example:${port}/tiny-1.0.0.tgz` };
        const version = { name: "tiny", version: "1.0.0", dist };
        response.end(
          JSON.stringify({ name: "tiny", "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } }),
        );
        return;
      }
      try {
        response.end(readFileSync(join(fixture.base, "served", path.replace("/repo.git", ".git"))));
      } catch {
        response.writeHead(404).end();
      }
    }),
  );
  const { outcome } = await fixture.run(
    `export HOME=$PWD; git clone -q http://packages.example:${port}/repo.git cloned && git -C cloned log --format=%s && echo '{}' > package.json && npm install --silent --registry http://packages.example:${port} tiny && ls node_modules`,
  );
  expect(outcome).toMatchObject({ exitCode: 0, output: { text: "first\ntiny\n" } });
});

it.skipIf(whyNoSandbox !== null || !hasOpenssl)(
  "a company's proxy with its own certificates leads to hosts; commands never get its password",
  async () => {
    const certificate = makeCertificate(["shop.example"]);
    const inspector = createTlsServer(certificate, (socket) => socket.end("HTTP/1.1 200 OK\r\n\r\ninspected\n"));
    await using company = await serveCompanyProxy((_, socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      inspector.emit("connection", socket);
    });
    const { fixture } = await openHosts(["shop.example"], {
      prepare: (base) => writeFileSync(join(base, "company.pem"), certificate.cert),
      hosts: {
        resolve: async () => [],
        proxyEnv: { https_proxy: `http://ann:pass@127.0.0.1:${company.port}`, no_proxy: "inner.example" },
      },
    });
    const { outcome } = await fixture.run(
      "export CURL_CA_BUNDLE=../company.pem; curl -sS https://shop.example/; curl -sS https://evil.example/; env | grep -c ann:pass",
    );
    expect([outcome, company.asked]).toEqual([
      expect.objectContaining({
        output: expect.objectContaining({ text: expect.stringMatching(/^inspected\ncurl: .* 403\n0\nunroll: evil/) }),
      }),
      [`CONNECT shop.example:443 Basic ${Buffer.from("ann:pass").toString("base64")}`],
    ]);
  },
);

it.skipIf(whyNoSandbox !== null)("a command that runs on loses the hosts that its thread loses", async () => {
  const port = await serve(createHttpServer((_, response) => response.end("hello\n")));
  let allow = ["shop.example", "127.0.0.1"];
  const { fixture } = await openHosts(["shop.example"], {
    hosts: { resolve: async () => ["127.0.0.1"], hosts: () => ({ allow, deny: [] }) },
  });
  const fetch = `curl -sS -o /dev/null -w '%{http_code}\\n' http://shop.example:${port}/`;
  const { outcome } = await runToEnd(
    fixture.runner,
    bash(`${fetch}; until test -e narrowed; do sleep 0.01; done; ${fetch}`, { cwd: fixture.workspace }),
    {
      onOutput: () => {
        allow = [];
        writeFileSync(join(fixture.workspace, "narrowed"), "");
      },
    },
  );
  expect(outcome).toMatchObject({ output: { text: expect.stringMatching(/^200\n403\nunroll: shop\.example:/) } });
});

it("with Seatbelt, a command has a port of its own, which is closed after it", async () => {
  const port = await serve(createHttpServer((_, response) => response.end("hello\n")));
  const { fixture, events } = await openHosts(["shop.example"], {
    // Stands for the system's launcher, which this machine does not have: it keeps what it was given.
    prepare: (base) =>
      writeFileSync(
        join(base, "sandbox-exec"),
        `#!/bin/sh\nprintf %s "$2" > '${base}/profile'\nwhile [ "$1" != -- ]; do shift; done; shift; exec "$@"\n`,
        { mode: 0o755 },
      ),
    backend: (base) => ({ type: "seatbelt", file: toCommandFile(join(base, "sandbox-exec")) }),
  });
  const { outcome } = await fixture.run(`curl -sS http://shop.example:${port}/; echo "$HTTP_PROXY"`);
  const proxyPort = /localhost:(\d+)/.exec(readFileSync(join(fixture.base, "profile"), "utf8"))?.[1];
  expect(outcome).toMatchObject({ exitCode: 0, output: { text: `hello\nhttp://127.0.0.1:${proxyPort}\n` } });
  expect(events.map(({ type }) => type)).toEqual(["host.allowed", "host.closed"]);
  const late = connect(Number(proxyPort), "127.0.0.1");
  await expect(once(late, "connect")).rejects.toThrow("ECONNREFUSED");
});
