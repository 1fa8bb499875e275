import type { Guise } from "./guise.ts";
import { findBeyondPlain } from "./plain-fields.ts";

export interface LmStudioGuiseOptions {
  readonly models: readonly string[];
  /** False: one that is too old. */
  readonly knowsResponses: boolean;
}

/** LM Studio: to a path that it does not know it says so with status 200. */
export function createLmStudioGuise({ models, knowsResponses }: LmStudioGuiseOptions): Guise {
  return {
    checks: { fields: false },
    answer({ method, url, body }) {
      const place = `${method} ${url}`;
      if (place === "GET /v1/models") {
        return { status: 200, body: { object: "list", data: models.map((id) => ({ id, object: "model" })) } };
      }
      if (place !== "POST /v1/responses" || !knowsResponses) {
        return { status: 200, body: { error: `Unexpected endpoint or method. (${place})` } };
      }
      const isEmpty = body.toString("utf8") === "{}";
      return isEmpty ? { status: 400, body: { error: { message: "'model' is required", code: null } } } : null;
    },
    findUnsupported: findBeyondPlain,
  };
}
