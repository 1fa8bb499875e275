import type { ModelError } from "@unroll/protocol";
import * as z from "zod";
import type { Answer } from "../transport/exchange.ts";
import { readJson } from "./read-json.ts";

/** The ids of the models that a provider offers, in its order. */
export type ListModelsOutcome =
  | { readonly type: "completed"; readonly models: readonly string[] }
  | { readonly type: "failed"; readonly error: ModelError }
  | { readonly type: "aborted" };

export type CompletedListing = Extract<ListModelsOutcome, { readonly type: "completed" }>;

// The ChatGPT back end names its list and its ids otherwise than the public API.
const answerSchema = z.union([
  z.object({ data: z.array(z.object({ id: z.string() })) }).transform(({ data }) => data.map(({ id }) => id)),
  z
    .object({ models: z.array(z.object({ slug: z.string() })) })
    .transform(({ models }) => models.map(({ slug }) => slug)),
]);

/** Reads the answer of `GET /models`. */
export async function readModels(answer: Answer, idleTimeoutMs: number): Promise<CompletedListing> {
  const { value } = await readJson(answer, answerSchema, idleTimeoutMs);
  return { type: "completed", models: value };
}
