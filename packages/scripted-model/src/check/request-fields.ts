import type { JsonObject } from "../json.ts";

const encryptedReasoning = "reasoning.encrypted_content";

/** Lists the problems with the fields that a stateless, streamed request must have. */
export function checkRequestFields(fields: JsonObject, store: boolean): readonly string[] {
  const { stream, include, prompt_cache_key: cacheKey, previous_response_id: previousId, model } = fields;
  const includes = include === undefined || asksForEncrypted(fields);
  return [
    ...(typeof model === "string" ? [] : ["model must be a string"]),
    ...(stream === true ? [] : ["stream must be true"]),
    ...(fields["store"] === store ? [] : [`store must be ${store}`]),
    ...(previousId === undefined || previousId === null ? [] : ["previous_response_id must not be there"]),
    ...(includes ? [] : [`include must hold "${encryptedReasoning}"`]),
    ...(typeof cacheKey === "string" && cacheKey !== "" ? [] : ["prompt_cache_key must be there"]),
  ];
}

/** Whether the server is asked for reasoning that only it can read: of a model that does not reason it is not. */
export function asksForEncrypted({ include }: JsonObject): boolean {
  return Array.isArray(include) && include.includes(encryptedReasoning);
}
