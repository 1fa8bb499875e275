import { expect, test } from "vitest";
import { createHost, loadProgramConfig, openProgramModel, toUserAgent } from "@unroll/program";
import { unrollVersion } from "@unroll/protocol";
import { createLlamaServerGuise, createOllamaGuise, createVllmGuise, startScriptedModel } from "@unroll/scripted-model";
import { createFakeIo } from "./fixture/fake-io.ts";

const codexHome = { CODEX_HOME: "/sys/nonexistent/codex" };
const open = (env: Readonly<Record<string, string>>, config: readonly string[] = []) =>
  openProgramModel({ config }, createHost(createFakeIo({ env: { ...codexHome, ...env } })), {
    signal: new AbortController().signal,
  });

test("without a configured key, model or provider the demo model answers, and a notice says so", async () => {
  await using model = await open({});
  expect(model.config).toMatchObject({ model: "unroll-demo" });
  expect(model.notices).toEqual([expect.stringContaining("the built-in demo model answers")]);
});

test("a key, an empty variable for one, or a chosen model or provider keeps the demo model away", async () => {
  const chosen = [
    open({ OPENAI_API_KEY: "sk" }),
    open({ OPENAI_API_KEY: "" }),
    open({ OPENAI_BASE_URL: "http://localhost/v1" }),
    open({}, ['model="gpt-5"']),
  ];
  for (const opening of chosen) {
    await using model = await opening;
    expect(model.notices).toEqual([]);
  }
});

test("Ollama pulls a missing model if you approve, and the error names the command if nobody can be asked", async () => {
  const guise = createOllamaGuise({ version: "0.13.4", models: [], library: ["a"] });
  await using server = await startScriptedModel({ script: { turns: [] }, guise });
  const env = { ...codexHome, CODEX_OSS_BASE_URL: server.url };
  const told: string[] = [];
  const start = (answer: boolean | null) => {
    const dialog = {
      async confirm(question: string) {
        told.push(question);
        return answer === true;
      },
      choose: async () => null,
      tell: (line: string) => void told.push(line),
    };
    const options = { signal: new AbortController().signal, ...(answer !== null && { dialog }) };
    return openProgramModel({ oss: true, model: "a" }, createHost(createFakeIo({ env })), options);
  };
  const remedy =
    "Ollama does not have the model a: get it with `ollama pull a`, or name another one with -m. It has no models.";
  await expect(start(null)).rejects.toMatchObject({ code: "input", message: remedy });
  await expect(start(false)).rejects.toMatchObject({ message: remedy });
  expect(told.splice(0)).toEqual(["Ollama does not have the model a. Pull it now?"]);
  await using model = await start(true);
  expect(model.config.provider.id).toBe("ollama");
  expect(told.slice(1)).toEqual([
    "pulling manifest",
    "pulling 4f3a: 0 % of 1.0 GB",
    "pulling 4f3a: 50 % of 1.0 GB",
    "pulling 4f3a: 100 % of 1.0 GB",
    "success",
  ]);
});

test("without a named model, a person chooses one of the server's, and a program gets their list", async () => {
  const guise = createLlamaServerGuise({ model: "only" });
  await using one = await startScriptedModel({ script: { turns: [] }, guise });
  await using two = await startScriptedModel({ script: { turns: [] }, guise: createVllmGuise({ models: ["a", "b"] }) });
  const asked: unknown[] = [];
  const start = (url: string, answer?: string | null) => {
    const dialog = {
      confirm: async () => false,
      async choose(question: string, models: readonly string[]) {
        asked.push([question, models]);
        return answer ?? null;
      },
      tell: () => {},
    };
    const config = ["model_provider=own", `model_providers.own.base_url=${url}`];
    const options = { signal: new AbortController().signal, ...(answer !== undefined && { dialog }) };
    return openProgramModel({ config }, createHost(createFakeIo({ env: codexHome })), options);
  };
  await using single = await start(one.url);
  expect(single.config.model).toBe("only");
  await using chosen = await start(two.url, "b");
  expect(chosen.config.model).toBe("b");
  expect(asked).toEqual([["Which model of own do you want to use?", ["a", "b"]]]);
  const message = "No model is named, and own has 2: a, b. Choose: name one with -m, or set model in config.toml.";
  for (const answer of [undefined, null]) {
    await expect(start(two.url, answer)).rejects.toMatchObject({ code: "input", message });
  }
});

test("flags stand over -c, which stand over files", async () => {
  const host = createHost(createFakeIo());
  const config = await loadProgramConfig({ config: ["model=one", "model_verbosity=low"], model: "two" }, host);
  expect(config.model).toBe("two");
  await expect(loadProgramConfig({ config: ["model"] }, host)).rejects.toThrow("-c model: expected key=value");
});

test("each program presents itself under its own name, or under that of the one that started it", () => {
  expect(toUserAgent("unroll_chat", { platform: "linux", env: {} })).toBe(`unroll_chat/${unrollVersion} (linux)`);
  const env = { CODEX_INTERNAL_ORIGINATOR_OVERRIDE: "codex_sdk_ts" };
  expect(toUserAgent("unroll_exec", { platform: "linux", env })).toBe(`codex_sdk_ts/${unrollVersion} (linux)`);
  const broken = { CODEX_INTERNAL_ORIGINATOR_OVERRIDE: "a\r\nx-header: b" };
  expect(toUserAgent("unroll_exec", { platform: "linux", env: broken })).toBe(`unroll_exec/${unrollVersion} (linux)`);
});
