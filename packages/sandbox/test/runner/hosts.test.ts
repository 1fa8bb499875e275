import { once } from "node:events";
import { createServer as createHttpServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
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
