import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createSelfSigned } from "@unroll/text/fixture/self-signed";
import { expect, onTestFinished, test } from "vitest";
import { openInProcessWorld } from "./run-in-process.ts";
import { hasSandbox, openCommandWorld, trusting } from "./run-unroll.ts";

const noModel = { script: { turns: [] } };

test.for([["mcp"], ["threads"], ["execpolicy"]])(
  "%j names no command: the help on stderr, exit code 2",
  async (args) => {
    await using world = await openInProcessWorld();
    const stderr: unknown = expect.stringMatching(/^Usage: unroll[^]*\nCommands:\n/);
    expect(await world.run(args)).toEqual({ exitCode: 2, stdout: "", stderr });
  },
);

test.for([
  ["-m, --model <name>", ["exec", "-m", "", "Hi"]],
  ["-o, --output-last-message <file>", ["exec", "-o", "", "Hi"]],
  ["-C, --cd <dir>", ["chat", "-C", ""]],
  ["-r, --rules <file>", ["execpolicy", "check", "-r", "", "--", "ls"]],
] as const)("an empty value of %s is refused", async ([flag, args]) => {
  await using world = await openInProcessWorld();
  const stderr = `unroll: option '${flag}' argument '' is invalid. It is empty.\n`;
  expect(await world.run(args)).toEqual({ exitCode: 2, stdout: "", stderr });
});

test.for([
  ["-s, --sandbox <mode>", ["-s", "read-only", "-s", "danger-full-access"], "read-only"],
  ["-a, --ask-for-approval <policy>", ["-a", "untrusted", "-a", "never"], "untrusted"],
  ["--max-turns <n>", ["--max-turns", "1", "--max-turns", "9"], "1"],
] as const)("a second, different value of the limit %s is refused", async ([flag, args, first]) => {
  await using world = await openInProcessWorld();
  const stderr = `unroll: option '${flag}' argument '${args[3]}' is invalid. It was given before, as "${first}".\n`;
  expect(await world.run(["exec", ...args, "Hi"])).toEqual({ exitCode: 2, stdout: "", stderr });
});

test("demo makes no copy where the config cannot be used", async () => {
  await using world = await openInProcessWorld();
  await writeFile(join(world.home, ".codex/config.toml"), "model = \n");
  const stderr: unknown = expect.stringMatching(/^unroll: \S*config\.toml:1:\d+: [^\n]*\n$/);
  expect(await world.run(["demo"])).toEqual({ exitCode: 5, stdout: "", stderr });
});

test("execpolicy check prints the decision and the rule that made it", async () => {
  await using world = await openCommandWorld(noModel);
  const rules =
    'prefix_rule(pattern=["git", "log"], decision="allow")\nprefix_rule(pattern=["rm"], decision="forbidden")\n';
  await writeFile(join(world.work, "my.rules"), rules);
  const check = ["execpolicy", "check", "--rules", "my.rules"];
  expect(await world.run([...check, "--", "git", "log"])).toEqual({
    exitCode: 0,
    stdout: "allow: The rule my.rules:1 allows `git log`.\n  my.rules:1 allow: git log\n",
    stderr: "",
  });
  const forbidden = await world.run([...check, "--json", "--", "bash", "-lc", "git log && rm x"]);
  expect(forbidden.exitCode).toBe(1);
  expect(JSON.parse(forbidden.stdout)).toMatchObject({
    decision: "forbidden",
    matchedRules: [{}, { prefixRuleMatch: { line: 2 } }],
  });
});

test("execpolicy check writes out what would be obeyed or hidden", async () => {
  await using world = await openInProcessWorld();
  await writeFile(join(world.work, "my.rules"), "");
  const hostile = "make \u001b[2J\u202E";
  const check = ["execpolicy", "check", "--rules", "my.rules"];
  const { stdout } = await world.run([...check, "--", hostile]);
  expect(stdout).toContain("\\u{1b}[2J\\u{202e}");
  expect(stdout).not.toMatch(/[\p{Cc}\p{Cf}](?<!\n)/u);
  const json = await world.run([...check, "--json", "--", hostile]);
  expect(json.stdout).not.toMatch(/[\p{Cc}\p{Cf}](?<!\n)/u);
  expect(JSON.stringify(JSON.parse(json.stdout))).toContain(JSON.stringify(hostile).slice(1, -1));
});

test("execpolicy check tells where a rules file is wrong", async () => {
  await using world = await openInProcessWorld();
  await writeFile(join(world.work, "bad.rules"), "prefix_rule(\n");
  const bad = await world.run(["execpolicy", "check", "--rules", "bad.rules", "--", "ls"]);
  expect(bad).toMatchObject({
    exitCode: 2,
    stdout: "",
    stderr: expect.stringMatching(/^unroll: bad\.rules:\d+:\d+: /),
  });
  const none = await world.run(["execpolicy", "check", "--rules", "none.rules", "--", "ls"]);
  expect(none).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("none.rules") });
});

test("apply-patch changes files, --check does not, and what does not fit says why", async () => {
  await using world = await openCommandWorld(noModel);
  const file = join(world.work, "a.txt");
  await writeFile(file, "one\ntwo\n");
  const stdin = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+ONE\n two\n*** End Patch\n";
  expect(await world.run(["apply-patch", "--check"], { stdin })).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("M a.txt"),
  });
  expect(await readFile(file, "utf8")).toBe("one\ntwo\n");
  expect(await world.run(["apply-patch"], { stdin })).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("M a.txt"),
  });
  expect(await readFile(file, "utf8")).toBe("ONE\ntwo\n");
  expect(await world.run(["apply-patch"], { stdin })).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("applied already"),
  });
});

test.skipIf(!hasSandbox)("sandbox gives back the command's output and exit code, and holds it in", async () => {
  await using world = await openCommandWorld(noModel);
  const script = "echo in; touch made.txt; touch ../outside.txt 2>/dev/null && echo escaped; exit 7";
  const run = (mode: string) =>
    world.run([
      "sandbox",
      "-s",
      mode,
      "-c",
      "sandbox_workspace_write.exclude_slash_tmp=true",
      "--",
      "bash",
      "-c",
      script,
    ]);
  expect(await run("workspace-write")).toMatchObject({ exitCode: 7, stdout: "in\n" });
  expect(await readFile(join(world.work, "made.txt"), "utf8")).toBe("");
  expect(await world.run(["sandbox", "-s", "read-only", "--", "touch", "more.txt"])).toMatchObject({ exitCode: 1 });
  await expect(readFile(join(world.work, "more.txt"))).rejects.toThrow("ENOENT");
});

test.skipIf(!hasSandbox)("sandbox tells what it put aside", async () => {
  await using world = await openCommandWorld(noModel);
  const script = "git init -q nest && git -C nest config core.fsmonitor ./evil";
  const ran = await world.run(["sandbox", "-s", "workspace-write", "--", "bash", "-c", script]);
  expect(ran.stderr).toMatch(/unroll: .*quarantined/);
});

test.skipIf(!hasSandbox)(
  "sandbox lets a command reach the hosts that the user's rules allow, and no others",
  async () => {
    await using world = await openCommandWorld(noModel);
    const server = createServer((_, response) => response.end("hello\n")).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const rules = join(world.home, ".codex", "rules");
    await mkdir(rules, { recursive: true });
    await writeFile(
      join(rules, "my.rules"),
      'network_rule(host="127.0.0.1", protocol="socks5_tcp", decision="allow")\n',
    );
    const fetch = (host: string) => `curl -sS -x "$HTTP_PROXY" --noproxy "" -w '%{http_code} ' http://${host}:${port}/`;
    const script = `${fetch("127.0.0.1")}; ${fetch("127.0.0.2")} -o /dev/null`;
    const ran = await world.run(["sandbox", "-s", "workspace-write", "--", "bash", "-c", script]);
    expect(ran).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("127.0.0.2:") });
    expect(ran.stdout).toBe("hello\n200 403 ");
  },
);

test.skipIf(!hasSandbox)(
  "an https:// proxy that leads commands to hosts needs an authority that this machine trusts, and none of a temporary folder",
  async () => {
    await using world = await openCommandWorld(noModel);
    const server = createSelfSigned();
    const authority = join(world.home, "ca.pem");
    await writeFile(authority, server.cert);
    const company = createTlsServer(server, (_, response) => response.end("hello")).listen(0, "127.0.0.1");
    onTestFinished(() => void company.close());
    await once(company, "listening");
    const http_proxy = `https://127.0.0.1:${(company.address() as AddressInfo).port}`;
    const command = ["curl", "-sS", "http://shop.invalid/"];
    const args = ["sandbox", "-s", "workspace-write", "--allow-host", "shop.invalid", "--", ...command];
    const texts = [{}, { NODE_EXTRA_CA_CERTS: authority }, trusting(authority)].map(async (env) => {
      return (await world.run(args, { env: { ...env, http_proxy } })).stdout;
    });
    const untrusted = expect.stringContaining("(its certificate is not trusted; name its authority in SSL_CERT_FILE)");
    expect(await Promise.all(texts)).toEqual([untrusted, untrusted, "hello"]);
  },
);

test("sandbox says that --allow-host has no effect in other modes than workspace-write", async () => {
  await using world = await openInProcessWorld();
  const { stderr } = await world.run([
    "sandbox",
    "-s",
    "danger-full-access",
    "--allow-host",
    "a.example",
    "--",
    "true",
  ]);
  expect(stderr).toBe(
    "unroll: --allow-host has no effect in the sandbox mode danger-full-access: use workspace-write.\n",
  );
});

test("sandbox --explain says what is enforced, what is not, and how it is started", async () => {
  await using world = await openInProcessWorld();
  const open = await world.run(["sandbox", "--explain", "-s", "danger-full-access"]);
  expect(open).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^backend: none\n\nnot enforced\n/) });
  const walled = await world.run(["sandbox", "--explain", "-s", "workspace-write"]);
  expect(walled.exitCode).toBe(hasSandbox ? 0 : 126);
  expect(walled.stdout).toMatch(hasSandbox ? /argument list\n {2}.*bwrap / : /refused: /);
});

test.skipIf(!hasSandbox)("sandbox --explain does not say of a read-only sandbox that commands may write", async () => {
  await using world = await openInProcessWorld();
  const { stdout } = await world.run(["sandbox", "--explain", "-s", "read-only"]);
  expect(stdout).toMatch(/^not enforced$[^]*^ {2}Processor time and disk space are not limited\.$/m);
  expect(stdout).not.toContain("may write");
});

test.skipIf(!hasSandbox)("sandbox --explain writes out what the name of a folder hides", async () => {
  await using world = await openInProcessWorld();
  const folder = join(world.home, "a\u001b[2Jb\n  c\u202e\u2800\u0441url");
  await mkdir(folder);
  const { stdout, stderr } = await world.run(["sandbox", "--explain", "-s", "workspace-write"], { cwd: folder });
  for (const hidden of ["\u001b", "\u202e", "\u2800", "\u0441", "\n  c"]) expect(stdout + stderr).not.toContain(hidden);
  expect(stdout).toContain("a\\u{1b}[2Jb\\u{a}  c\\u{202e}\\u{2800}\\u{441}url");
});

test("sandbox tells a missing command, one that is not executable, and that there was none", async () => {
  await using world = await openCommandWorld(noModel);
  const run = (...argv: readonly string[]) => world.run(["sandbox", "-s", "danger-full-access", "--", ...argv]);
  expect(await run("no-such-command")).toMatchObject({
    exitCode: 127,
    stderr: expect.stringContaining("no-such-command"),
  });
  expect(await run("/")).toMatchObject({ exitCode: 126, stderr: expect.stringContaining("not executable") });
  expect(await run()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("Give a command") });
});

test("without a terminal the program says what runs without one", async () => {
  await using world = await openCommandWorld(noModel);
  expect(await world.run([])).toEqual({
    exitCode: 2,
    stdout: "",
    stderr:
      'unroll: There is no terminal here. Use unroll exec "…" to run one task, or unroll --plain to read lines from stdin.\n',
  });
});
