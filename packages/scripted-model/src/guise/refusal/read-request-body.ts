import { toTokens } from "../../answer/estimate-usage.ts";
import { isJsonObject, type JsonObject } from "../../json.ts";
import { parseJson } from "../../parse-json.ts";
import type { HttpTurn } from "../../script/turn.ts";
import type { ReadRequest, RefusedRequest } from "../guise.ts";

/** What a guise looks at in a request for a response. */
export interface RequestBody {
  readonly fields: JsonObject;
  /** The items of `input`; a text is a message of the user. */
  readonly items: readonly JsonObject[];
  /** By the rule of thumb of the scripted model's usage. */
  readonly tokens: number;
}

export function readRequestBody({ fields, input }: ReadRequest): RequestBody {
  const items = input.map((item) => (isJsonObject(item) ? item : { type: "message", role: "user", content: item }));
  return { fields, items, tokens: toTokens(Buffer.byteLength(JSON.stringify({ ...fields, input }))) };
}

/** Whether somebody only tries whether the path is there. */
export function isEmptyRequest(body: Buffer): boolean {
  return body.toString("utf8").trim() === "{}";
}

/** A refusal of what the model would have read, which a next request may say otherwise. */
export function refuseContent(answer: HttpTurn | null): RefusedRequest | null {
  return answer === null ? null : { answer, endsEpoch: true };
}

/** The parts of an item's content, and of a call's output where that is a list. */
export function listContent({ content, output }: JsonObject): readonly JsonObject[] {
  return [content, output].flatMap((parts) => (Array.isArray(parts) ? parts.filter(isJsonObject) : []));
}

export function hasImages(items: readonly JsonObject[]): boolean {
  return items.some((item) => listContent(item).some(({ type }) => type === "input_image"));
}

/** Whether the arguments of a call are JSON. */
export function hasJsonArguments({ arguments: text }: JsonObject): boolean {
  try {
    parseJson(String(text));
    return true;
  } catch {
    return false;
  }
}
