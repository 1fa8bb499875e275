import { isJsonObject, type JsonObject } from "../json.ts";
import type { Guise, RefusedRequest } from "./guise.ts";

export interface OpenAiGuiseOptions {
  /** Models that do not reason: there is no encrypted reasoning to include. Absent: all reason. */
  readonly plainModels?: readonly string[];
  /** Whether the organization has shown who it is, which summaries of the reasoning are only for. Absent: yes. */
  readonly isVerified?: boolean;
}

/** OpenAI, as strict as it is about what a model or an account does not have. */
export function createOpenAiGuise({ plainModels = [], isVerified = true }: OpenAiGuiseOptions): Guise {
  return {
    checks: {},
    answer: () => null,
    findUnsupported: () => [],
    refuse: ({ fields }) => {
      const { model, include, reasoning } = fields;
      const isPlain = typeof model === "string" && plainModels.includes(model);
      if (isPlain && Array.isArray(include) && include.includes("reasoning.encrypted_content"))
        return refuse({ message: "Encrypted content is not supported with this model.", param: "include", code: null });
      if (isVerified || !isJsonObject(reasoning) || !("summary" in reasoning)) return null;
      const message =
        "Your organization must be verified to generate reasoning summaries. Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization. If you just verified, it can take up to 15 minutes for access to propagate.";
      return refuse({ message, param: "reasoning.summary", code: "unsupported_value" });
    },
  };
}

function refuse(error: JsonObject): RefusedRequest {
  const body = { error: { ...error, type: "invalid_request_error" } };
  return { answer: { status: 400, body }, endsEpoch: false };
}
