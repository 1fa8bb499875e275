import type { ResolvedConfig } from "@unroll/config";
import {
  loadProgramConfig,
  needsDemoModel,
  openProgramModel,
  ProgramError,
  type ProgramModel,
  type ProgramFlags,
  type ModelDialog,
} from "@unroll/program";
import { loginWays } from "../command/list/login.ts";
import type { LoginWay } from "../command/terminal-command.ts";
import { createChooseFlow } from "../dialog/choose-flow.ts";
import { createConsentFlow } from "../dialog/consent-flow.ts";
import { askEdit } from "./ask-edit.ts";
import { chooseKeymap } from "./choose-keymap.ts";
import { askTrust } from "./ask-trust.ts";
import { logInHere } from "./log-in-here.ts";
import { offerLocalServers } from "./offer-local-servers.ts";
import { type Opening, tell } from "./app.ts";

/**
 * Resolves the config. Asks you first which model to use, if none is set up, whether you trust the project, and for a new thread whether the
 * model may edit files.
 */
export async function openConfig(opening: Opening, thread: "new" | "kept"): Promise<ProgramModel> {
  const { driver, host, io, signal } = opening;
  const first = await loadProgramConfig(opening.flags, host);
  chooseKeymap(driver, first);
  const isUnset = driver.isAttended && (await needsDemoModel(first, host));
  const flags = isUnset ? await chooseProvider(opening, first) : opening.flags;
  if (driver.isAttended) await askTrust(opening, first);
  if (driver.isAttended && thread === "new") await askEdit(opening, first);
  const dialog = {
    confirm: (title: string) => driver.ask(createConsentFlow({ title, facts: [] }), signal),
    choose: (title: string, models: readonly string[]) => {
      const options = models.map((model) => ({ value: model, description: "" }));
      return driver.ask(createChooseFlow({ title, options }), signal);
    },
    tell: (line: string) => tell({ driver }, line),
  };
  return isUnset
    ? openChosenModel(opening, flags, { dialog, config: first })
    : openProgramModel(flags, host, { signal, dialog, io });
}

interface Chosen {
  readonly dialog: ModelDialog;
  /** Without your choice. */
  readonly config: ResolvedConfig;
}

/** If the chosen server on this machine cannot serve, says so and lets you choose again. */
async function openChosenModel(opening: Opening, flags: ProgramFlags, chosen: Chosen): Promise<ProgramModel> {
  const { driver, host, io, signal } = opening;
  try {
    return await openProgramModel(flags, host, { signal, dialog: chosen.dialog, io });
  } catch (error) {
    if (flags.oss !== true || !(error instanceof ProgramError)) throw error;
    tell({ driver }, error.message, "error");
    return openChosenModel(opening, await chooseProvider(opening, chosen.config), chosen);
  }
}

/** Asks which model to use, as none is set up. Returns the flags that choose it. */
async function chooseProvider(opening: Opening, config: ResolvedConfig): Promise<ProgramFlags> {
  const { driver, flags, signal } = opening;
  const servers = await offerLocalServers(opening, config);
  const options = [
    ...servers.map(({ option }) => option),
    { value: "login", label: "log in", description: "with a ChatGPT account" },
    { value: "key", label: "API key", description: "stored like a login" },
    {
      value: "local",
      label: "a model on this machine",
      description: "served by Ollama, LM Studio, llama.cpp, vLLM or SGLang",
    },
    { value: "demo", label: "demo", description: "look around; a script answers, not a language model" },
  ];
  for (;;) {
    const wish = await driver.ask(
      createChooseFlow({ title: "No model is set up yet. Which one do you want to use?", options }),
      signal,
    );
    if (wish === "demo" || wish === null) return flags;
    const server = servers.find(({ option }) => option.value === wish);
    const taken = (await server?.take()) ?? null;
    if (taken !== null) return taken;
    const local = wish === "local" ? await chooseLocalProvider(opening) : null;
    if (local !== null) return { ...flags, oss: true, localProvider: local };
    if (wish === "local" || server !== undefined) continue;
    const way = wish === "key" ? "key" : await chooseLoginWay(opening);
    if (way !== null && (await logInHere(opening, config, way))) return flags;
  }
}

/** Null: you left the question. */
async function chooseLocalProvider({ driver, signal }: Opening): Promise<LocalProvider | null> {
  const wish = await driver.ask(
    createChooseFlow({ title: "Which program serves the model?", options: localProviders }),
    signal,
  );
  return localProviders.find(({ value }) => value === wish)?.value ?? null;
}

type LocalProvider = NonNullable<ProgramFlags["localProvider"]>;

const localProviders = [
  { value: "ollama", label: "Ollama", description: "ollama serve" },
  {
    value: "lmstudio",
    label: "LM Studio",
    description: "start its server in the developer tab, or with lms server start",
  },
  { value: "llamacpp", label: "llama.cpp", description: "llama-server -m MODEL.gguf --jinja --port 8080" },
  { value: "vllm", label: "vLLM", description: "vllm serve MODEL" },
  { value: "sglang", label: "SGLang", description: "python -m sglang.launch_server --model-path MODEL" },
] as const satisfies readonly { readonly value: LocalProvider; readonly label: string; readonly description: string }[];

/** Null: you left the question. */
async function chooseLoginWay({ driver, signal }: Opening): Promise<LoginWay | null> {
  const ways = loginWays.filter(({ value }) => value !== "key"); // was offered before
  const options = ways.map(({ value, description }) => ({ value, label: `with a ${value}`, description }));
  const wish = await driver.ask(createChooseFlow({ title: "How do you want to log in?", options }), signal);
  return ways.find(({ value }) => value === wish)?.value ?? null;
}
