import type { CacheBreak, RequestHead } from "@unroll/protocol";

/** How a request begins, up to its input, and whom it goes to. */
export interface RequestHeadFacts {
  readonly head: RequestHead;
  readonly model: string;
  /** The id of its provider. */
  readonly provider: string;
}

export interface ExplainedHead {
  /** How many bytes both begin with; all of the shorter one where they differ only in what the model does not read. */
  readonly sharedBytes: number;
  /** Null: nothing that matters differs. */
  readonly broken: CacheBreak | null;
}

/** The part that the heads of a request and of the previous one share. */
export function explainHeadBreak(before: RequestHeadFacts, now: RequestHeadFacts): ExplainedHead {
  const [was, is] = [before.head.bytes, now.head.bytes];
  const sharedBytes = countSharedBytes(was, is);
  // a store may tell but the last of several heads
  if (before.model !== now.model) return { sharedBytes: 0, broken: toModelBreak(before.model, now.model) };
  const isSame = sharedBytes === was.length && sharedBytes === is.length;
  const broken = isSame ? null : explainFields(before.head.fields, now.head.fields);
  if (broken !== null) return { sharedBytes, broken };
  const shortest = Math.min(was.length, is.length);
  if (before.provider === now.provider) return { sharedBytes: shortest, broken: null };
  const cause = `the provider changed from ${before.provider} to ${now.provider}`;
  return {
    sharedBytes: shortest,
    broken: { type: "provider_changed", first_difference: toDifference("provider"), cause },
  };
}

/** In the order in which a request has them. */
const breaks = { model: "model_changed", instructions: "instructions_changed", tools: "tools_changed" } as const;

/** It selects the fields of the response; the model does not read it. */
const unread = "include";

/** Null: the model reads the same. */
function explainFields(was: RequestHead["fields"], is: RequestHead["fields"]): CacheBreak | null {
  const fields = [...Object.keys(breaks), ...Object.keys(was), ...Object.keys(is)];
  const differing = fields.filter((key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]));
  const field = differing.find((key) => key !== unread) ?? (differing.length === 0 ? "head" : null);
  if (field === null) return null;
  const first_difference = toDifference(field);
  switch (field) {
    case "model":
      return toModelBreak(String(was["model"]), String(is["model"]));
    case "instructions":
    case "tools":
      return { type: breaks[field], first_difference, cause: `the ${field} changed` };
    default:
      return {
        type: "settings_changed",
        first_difference,
        cause: `${field} changed, which comes before the input`,
      };
  }
}

function toModelBreak(was: string, is: string): CacheBreak {
  return {
    type: breaks.model,
    first_difference: toDifference("model"),
    cause: `the model changed from ${was} to ${is}`,
  };
}

function toDifference(type: string): CacheBreak["first_difference"] {
  return { index: null, type };
}

/** How many bytes both begin with. */
export function countSharedBytes(a: Uint8Array, b: Uint8Array): number {
  if (a === b) return a.length;
  const most = Math.min(a.length, b.length);
  let count = 0;
  while (count < most && a[count] === b[count]) count += 1;
  return count;
}
