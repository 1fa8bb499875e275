import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { browse } from "@unroll/auth/fixture/browse";
import { serveOauth } from "@unroll/auth/fixture/serve-oauth";
import {
  createAzureGuise,
  createChatgptGuise,
  createLlamaServerGuise,
  createLmStudioGuise,
  createOllamaGuise,
  createVllmGuise,
  type Guise,
  type ScriptedModel,
  startScriptedModel,
} from "@unroll/scripted-model";
import { expect, test } from "vitest";
import { type InProcessWorld, openInProcessWorld } from "./run-in-process.ts";

/** The lines that docs/providers.md gives to copy, one for each provider. */
const page = await readFile(join(import.meta.dirname, "../../../docs/providers.md"), "utf8");
const lines = [...page.matchAll(/^\| .* \| `(.*"Say hello")`/gm)].map(([, line = ""]) => line);
const providers = new Map([
  ["OPENAI_API_KEY=…", { server: "openai", words: "(OpenAI)" }],
  ["unroll login", { server: "chatgpt", words: "(OpenAI)" }],
  ["AZURE_OPENAI_API_KEY=…", { server: "azure", words: "(Azure OpenAI)" }],
  ["ollama pull", { server: "ollama", words: "(Ollama)" }],
  ["lms get", { server: "lmstudio", words: "(LM Studio)" }],
  ["unroll exec --local-provider llamacpp", { server: "llamacpp", words: "(llama.cpp)" }],
  ["unroll exec --local-provider vllm", { server: "vllm", words: "(vLLM)" }],
  ["unroll exec --local-provider sglang", { server: "sglang", words: "(SGLang)" }],
  ["OPENROUTER_API_KEY=…", { server: "openrouter", words: "(openrouter)" }],
  ["unroll exec -c", { server: "mine", words: "(mine)" }],
]);

test("docs/providers.md gives one line to copy for each provider", () => {
  expect(lines.map((line) => [...providers.keys()].filter((begin) => line.startsWith(begin)))).toEqual(
    [...providers.keys()].map((begin) => [begin]),
  );
});

test.for(lines)("from nothing to an answer: %s", async (line) => {
  const { server, words } = [...providers].find(([begin]) => line.startsWith(begin))?.[1] ?? { server: "", words: "" };
  await using world = await openInProcessWorld();
  await using oauth = await serveOauth();
  await using model = await startScriptedModel({
    script: { turns: [{ items: [{ text: "Hello." }] }] },
    ...(guises[server] && { guise: guises[server] }),
  });
  await world.write("home/.codex/config.toml", server === "chatgpt" ? toLoginConfig(oauth, model) : "");
  for (const command of line.split(" && ")) await walk(command, { world, model, server, words });
  expect(model.requests).toHaveLength(1);
});

/** Scripted servers that replace those missing on this machine. */
const guises: Readonly<Record<string, Guise>> = {
  azure: createAzureGuise({ key: "sk-azure-key", apiVersion: "none" }),
  chatgpt: createChatgptGuise({ models: [] }),
  ollama: createOllamaGuise({ version: "0.13.4", models: [], library: ["gpt-oss:20b"] }),
  lmstudio: createLmStudioGuise({ models: ["openai/gpt-oss-20b"], knowsResponses: true }),
  llamacpp: createLlamaServerGuise({ model: "lab" }),
  vllm: createVllmGuise({ models: ["lab"] }),
  sglang: createVllmGuise({ models: ["lab"] }), // which it resembles here: a list, and functions
  mine: createLlamaServerGuise({ model: "MODEL" }),
  openrouter: createVllmGuise({ models: ["MODEL"] }), // which it resembles here, too
};

function toLoginConfig({ issuer, clientId }: { issuer: string; clientId: string }, { url }: ScriptedModel): string {
  const chatgpt = new URL("/backend-api", url).href;
  return `chatgpt_base_url = "${chatgpt}"\n[login]\nissuer = "${issuer}"\nclient_id = "${clientId}"\n`;
}

interface Walk {
  readonly world: InProcessWorld;
  readonly model: ScriptedModel;
  readonly server: string;
  /** The text that names the provider at the start. */
  readonly words: string;
}

/** Runs one command as you would type it, except for the key, and the address if the test has no such server. */
async function walk(command: string, { world, model, server, words }: Walk): Promise<void> {
  const origin = new URL("/", model.url).href.replace(/\/$/, "");
  const typed = command
    .replaceAll("…", "sk-azure-key")
    .replace("https://NAME.openai.azure.com", origin)
    .replace("http://localhost:8080", origin)
    .replace("https://openrouter.ai/api", origin)
    .match(/"[^"]*"|\S+/g);
  const all = (typed ?? []).map((word) => word.replaceAll('"', ""));
  const start = all.findIndex((word) => !/^[A-Z_]+=/.test(word));
  const [program, ...args] = all.slice(start);
  if (program === "ollama")
    await fetch(`${origin}/api/pull`, { method: "POST", body: JSON.stringify({ model: args[1] }) });
  if (program !== "unroll") return;
  const assigned = Object.fromEntries(all.slice(0, start).map((word) => word.split(/=(.*)/).slice(0, 2)));
  const env = { ...toFixedAddress(server, model), ...assigned, BROWSER: "true" };
  const visits: Promise<unknown>[] = [];
  const onStdout = (text: string): void => {
    const page = /^(http\S+)\n/m.exec(text)?.[1];
    if (args[0] === "login" && page !== undefined && visits.length === 0) visits.push(browse(page));
  };
  const ran = await world.run(args, { env, stdin: null, onStdout });
  await Promise.all(visits);
  const answer = { exitCode: 0, stdout: "Hello.\n", stderr: expect.stringContaining(words) };
  expect(ran).toMatchObject(args[0] === "exec" ? answer : { exitCode: 0 });
}

/** The address of a server that is the same for everybody, so that nobody types it. */
function toFixedAddress(server: string, { url }: ScriptedModel): Readonly<Record<string, string>> {
  if (server === "openai") return { OPENAI_BASE_URL: url };
  const isLocal = ["ollama", "lmstudio", "llamacpp", "vllm", "sglang"].includes(server);
  return isLocal ? { CODEX_OSS_BASE_URL: url } : {};
}
