import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createChatgptGuise, startScriptedModel } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openInProcessWorld } from "./run-in-process.ts";

test("models lists what is known and from whom, in lines and as JSON, and marks the one in use", async () => {
  await using world = await openInProcessWorld();
  const config = `[models.mine]\ncontext_window = 4096\nefforts = ["low", "high"]\ndefault_effort = "high"\nshutdown_date = "2031-02-03"\n`;
  const { exitCode, stdout } = await world.run(["models", "-m", "gpt-5"], { config });
  expect(exitCode).toBe(0);
  const [heading = "", ...lines] = stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, "|"));
  expect(heading).toMatch(/\|model\|window\|/);
  expect(lines).toContain("|mine|4,096|unknown|low [high]|no|yes|unknown|2031-02-03|config");
  expect(lines).toContain(
    "* gpt-5|272k|128k|minimal low [medium] high|yes|yes|1.25 / 0.125 / 1.25 / 10|2026-12-11|built in",
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/gpt-5\.2\|272k\|128k\|none low \[medium\] high xhigh\|low\|yes\|/),
  );
  expect(lines.some((line) => line.includes("unroll-demo"))).toBe(false);

  const json = await world.run(["models", "--json", "--all", "--provider", "openai", "-m", "nobody-knows"]);
  const answer = JSON.parse(json.stdout) as { readonly models: readonly { readonly model: string }[] };
  expect(answer).toMatchObject({ model: "nobody-knows", provider: "openai" });
  expect(answer.models[0]).toMatchObject({
    model: "nobody-knows",
    origins: [],
    in_use: true,
    efforts: null,
    price: null,
  });
  expect(answer.models.find(({ model }) => model === "gpt-5.2")).toMatchObject({
    efforts: ["none", "low", "medium", "high", "xhigh"],
    default_effort: "none",
    sent_effort: "medium",
    sent_verbosity: "low",
    sent_reasoning_context: null,
  });
  expect(answer.models.map(({ model }) => model)).toEqual(expect.arrayContaining(["mine", "unroll-demo", "gpt-5"]));
  expect(JSON.parse((await world.run(["models", "--schema"])).stdout)).toMatchObject({ required: ["models"] });
  expect(await world.run(["models", "--provider", "opnai"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Did you mean "openai"?'),
  });
});

test("models leaves columns out on a narrow terminal, so that no row is broken, and points to --json", async () => {
  await using world = await openInProcessWorld();
  const widest = async (columns: number): Promise<string> => {
    const { stdout } = await world.run(["models"], { size: { columns, rows: 24 } });
    const rows = stdout.split("\n");
    expect({ columns, tooLong: rows.filter((row) => row.length > columns) }).toEqual({ columns, tooLong: [] });
    return `${rows[0]?.trim().replaceAll(/ {2,}/g, "|")}; ${rows.at(-2)}`;
  };
  const hint = "A wider terminal shows more columns, --json shows all.";
  expect(await widest(80)).toBe(`model|window|efforts|$/M in/out; ${hint}`);
  expect(await widest(100)).toBe(`model|window|answer|efforts|$/M in/out|ends; ${hint}`);
  expect(await widest(200)).toBe(
    "model|window|answer|efforts|verbosity|images|$ per million in/cached/written/out|ends|known from; * in use: gpt-6.1-sol of OpenAI",
  );
});

test("models --refresh keeps what the provider lists, and a run knows it from then on", async () => {
  await using server = await startScriptedModel({ script: { turns: [] }, models: ["next-month", "gpt-oss:20b"] });
  await using world = await openInProcessWorld();
  const config = `[model_providers.mine]\nbase_url = ${JSON.stringify(server.url)}\n`;
  const list = ["models", "--provider", "mine", "--json"];
  const before = JSON.parse((await world.run(list, { config })).stdout) as Json;
  expect(before.models.map(({ model }) => model)).not.toContain("next-month");
  const ran = await world.run([...list, "--refresh"]);
  expect(ran).toMatchObject({ exitCode: 0, stderr: "unroll: mine lists 2 models.\n" });
  const known = (JSON.parse(ran.stdout) as Json).models.map(({ model, origins }) => `${model} ${origins.join("+")}`);
  expect(known).toEqual(["next-month provider", "gpt-oss:20b built_in+provider"]);
  expect((await world.run(["models", "--provider", "mine"])).stdout).toContain(
    "\n\nNo model is set: if mine has only one, unroll uses it.\n",
  );

  const explained = await world.run(["config", "explain", "model", "-c", "model_provider=mine", "-m", "next-month"]);
  expect(explained.exitCode).toBe(0);
  // it is known now, and how large its window is still is not
  const unknown = 'the context window of the model "next-month" is unknown: 128000 tokens is a guess';
  expect(explained.stderr).toContain(unknown);
  const windows = (JSON.parse(ran.stdout) as Json).models.map((model) => model.context_window_origin);
  expect(windows).toEqual(["guess", "guess"]);
  expect((await world.run(["models", "--provider", "mine"])).stdout).toMatch(/next-month +128k\?/);
  await writeFile(join(world.home, ".codex/model-lists/mine.json"), "{");
  expect((await world.run(["models"])).exitCode).toBe(0);
});

test("models --refresh over a ChatGPT login says its version, and keeps what that list says of each model", async () => {
  const entry = {
    slug: "gpt-next",
    context_window: 64_000,
    supported_reasoning_levels: [{ effort: "low" }, { effort: "max" }],
  };
  await using server = await startScriptedModel({
    script: { turns: [] },
    guise: createChatgptGuise({ models: [entry] }),
  });
  await using world = await openInProcessWorld();
  const tokens = { access_token: "token-of-ann", refresh_token: "r", id_token: "i", account_id: "acc" };
  await world.write(
    "home/.codex/auth.json",
    JSON.stringify({ auth_mode: "chatgpt", tokens, last_refresh: new Date() }),
  );
  const config = `chatgpt_base_url = "${new URL("/backend-api", server.url).href}"\n`;
  const ran = await world.run(["models", "--refresh", "--json", "--all"], { config });
  expect(ran).toMatchObject({ exitCode: 0, stderr: "unroll: OpenAI lists 1 model.\n" });
  expect((JSON.parse(ran.stdout) as Json).models.find(({ model }) => model === "gpt-next")).toMatchObject({
    context_window: 64_000,
    efforts: ["low", "max"],
    origins: ["provider"],
  });
  const { stdout } = await world.run(["doctor", "-m", "gpt-next"], { config });
  expect(stdout).toContain(`OpenAI responds at ${new URL("/backend-api/codex", server.url).href}.`);
});

interface Json {
  readonly models: readonly {
    readonly model: string;
    readonly origins: readonly string[];
    readonly context_window_origin: string;
  }[];
}

test("a missing provider, or one without a list, is reported with exit code 1", async () => {
  await using world = await openInProcessWorld();
  const config = `[model_providers.mine]\nbase_url = "http://127.0.0.1:1/v1"\n`;
  const ran = await world.run(["models", "--refresh", "--provider", "mine"], { config });
  expect(ran).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringContaining("Could not reach 127.0.0.1:1"),
  });
});

test("exec and doctor report a model that was retired, and the choice leaves it out", async () => {
  await using server = await startScriptedModel({ script: { turns: [{ items: [{ text: "Hello." }] }] } });
  await using world = await openInProcessWorld();
  const config = `model = "old"\nmodel_provider = "mine"\n[models.old]\nshutdown_date = "2020-01-02"\n[model_providers.mine]\nname = "Mine"\npreset = "openai"\nbase_url = "${server.url}"\n`;
  const told = "Mine ended the model old on 2020-01-02: requests to it fail. Use another model";
  const ran = await world.run(["exec", "--skip-git-repo-check", "Say hello"], { config });
  expect(ran).toMatchObject({ exitCode: 0, stdout: "Hello.\n", stderr: expect.stringContaining(told) });
  expect((await world.run(["doctor"])).stdout.replaceAll(/\s+/g, " ")).toContain(told);
  const listed = await world.run(["models", "--json", "--provider", "openai"]);
  const names = (JSON.parse(listed.stdout) as Json).models.map(({ model }) => model);
  expect(names).toEqual(expect.arrayContaining(["gpt-6.1-sol", "gpt-5.3-codex"]));
  expect(names).not.toContain("gpt-5-codex");
});
