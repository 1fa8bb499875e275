import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { serveOpenai } from "@unroll/auth/fixture/serve-openai";
import { openLogin } from "@unroll/harness";
import type { ThreadEvent } from "@unroll/protocol";
import type { Turn } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openThreadWorld, runToEnd, type ThreadWorld } from "./thread-world.ts";

const end: Turn = { items: [{ text: "End." }] };
const refusal: Turn = { status: 401 };
const shell = (command: string): Turn => ({
  items: [{ call: "exec_command", arguments: { cmd: command, login: false } }],
});

async function openWorld(...turns: readonly Turn[]): Promise<ThreadWorld & { readonly file: string }> {
  const world = await openThreadWorld({ script: { turns: [...turns, end] }, allowViolations: true });
  return { ...world, file: join(world.home, ".codex/auth.json") };
}

/** The provider `openai`, moved to the scripted server. */
const asOpenai = (world: ThreadWorld, issuer = "http://127.0.0.1:1"): readonly string[] => [
  "model_provider=openai",
  `openai_base_url=${world.model.url}`,
  `login.issuer=${issuer}`,
];

async function keepTokens(file: string): Promise<void> {
  const tokens = {
    id_token: "id-token-0",
    access_token: "access-token-0",
    refresh_token: "refresh-token-0",
    account_id: "acc-7",
  };
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, JSON.stringify({ OPENAI_API_KEY: null, tokens, last_refresh: new Date().toISOString() }));
}

const credentialsOf = ({ model }: ThreadWorld): readonly unknown[] =>
  model.requests.map(({ headers }) => [headers.authorization, headers["chatgpt-account-id"]]);

test("a login is used where there is no key; a refused token is renewed within the turn, and none of them is shown", async () => {
  await using openai = await serveOpenai();
  await using world = await openWorld(
    shell("cat $HOME/.codex/auth.json; env"),
    refusal,
    shell("cat $HOME/.codex/auth.json"),
  );
  await keepTokens(world.file);
  const config = asOpenai(world, openai.issuer);
  const told: ThreadEvent[] = [];
  let threadId = "";
  {
    await using thread = await world.openThread({ config });
    threadId = thread.id;
    const { outcome, events } = await runToEnd(thread, "Go");
    expect(outcome).toMatchObject({ type: "completed", finalMessage: "End." });
    told.push(...events);
  }
  const renewed = JSON.parse(await readFile(world.file, "utf8")) as { tokens: Record<string, string> };
  expect(renewed.tokens).toMatchObject({ refresh_token: "refresh-1", account_id: "acc-1" });
  const [before, after] = [
    ["Bearer access-token-0", "acc-7"],
    [`Bearer ${renewed.tokens["access_token"]}`, "acc-1"],
  ];
  expect(credentialsOf(world)).toEqual([before, before, after, after]);
  expect(new Set(world.model.requests.map(({ headers }) => headers["thread-id"]))).toEqual(new Set([threadId]));
  const shown = JSON.stringify([told, world.model.requests.map(({ raw }) => raw.toString("utf8"))]);
  for (const secret of ["access-token-0", "refresh-token-0", "id-token-0", ...Object.values(renewed.tokens)].filter(
    (each) => each.length > 8,
  )) {
    expect(shown).not.toContain(secret);
  }
  expect(shown).toContain("[masked-secret:login.access_token]");
});

test("requests with a login go to ChatGPT's address, those with a key to the API's", async () => {
  await using openai = await serveOpenai(); // knows no model: it says 404, and what it was asked
  await using world = await openWorld();
  await keepTokens(world.file);
  await using thread = await world.openThread({
    config: ["model_provider=openai", `chatgpt_base_url=${openai.issuer}/backend-api/`],
  });
  expect((await runToEnd(thread, "Go")).outcome).toMatchObject({ type: "failed", error: { code: "http_404" } });
  expect(openai.log.map(([path]) => path)).toEqual(["/backend-api/codex/responses"]);
});

test("an expired login fails the turn with a next step, and the thread continues after a new login", async () => {
  await using openai = await serveOpenai();
  await using world = await openWorld(refusal);
  await keepTokens(world.file);
  openai.refusal = "refresh_token_expired";
  const config = asOpenai(world, openai.issuer);
  await using thread = await world.openThread({ config });
  const { outcome } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({
    type: "failed",
    error: { code: "login_ended", message: expect.stringContaining("Run unroll login") },
  });
  await writeFile(world.file, JSON.stringify({ tokens: { access_token: "new-access", refresh_token: "new-refresh" } }));
  expect((await runToEnd(thread, "Go on")).outcome).toMatchObject({ type: "completed" });
  expect(JSON.stringify(world.model.requests.at(-1)?.input)).toContain("Go on");
});

test("a key that is kept is used like one in a variable, which wins over it; without either there is none", async () => {
  await using world = await openWorld(end);
  const config = asOpenai(world);
  await expect(world.openThread({ config })).rejects.toMatchObject({
    code: "missing_credential",
    message: expect.stringContaining("Or log in: unroll login."),
  });
  await mkdir(join(world.home, ".codex"));
  await writeFile(world.file, JSON.stringify({ OPENAI_API_KEY: "sk-kept-123" }));
  for (const env of [{}, { OPENAI_API_KEY: "sk-set-456" }]) {
    await using thread = await world.openThread({ config, env });
    await runToEnd(thread, "Go");
  }
  expect(credentialsOf(world)).toEqual([
    ["Bearer sk-kept-123", undefined],
    ["Bearer sk-set-456", undefined],
  ]);
});

test("a broken login stops a start only where it is needed", async () => {
  await using world = await openWorld(end);
  await mkdir(join(world.home, ".codex"));
  await writeFile(world.file, '{"tok');
  const config = asOpenai(world);
  await expect(world.openThread({ config })).rejects.toMatchObject({ code: "store_unusable" });
  await using thread = await world.openThread({ config, env: { OPENAI_API_KEY: "sk-set-456" } });
  expect((await runToEnd(thread, "Go")).outcome).toMatchObject({ type: "completed" });
  expect(await readFile(world.file, "utf8")).toBe('{"tok');
});

test("a command gives the key, again after a 401, and what it prints is masked", async () => {
  await using world = await openWorld(refusal, shell("cat keys"));
  await writeFile(join(world.work, "keys"), "command-key-1\ncommand-key-2\n");
  const script = `n=$(cat ${world.home}/n 2>/dev/null || echo 0); echo $((n+1)) > ${world.home}/n; echo noise-$n >&2; echo command-key-$((n+1))`;
  const config = [`model_providers.test.auth_command=${JSON.stringify(["sh", "-c", script])}`];
  await using thread = await world.openThread({ config });
  const { events, outcome } = await runToEnd(thread, "Go");
  expect(outcome).toMatchObject({ type: "completed" });
  expect(credentialsOf(world).map(String)).toEqual([
    "Bearer command-key-1,",
    "Bearer command-key-2,",
    "Bearer command-key-2,",
  ]);
  const shown = JSON.stringify([events, world.model.requests.map(({ raw }) => raw.toString("utf8"))]);
  expect(shown).not.toMatch(/command-key-\d|noise/);
});

test.for([
  [["sh", "-c", "sleep 60 & sleep 60"], "it took longer than 300 ms", 300],
  [["no-such-program-of-ours"], "there is no program no-such-program-of-ours on PATH", 250_000],
  [["sh", "-c", "echo secret; exit 4"], "it ended with exit code 4", 250_000],
] as const)("a command that gives no key stops the start: %s", async ([argv, reason, timeoutMs]) => {
  await using world = await openWorld();
  const key = "model_providers.test.auth_command";
  const config = [`${key}=${JSON.stringify(argv)}`, `${key}_timeout_ms=${timeoutMs}`];
  await expect(world.openThread({ config })).rejects.toMatchObject({
    code: "command_failed",
    message: `${key} returned no key: ${reason}. Run it by hand to see its output.`,
  });
});

test("a login of the SDK is found by the threads of the same home", async () => {
  await using world = await openWorld();
  const config = asOpenai(world);
  const host = { env: { HOME: world.home }, now: Date.now, elapsed: () => performance.now() };
  const login = {
    issuer: "http://127.0.0.1:1",
    clientId: "x",
    scopes: [],
    hosts: [],
    method: null,
    account: "default",
    storage: "file",
    mcpStorage: "file",
  } as const;
  const auth = await openLogin({ codexHome: join(world.home, ".codex"), login }, host);
  await auth.logInByKey("sk-of-the-sdk", new AbortController().signal);
  await using thread = await world.openThread({ config });
  await runToEnd(thread, "Go");
  expect(credentialsOf(world)).toEqual([["Bearer sk-of-the-sdk", undefined]]);
});

test("forced_login_method lets only one way in count: no other is used, or sent", async () => {
  await using world = await openWorld();
  await keepTokens(world.file);
  const open = (method: string, env = {}): Promise<unknown> =>
    world
      .openThread({ config: [...asOpenai(world), `forced_login_method=${method}`], env })
      .then((thread) => thread[Symbol.asyncDispose]())
      .then(
        () => "opened",
        (error: unknown) => error,
      );
  expect(await open("chatgpt", { OPENAI_API_KEY: "sk-not-to-be-used" })).toBe("opened");
  expect(await open("api")).toMatchObject({
    code: "missing_credential",
    message: expect.stringContaining('The stored login is one with ChatGPT, but forced_login_method is "api"'),
  });
  await writeFile(world.file, JSON.stringify({ auth_mode: "apikey", OPENAI_API_KEY: "sk-kept-in-the-file" }));
  expect(await open("chatgpt")).toMatchObject({ message: expect.stringContaining("The stored login is an API key") });
  await writeFile(world.file, "{}");
  expect(await open("chatgpt", { OPENAI_API_KEY: "sk-not-to-be-used" })).toMatchObject({
    code: "missing_credential",
    message: expect.stringContaining("There is no ChatGPT login"),
  });
});
