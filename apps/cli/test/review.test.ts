import { execFileSync } from "node:child_process";
import { startScriptedModel } from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { openInProcessWorld } from "./run-in-process.ts";

const finding = { title: "It loses data", body: "Because.", file: "a.ts", line: 3 };
const review = {
  findings: [
    { ...finding, title: "It is slow", priority: 2 },
    { ...finding, priority: 0 },
  ],
  summary: "Not yet.",
};

test.for([
  ["review", "--base", "main"],
  ["exec", "review", "--base", "main"],
])("unroll %s prints findings by priority, and only reads", async (args) => {
  await using world = await openInProcessWorld();
  const model = await startScriptedModel({ respond: () => ({ items: [{ text: JSON.stringify(review) }] }) });
  const config = `model = "gpt-5-codex"\nmodel_provider = "test"\n[model_providers.test]\nname = "Test"\npreset = "openai"\nbase_url = "${model.url}"\n`;
  const git = (...rest: readonly string[]): unknown => execFileSync("git", rest, { cwd: world.work });
  git("init", "-q", "-b", "main");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first");
  const ran = await world.run(args, { config });
  expect(ran).toMatchObject({
    exitCode: 0,
    stdout: "**P0 It loses data**\n`a.ts:3`\n\nBecause.\n\n**P2 It is slow**\n`a.ts:3`\n\nBecause.\n\nNot yet.\n",
  });
  const sent = JSON.stringify(model.requests[0]?.body);
  expect([sent.includes("merge-base HEAD main"), sent.includes("read-only"), sent.includes("json_schema")]).toEqual([
    true,
    true,
    true,
  ]);
  await model.close();
});

test("a review in prose is printed as it is after one request, unless --schema-repairs demands the schema", async () => {
  await using world = await openInProcessWorld();
  const model = await startScriptedModel({ respond: () => ({ items: [{ text: "It looks good to me." }] }) });
  const config = `model = "gpt-5-codex"\nmodel_provider = "test"\n[model_providers.test]\nname = "Test"\npreset = "openai"\nbase_url = "${model.url}"\n`;
  for (const args of [["review"], ["exec", "review"]]) {
    const before = model.requests.length;
    const ran = await world.run([...args, "--uncommitted"], { config });
    expect(ran).toMatchObject({ exitCode: 0, stdout: "It looks good to me.\n" });
    expect(model.requests.length - before).toBe(1);
  }
  const strict = await world.run(["exec", "review", "--uncommitted", "--schema-repairs", "0"], { config });
  expect(strict).toMatchObject({ exitCode: 9, stderr: expect.stringContaining("does not fit the output schema") });
  await model.close();
});

test("a review of two things at once is refused", async () => {
  await using world = await openInProcessWorld();
  expect(await world.run(["review", "--base", "main", "--commit", "abc"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("use only one of --uncommitted, --base and --commit"),
  });
});
