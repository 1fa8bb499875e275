import type { JsonObject } from "../json.ts";
import type { Checks } from "./checks.ts";

const encryptedReasoning = "reasoning.encrypted_content";

/** What is wrong with the fields that a stateless, streamed request must have. */
export function checkRequestFields(
  fields: JsonObject,
  { store, include: mustInclude }: Pick<Required<Checks>, "store" | "include">,
): readonly string[] {
  const { stream, include, prompt_cache_key: cacheKey, previous_response_id: previousId, model } = fields;
  const includes = Array.isArray(include) && include.includes(encryptedReasoning);
  return [
    ...(typeof model === "string" ? [] : ["model must be a string"]),
    ...(stream === true ? [] : ["stream must be true"]),
    ...(fields["store"] === store ? [] : [`store must be ${store}`]),
    ...(previousId === undefined || previousId === null ? [] : ["previous_response_id must not be there"]),
    ...(includes || !mustInclude ? [] : [`include must hold "${encryptedReasoning}"`]),
    ...(typeof cacheKey === "string" && cacheKey !== "" ? [] : ["prompt_cache_key must be there"]),
  ];
}
