import type { ModelError, ServerFeature } from "@unroll/protocol";

interface Refusal {
  readonly feature: ServerFeature;
  /** How servers say it. */
  readonly words: RegExp;
}

/** The words of real servers, each with who says them. */
const refusals: readonly Refusal[] = [
  // OpenAI and Azure, of a model that does not reason, with param `include`
  { feature: "encryptedReasoning", words: /encrypted content is not supported/i },
  // OpenAI, of an organization that has not shown who it is, with param `reasoning.summary`
  { feature: "reasoningSummaries", words: /organization must be verified to generate reasoning summar/i },
];

/** The feature that a server refused, by the words of its error; null where the error is about something else. */
export function readRefusal({ status, message }: ModelError): ServerFeature | null {
  if (status !== 400 && status !== 422) return null;
  return refusals.find(({ words }) => words.test(message))?.feature ?? null;
}
