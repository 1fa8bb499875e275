import { sendHttp } from "@unroll/auth";
import type { LocalProviderId } from "@unroll/config";
import * as z from "zod";

/** For an answer, all of it: whoever is asked is on this machine, and a person waits. In ms. */
const patienceMs = 300;
const mostLength = 256 * 1024;

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
  const isLlamaServer = answer.headers.get("server") === "llama.cpp";
  if (isLlamaServer && answer.status === 503) return { provider: "llamacpp", baseUrl, port, models: [] };
  const { data } = listSchema.parse(JSON.parse(body));
  const [owner] = (data ?? []).map((model) => model.owned_by ?? "");
  const provider = isLlamaServer ? "llamacpp" : (owners[owner ?? ""] ?? null);
  return { provider, baseUrl, port, models: (data ?? []).map(({ id }) => id) };
}

/** Rejects where nothing answers in time, or too much. */
async function ask(url: string, signal: AbortSignal): Promise<{ readonly answer: Response; readonly body: string }> {
  const answer = await sendHttp(new URL(url), { method: "GET", headers: { accept: "application/json" }, signal }, {}); // through no proxy
  const decoder = new TextDecoder();
  let body = "";
  for await (const chunk of answer.body ?? []) {
    body += decoder.decode(chunk, { stream: true });
    if (body.length > mostLength) throw new Error("The list is too long.");
  }
  return { answer, body };
}

/** A server of models that listens on this machine. */
export interface FoundServer {
  /** Null: none of those that are known, but it lists models. */
  readonly provider: LocalProviderId | null;
  /** `http://127.0.0.1:8080/v1` */
  readonly baseUrl: string;
  readonly port: number;
  /** Empty: it has none, or still loads. */
  readonly models: readonly string[];
}
