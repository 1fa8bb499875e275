import {
  createLlamaServerGuise,
  createLmStudioGuise,
  createOllamaGuise,
  createVllmGuise,
  type Guise,
} from "@unroll/scripted-model";
import type { Chance } from "../create-chance.ts";
import type { SimulatedPreset } from "../simulated-preset.ts";

/** A server that answers in its own way, and refuses unsupported requests. */
export interface ChosenServer {
  readonly name: string;
  /** Null: OpenAI's. */
  readonly guise: Guise | null;
  /** Its preset in the config. */
  readonly preset: SimulatedPreset;
}

/** A server of which somebody said that it takes all that OpenAI's does. */
function misdeclare({ name, guise }: ChosenServer): ChosenServer {
  return {
    name: `${name}, declared as OpenAI`,
    guise: guise && { ...guise, findUnsupported: () => [] },
    preset: "openai",
  };
}

/** Half of the threads are at OpenAI's. `models`: the names of the server's models. */
export function chooseGuise(chance: Chance, models: readonly string[]): ChosenServer {
  const [model = ""] = models;
  const template = chance.pick("any", "system_first", "alternating");
  const openai: ChosenServer = { name: "OpenAI", guise: null, preset: "openai" };
  const chosen = chance.pick<ChosenServer>(
    openai,
    openai,
    openai,
    openai,
    openai,
    { name: "Ollama", guise: createOllamaGuise({ version: "1.0.0", models }), preset: "ollama" },
    { name: `llama-server (${template})`, guise: createLlamaServerGuise({ model, template }), preset: "llama.cpp" },
    { name: "LM Studio", guise: createLmStudioGuise({ models, knowsResponses: true }), preset: "lmstudio" },
    { name: `vLLM (${template})`, guise: createVllmGuise({ models, template }), preset: "vllm" },
    { name: "vLLM with gpt-oss", guise: createVllmGuise({ models, isHarmony: true }), preset: "vllm" },
  );
  return chosen.guise !== null && chance.happens(0.25) ? misdeclare(chosen) : chosen;
}
