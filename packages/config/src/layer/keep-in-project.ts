import { dirname, resolve } from "node:path";
import { isInside, resolveIfAny } from "@unroll/files";
import { type ConfigWarning, formatOrigin } from "../config-error.ts";
import type { ConfigLayer } from "./config-layer.ts";

/** Keys that name a file whose text is sent to the model. */
const sentFiles = ["model_instructions_file", "experimental_compact_prompt_file"] as const;

/** A project's layer without files to send that are not the project's: they could be anybody's keys. What is left out is a warning. */
export function keepInProject(layer: ConfigLayer, root: string): ConfigLayer {
  const ignored = sentFiles.filter((key) => {
    const file = layer.table[key];
    return file !== undefined && !isOfProject(file, layer.locate([key]), root);
  });
  if (ignored.length === 0) return layer;
  const warnings = ignored.map((key): ConfigWarning => {
    const origin = layer.locate([key]);
    const message = `${formatOrigin(origin)}: ${key} is ignored: its file is not in the project ${root}. Copy it there, or set the key in your own configuration.`;
    return { code: "key_ignored_in_project", message, key, origin };
  });
  const table = Object.fromEntries(
    Object.entries(layer.table).filter(([key]) => !ignored.some((each) => each === key)),
  );
  return { ...layer, table, warnings: [...layer.warnings, ...warnings] };
}

function isOfProject(file: string, origin: ReturnType<ConfigLayer["locate"]>, root: string): boolean {
  if (origin.type !== "file" || file.startsWith("~")) return false;
  const path = resolve(dirname(origin.path), file);
  const real = resolveIfAny(path); // null: it is not there, which is said when it is read
  return isInside(path, root) && (real === null || isInside(real, resolveIfAny(root) ?? root));
}
