import type { ConfigWarning } from "../fault/config-warning.ts";
import { formatOrigin } from "../fault/origin.ts";
import type { FoundModel } from "../models/find-model.ts";
import { listModels } from "../models/find-model.ts";
import { findNearestName } from "../check/nearest-name.ts";
import { formatKey } from "../toml/key-path.ts";
import type { ResolveContext } from "./resolve-context.ts";

interface UnknownModel {
  readonly model: string;
  readonly found: FoundModel;
}

/** What is not known of a model: the model itself, or how large its context window is. */
export function reportModel(context: ResolveContext, use: UnknownModel): readonly ConfigWarning[] {
  const { isKnown, info } = use.found;
  if (!isKnown) return [reportUnknownModel(context, use)];
  const isGuess = info.family.windowOrigin === "guess" && context.table.model_context_window === undefined;
  // the models that come with the program are their providers' own to tell of
  return isGuess && !info.origins.includes("built_in") ? [reportGuessedWindow(context, use)] : [];
}

function reportGuessedWindow({ origins }: ResolveContext, { model, found }: UnknownModel): ConfigWarning {
  const origin = origins.get("model");
  const message = `${formatPlace(origin)}nobody says how large the context window of the model ${JSON.stringify(model)} is: ${found.info.family.contextWindow} tokens is a guess until its server says. Set [${formatKey(["models", found.info.name])}] context_window.`;
  return { code: "model_window_unknown", message, key: "model", ...(origin && { origin }) };
}

function formatPlace(origin: ReturnType<ResolveContext["origins"]["get"]>): string {
  return origin === undefined || origin.type === "built_in" ? "" : `${formatOrigin(origin)}: `;
}

/** What it is taken for, what was perhaps meant, and how to say what it is. */
function reportUnknownModel(context: ResolveContext, { model, found }: UnknownModel): ConfigWarning {
  const { table, catalogue, origins } = context;
  const origin = origins.get("model");
  const { like, info } = found;
  const window =
    table.model_context_window === undefined
      ? `${info.family.contextWindow} tokens, which is a guess until its server says`
      : `${table.model_context_window} tokens`;
  const taken =
    like === null
      ? "it gets the general instructions and tools"
      : `it is taken for one like ${like}, with the instructions and tools of ${info.family.id}`;
  const nearest = findNearestName(
    model,
    listModels(catalogue, null).map(({ name }) => name),
  );
  const meant = nearest === null ? "" : ` Did you mean ${nearest}?`;
  const message = `${formatPlace(origin)}the model ${JSON.stringify(model)} is not known: ${taken}, and a context window of ${window}.${meant} \`unroll models\` lists those that are; [${formatKey(["models", model])}] says what this one is.`;
  return { code: "model_unknown", message, key: "model", ...(origin && { origin }) };
}
