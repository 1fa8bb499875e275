import type { ArgumentReader } from "../language/argument-reader.ts";
import type { RuleLocation } from "../language/rule-location.ts";
import type { HostExecutable } from "./rule-set.ts";
import { describeValue, type Value } from "../language/value.ts";

/** Null where an argument is wrong; the reader holds why. */
export function declareHostExecutable(reader: ArgumentReader, location: RuleLocation): HostExecutable | null {
  const nameValue = reader.required("name");
  const name = reader.string(nameValue, "name");
  const pathsValue = reader.required("paths");
  const paths = reader.strings(pathsValue, "paths");
  if (nameValue === null || name === null || pathsValue === null || paths === null) return null;
  if (name.includes("/")) {
    return reader.fail(`found ${describeValue(nameValue)} as name, expected a program name without /`, nameValue.at);
  }
  const entries = pathsValue.type === "list" ? pathsValue.items : [];
  return entries.every((entry) => isPathOf(reader, name, entry))
    ? { name, paths: [...new Set(paths)], location }
    : null;
}

function isPathOf(reader: ArgumentReader, name: string, entry: Value): boolean {
  const path = entry.type === "string" ? entry.value : "";
  if (!/^~?\//.test(path)) {
    reader.fail(`found ${describeValue(entry)} in paths, expected an absolute path, or one starting with ~/`, entry.at);
    return false;
  }
  if (path.slice(path.lastIndexOf("/") + 1) === name) return true;
  reader.fail(`found ${describeValue(entry)} in paths, expected a path that ends in /${name}`, entry.at);
  return false;
}
