import { Agent, get, type IncomingMessage } from "node:http";
import type { LocalProviderId } from "@unroll/config";
import * as z from "zod";
import type { FoundServer } from "./found-server.ts";

/** For an answer, all of it: whoever is asked is on this machine, and a person waits. In ms. */
const patienceMs = 300;
const mostBytes = 256 * 1024;

/** As `findLocalServers` says, which loads it. */
export async function lookForServers(ports: readonly number[], signal: AbortSignal): Promise<readonly FoundServer[]> {
  const found = await Promise.all([...new Set(ports)].map((port) => look(port, signal).catch(() => null)));
  return found.filter((server) => server !== null);
}

const listSchema = z.object({
  data: z.array(z.object({ id: z.string(), owned_by: z.string().optional() })).nullable(),
});

/** By `owned_by` of their lists. */
const owners: Readonly<Record<string, LocalProviderId>> = {
  library: "ollama",
  organization_owner: "lmstudio",
  llamacpp: "llamacpp",
  vllm: "vllm",
  sglang: "sglang",
};

async function look(port: number, signal: AbortSignal): Promise<FoundServer | null> {
  const ends = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const { answer, body } = await ask(`${baseUrl}/models`, ends);
  const isLlamaServer = answer.headers["server"] === "llama.cpp";
  if (isLlamaServer && answer.statusCode === 503) return { provider: "llamacpp", baseUrl, port, models: [] };
  const { data } = listSchema.parse(JSON.parse(body));
  const [owner] = (data ?? []).map((model) => model.owned_by ?? "");
  const provider = isLlamaServer ? "llamacpp" : (owners[owner ?? ""] ?? null);
  return { provider, baseUrl, port, models: (data ?? []).map(({ id }) => id) };
}

interface Heard {
  readonly answer: IncomingMessage;
  readonly body: string;
}

/** Rejects where nothing answers in time, or too much. */
async function ask(url: string, signal: AbortSignal): Promise<Heard> {
  using asking = new DisposableStack();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const agent = new Agent(); // one of its own knows no proxy
    const request = get(url, { agent, signal, headers: { accept: "application/json" } }, resolve).on("error", reject);
    asking.defer(() => request.destroy());
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > mostBytes) throw new Error("The list is too long.");
    chunks.push(chunk);
  }
  return { answer, body: Buffer.concat(chunks).toString("utf8") };
}
