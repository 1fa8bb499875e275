import type { ConfigWarning } from "../fault/config-warning.ts";
import { formatOrigin } from "../fault/origin.ts";
import type { FoundModel } from "../models/find-model.ts";
import { listModels } from "../models/find-model.ts";
import { findNearestName } from "../schema/nearest-name.ts";
import { formatKey } from "../toml/key-path.ts";
import type { ResolveContext } from "./resolve-context.ts";

interface UnknownModel {
  readonly model: string;
  readonly found: FoundModel;
}

/** What it is taken for, what was perhaps meant, and how to say what it is. */
export function reportUnknownModel(context: ResolveContext, { model, found }: UnknownModel): ConfigWarning {
  const { table, catalogue, origins } = context;
  const origin = origins.get("model");
  const { like, info } = found;
  const window = table.model_context_window ?? info.family.contextWindow;
  const taken =
    like === null
      ? "it gets the general instructions and tools"
      : `it is taken for one like ${like}, with the instructions and tools of ${info.family.id}`;
  const nearest = findNearestName(
    model,
    listModels(catalogue, null).map(({ name }) => name),
  );
  const meant = nearest === null ? "" : ` Did you mean ${nearest}?`;
  const where = origin === undefined || origin.type === "built_in" ? "" : `${formatOrigin(origin)}: `;
  const message = `${where}the model ${JSON.stringify(model)} is not known: ${taken}, and a context window of ${window} tokens.${meant} \`unroll models\` lists those that are; [${formatKey(["models", model])}] says what this one is.`;
  return { code: "model_unknown", message, key: "model", ...(origin && { origin }) };
}
