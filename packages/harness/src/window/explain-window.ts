import type { ResolvedConfig } from "@unroll/config";
import { groupDigits } from "@unroll/text";

type Provider = Pick<ResolvedConfig["provider"], "name" | "local">;

type LocalType = NonNullable<Provider["local"]>["type"];

const larger: Readonly<Record<LocalType, string>> = {
  ollama: "start Ollama with a larger one (OLLAMA_CONTEXT_LENGTH=32768 ollama serve)",
  lmstudio: "load the model in LM Studio with a larger context length",
  llamacpp: "start llama-server with a larger one (-c 32768)",
  vllm: "start vLLM with a larger one (--max-model-len 32768)",
  sglang: "start SGLang with a larger one (--context-length 32768)",
};
const largerAnywhere =
  "start the server with a larger one (llama-server: -c, vLLM: --max-model-len, Ollama: OLLAMA_CONTEXT_LENGTH)";

/** How to get a larger context window of a provider, as the end of a sentence. */
export function explainLarger({ local }: Provider): string {
  return local === null ? largerAnywhere : larger[local.type];
}

export function explainGuess(model: string, tokens: number): string {
  return `The server does not say how large the context window of ${model} is: ${groupDigits(tokens)} tokens is a guess. Set model_context_window to what it has.`;
}

/** `window` null: it is not known. */
export function explainUnread(
  { read, sent }: { readonly read: number; readonly sent: number },
  { provider, window }: { readonly provider: Provider; readonly window: number | null },
): string {
  const size = window === null ? "" : ` of ${groupDigits(window)} tokens`;
  return `${provider.name} read ${groupDigits(read)} tokens of a request that has at least ${groupDigits(sent)}: it drops old messages without an error when its context window${size} is full, so the model does not see all of this thread. To avoid that, ${explainLarger(provider)}.`;
}
