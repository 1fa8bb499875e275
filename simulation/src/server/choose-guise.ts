import {
  createLlamaServerGuise,
  createLmStudioGuise,
  createOllamaGuise,
  createVllmGuise,
  type Guise,
} from "@unroll/scripted-model";
import type { Chance } from "../create-chance.ts";

/** Whose server answers. */
export interface ChosenServer {
  readonly name: string;
  /** Null: OpenAI's. */
  readonly guise: Guise | null;
}

/** Half of the threads are at OpenAI's; the others are answered in the way of another server, which takes whatever OpenAI's takes. */
export function chooseGuise(chance: Chance): ChosenServer {
  const model = "simulated";
  return chance.pick<ChosenServer>(
    openai,
    openai,
    openai,
    openai,
    openai,
    asIt("Ollama", createOllamaGuise({ version: "1.0.0", models: [model] })),
    asIt("llama-server", createLlamaServerGuise({ model })),
    asIt("LM Studio", createLmStudioGuise({ models: [model], knowsResponses: true })),
    asIt("vLLM", createVllmGuise({ models: [model] })),
    asIt("vLLM with gpt-oss", createVllmGuise({ models: [model], isHarmony: true })),
  );
}

const openai: ChosenServer = { name: "OpenAI", guise: null };

/** Only how it writes. */
function asIt(name: string, real: Guise): ChosenServer {
  const guise: Guise = {
    checks: {},
    answer: () => null,
    findUnsupported: () => [],
    stream: (response) => real.stream?.(response) ?? [],
  };
  return { name, guise };
}
