import { type HttpAnswer, sendHttp } from "@unroll/auth";
import type { LocalProviderId } from "@unroll/config";
import * as z from "zod";

/** In ms: for a whole response. The server is on this machine, and a user waits. */
const patienceMs = 300;
const mostLength = 256 * 1024;

/** The implementation of `findLocalServers`, loaded by it. */
export async function lookForServers(ports: readonly number[], signal: AbortSignal): Promise<readonly FoundServer[]> {
  const found = await Promise.all([...new Set(ports)].map((port) => look(port, signal).catch(() => null)));
  return found.filter((server) => server !== null);
}

const listSchema = z.object({
  data: z.array(z.object({ id: z.string(), owned_by: z.string().optional() })).nullable(),
});

/** By `owned_by` in their lists. */
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

/** Rejects if nothing answers in time, or the response is too long. */
async function ask(url: string, signal: AbortSignal): Promise<{ readonly answer: HttpAnswer; readonly body: string }> {
  const answer = await sendHttp(new URL(url), { method: "GET", headers: { accept: "application/json" }, signal }, {}); // without a proxy
  const decoder = new TextDecoder();
  let body = "";
  for await (const chunk of answer) {
    body += decoder.decode(chunk, { stream: true });
    if (body.length > mostLength) throw new Error("The list is too long.");
  }
  return { answer, body };
}

/** A model server on this machine. */
export interface FoundServer {
  /** Null: an unknown program that lists models. */
  readonly provider: LocalProviderId | null;
  /** `http://127.0.0.1:8080/v1` */
  readonly baseUrl: string;
  readonly port: number;
  /** Empty: it has none, or is still loading. */
  readonly models: readonly string[];
}
