import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import type { ApprovalDecision, Person, Question, ThreadEvent } from "@unroll/protocol";
import { hasSandbox } from "@unroll/sandbox/fixture/probed-sandbox";
import { describe, expect, onTestFinished, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadSettings } from "./thread-world.ts";

async function serve(onRequest: () => void = () => {}): Promise<number> {
  const server = createServer((_, response) => response.end("hello\n")).listen(0, "127.0.0.1");
  server.on("request", onRequest);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return Number(Object(server.address()).port);
}

/** Answers each question with the same decision, and keeps the questions. */
function answering(decision: ApprovalDecision): Person & { readonly questions: readonly Question[] } {
  const questions: Question[] = [];
  return {
    questions,
    async answer(question) {
      questions.push(question);
      return decision;
    },
  };
}

/** Runs one command after the other; what the model reads of each, the host events, and the events of questions. */
async function runCommands(
  commands: readonly string[],
  { npmrc = "", rules, ...settings }: ThreadSettings & { readonly npmrc?: string; readonly rules?: string },
) {
  const calls = commands.map((cmd) => ({ items: [{ call: "exec_command", arguments: { cmd, login: false } }] }));
  const world = await openThreadWorld({ script: { turns: [...calls, { items: [{ text: "Done." }] }] as never } });
  onTestFinished(() => world[Symbol.asyncDispose]());
  await writeFile(join(world.home, ".npmrc"), npmrc);
  if (rules !== undefined) {
    await mkdir(join(world.home, ".codex", "rules"), { recursive: true });
    await writeFile(join(world.home, ".codex", "rules", "default.rules"), rules);
  }
  await using thread = await world.openThread(settings);
  const { events } = await runToEnd(thread, "Go");
  const outputs = (world.model.requests.at(-1)?.input ?? []).flatMap(({ output }) =>
    typeof output === "string" ? [output.slice(output.indexOf("\n\n") + 2)] : [],
  );
  const of = (beginning: string): readonly ThreadEvent[] => events.filter(({ type }) => type.startsWith(beginning));
  return { world, outputs, hosts: of("host."), questions: of("question."), warnings: of("warning") };
}

const reach = (host: string, port: number) => `curl -sS --max-time 60 http://${host}:${port}/`;
const workspace = (allow: readonly string[]) => [
  "sandbox_mode=workspace-write",
  `sandbox_workspace_write.network.allow=${JSON.stringify(allow)}`,
];

describe.skipIf(!hasSandbox)("hosts by name", () => {
  test("a command reaches an allowed host; the thread tells which, and how much was moved", async () => {
    const port = await serve();
    const shop = reach("shop.example", port);
    const { outputs, hosts } = await runCommands([`${shop}; ${shop}`], {
      permissions: [...workspace(["shop.example", `127.0.0.1:${port}`]), "approval_policy=never"],
    });
    const place = { item_id: "item_0", command: expect.stringContaining(shop), host: "shop.example", port };
    expect([outputs, hosts]).toEqual([
      [expect.stringMatching(/Output:\nhello\nhello\n$/)],
      [
        { type: "host.allowed", ...place, rule: "shop.example" },
        {
          type: "host.closed",
          ...place,
          connections: 2,
          sent_bytes: expect.any(Number),
          received_bytes: expect.any(Number),
        },
      ],
    ]);
  });

  test("where nobody can answer, another host is denied at once, with the line that would allow it", async () => {
    const port = await serve();
    const { outputs, hosts, questions } = await runCommands([`${reach("evil.example", port)}; exit 3`], {
      permissions: workspace([`127.0.0.1:${port}`]),
    });
    const host = `evil.example:${port}`;
    const reason = `${host} is not among the hosts that commands may reach. Nobody is here to approve it. To allow it beforehand: --allow-host ${host}`;
    expect([outputs, hosts, questions]).toEqual([
      [expect.stringContaining(`unroll: ${reason}\n`)],
      [
        {
          type: "host.denied",
          item_id: "item_0",
          command: expect.any(String),
          host: "evil.example",
          port,
          rule: null,
          reason,
        },
      ],
      [],
    ]);
  });

  test("where a rule asks each time and nobody can answer, the denial names the rule, not a flag that does not help", async () => {
    const port = await serve();
    const { outputs, hosts } = await runCommands([reach("shop.example", port)], {
      rules: 'network_rule(host="shop.example", protocol="https", decision="prompt")\n',
      permissions: workspace(["shop.example", `127.0.0.1:${port}`]),
    });
    const reason = `shop.example:${port} needs an answer each time: your network_rule for shop.example asks. Nobody is here to approve it. To allow it beforehand, change that rule.`;
    expect(outputs).toEqual([expect.stringContaining(`unroll: ${reason}\n`)]);
    expect(hosts).toMatchObject([{ type: "host.denied", host: "shop.example", port, rule: "shop.example", reason }]);
  });

  test("always, where a rule asks each time, holds for the thread; a warning says so, and no rule is written", async () => {
    const port = await serve();
    const person = answering({ type: "approved.hosts" });
    const rules = 'network_rule(host="shop.example", protocol="https", decision="prompt")\n';
    const fetch = reach("shop.example", port);
    const { outputs, world, warnings } = await runCommands([fetch, fetch], {
      rules,
      person,
      permissions: workspace([`127.0.0.1:${port}`]),
    });
    expect([outputs, person.questions]).toEqual([
      Array(2).fill(expect.stringMatching(/Output:\nhello\n$/)),
      [expect.objectContaining({ endsByRule: false })],
    ]);
    const message = "Your network_rule for shop.example asks each time, so the answer counts for this thread only.";
    expect(warnings).toEqual([{ type: "warning", message }]);
    expect(await readFile(join(world.home, ".codex", "rules", "default.rules"), "utf8")).toBe(rules);
  });

  test.each([
    ["approved.once", 2, []],
    ["approved.thread", 1, []],
    ["approved.hosts", 1, [`network_rule(host="new.example", protocol="socks5_tcp", decision="allow")`]],
  ] as const)("%s holds as long as it says, and the waiting connection continues", async (type, count, rules) => {
    const port = await serve();
    const person = answering({ type });
    const fetch = `${reach("new.example", port)}; ${reach("new.example", port)}`;
    const { outputs, world } = await runCommands([fetch, fetch], {
      person,
      permissions: workspace([`127.0.0.1:${port}`]),
    });
    const question = {
      type: "host.approval",
      hosts: [`new.example:${port}`],
      cwd: world.work,
      endsByRule: true,
      askedBy: "sandbox_workspace_write.network",
      reason: `new.example:${port} is not among the hosts that commands may reach.`,
    };
    const written = await readFile(join(world.home, ".codex", "rules", "default.rules"), "utf8").catch(() => "");
    expect([outputs, person.questions, written.split("\n").filter(Boolean)]).toEqual([
      Array(2).fill(expect.stringMatching(/Output:\nhello\nhello\n$/)),
      Array(count).fill(expect.objectContaining(question)),
      rules,
    ]);
  });

  test.each([
    ["approved.once", 2, "hello\nhello\n"],
    ["approved.thread", 1, "hello\nhello\n"],
    ["denied", 2, "403403"],
  ] as const)("the hosts of a package manager are asked about together: %s", async (type, count, text) => {
    const port = await serve();
    const person = answering(type === "denied" ? { type, reason: null } : { type });
    const [main, own] = ["packages.example", "own.example"];
    const status = type === "denied" ? "-o /dev/null -w '%{http_code}'" : "";
    const fetch = `${reach(main, port)} ${status}; ${reach(own, port)} ${status}`;
    const { outputs } = await runCommands([fetch, fetch], {
      person,
      npmrc: `registry=http://${main}:${port}/\n@own:registry=http://${own}:${port}/\n`,
      permissions: workspace([`127.0.0.1:${port}`]),
    });
    expect([outputs, person.questions]).toEqual([
      Array(2).fill(expect.stringContaining(`Output:\n${text}`)),
      Array(count).fill(expect.objectContaining({ hosts: [`${main}:${port}`, `${own}:${port}`] })),
    ]);
  });

  test("a command that ends before you answer ends its question, and the thread tells that nobody answered", async () => {
    const port = await serve();
    const person: Person = {
      async answer(question, signal) {
        if (question.type === "host.approval") await writeFile(join(question.cwd, "asked"), "");
        await once(signal, "abort");
        throw signal.reason;
      },
    };
    const cmd = `${reach("new.example", port)} & until test -e asked; do sleep 0.01; done; kill $!`;
    const { questions } = await runCommands([cmd], { person, permissions: workspace([`127.0.0.1:${port}`]) });
    const about = { question: "host.approval", item_id: "item_0" };
    expect(questions).toEqual([
      { type: "question.asked", ...about, reason: expect.any(String) },
      { type: "question.answered", ...about, answer: "dismissed" },
    ]);
  });

  test("an answer about an address names that address, even if it is private", async () => {
    const port = await serve();
    const person = answering({ type: "approved.once" });
    const fetch = `curl -sS -x "$HTTP_PROXY" --noproxy "" http://127.0.0.1:${port}/`;
    const { outputs } = await runCommands([fetch], { person, permissions: workspace([]) });
    expect([outputs, person.questions]).toEqual([
      [expect.stringMatching(/Output:\nhello\n$/)],
      [expect.objectContaining({ hosts: [`127.0.0.1:${port}`] })],
    ]);
  });

  test("a command of a child thread has the hosts of both threads, and loses them with the parent while it stays on", async () => {
    const reached = Promise.withResolvers<void>();
    const port = await serve(() => reached.resolve());
    const fetch = (host: string) => `${reach(`${host}.example`, port)} -o /dev/null -w '${host} %{http_code} '`;
    const cmd = `${fetch("depot")}; ${fetch("shop")}; until test -e narrowed; do sleep 0.01; done; ${fetch("shop")}`;
    const start = { call: "exec_command", arguments: { cmd, login: false, yield_time_ms: 0 } };
    const wait = { call: "write_stdin", arguments: { session_id: 1, yield_time_ms: 20_000 } };
    const turns = [[start], [{ text: "It runs." }], [wait], [{ text: "Done." }]].map((items) => ({ items }));
    await using world = await openThreadWorld({ script: { turns: turns as never } });
    const allow = (...names: readonly string[]) => [
      ...workspace([...names, `127.0.0.1:${port}`]),
      "approval_policy=never",
    ];
    await using harness = await world.openHarness({ permissions: allow("shop.example", "other.example") });
    const parent = await harness.openThread();
    const config = await world.loadConfig(allow("shop.example", "depot.example"));
    const child = await harness.openThread({ parent, config });
    await runToEnd(child, "Start");
    await reached.promise;
    parent.change({ sandboxMode: "read-only" });
    await writeFile(join(world.work, "narrowed"), "");
    await runToEnd(child, "Go on");
    expect(world.model.requests.at(-1)?.input.at(-1)).toMatchObject({
      output: expect.stringMatching(/Output:\ndepot 403 shop 200 shop 403 \nunroll: depot\..*\nunroll: shop\..*\n$/),
    });
  });

  test("a question about a command outside the sandbox says that it reaches every host there", async () => {
    const person = answering({ type: "denied", reason: null });
    const cmd = { cmd: "true", login: false, sandbox_permissions: "require_escalated", justification: "To see." };
    const turns = [{ items: [{ call: "exec_command", arguments: cmd }] }, { items: [{ text: "Done." }] }];
    await using world = await openThreadWorld({ script: { turns: turns as never } });
    await using thread = await world.openThread({ person, permissions: workspace(["shop.example"]) });
    await runToEnd(thread, "Go");
    expect(person.questions).toMatchObject([
      { isUnconfined: true, reason: expect.stringMatching(/ Outside the sandbox, it reaches every host\.$/) },
    ]);
  });

  test("a denial closes the connection, and the model gets its reason", async () => {
    const port = await serve();
    const deny = answering({ type: "denied", reason: "use the cache" });
    const { outputs, questions } = await runCommands([reach("new.example", port)], {
      person: deny,
      permissions: workspace([`127.0.0.1:${port}`]),
    });
    expect([outputs, questions]).toEqual([
      [expect.stringContaining(`new.example:${port} was denied. The user said no, and: use the cache`)],
      [
        {
          type: "question.asked",
          question: "host.approval",
          item_id: "item_0",
          reason: `new.example:${port} is not among the hosts that commands may reach.`,
        },
        { type: "question.answered", question: "host.approval", item_id: "item_0", answer: "denied" },
      ],
    ]);
  });
});
