import { isJsonObject } from "../../json.ts";
import type { TurnItem } from "../../script/turn.ts";
import { makeSample } from "../make-sample.ts";
import type { Scene } from "../scene.ts";

const command = "git status --short";
const words = "I am the demo model: I looked at what is changed, and judge nothing.";

/** Looks at what is changed, and finds nothing: it cannot judge. */
export function reviewChanges({ exchanges, tools, schema }: Scene): readonly TurnItem[] {
  if (tools.run && exchanges.length === 0) return [tools.run(command)];
  if (schema === null) return [{ text: words }];
  const answer = asksForFindings(schema) ? { findings: [], summary: words } : makeSample(schema);
  return [{ text: JSON.stringify(answer) }];
}

function asksForFindings(schema: unknown): boolean {
  const properties = isJsonObject(schema) ? schema["properties"] : null;
  return isJsonObject(properties) && "findings" in properties && "summary" in properties;
}
