import type { Guise } from "./guise.ts";
import { streamAsVllm } from "./output/stream-as-vllm.ts";
import { findBeyondPlain } from "./plain-fields.ts";
import type { TemplateRule } from "./refusal/find-template-fault.ts";
import { isEmptyRequest, readRequestBody, refuseContent } from "./refusal/read-request-body.ts";
import { refuseAsVllm, toVllmError } from "./refusal/refuse-as-vllm.ts";

export interface VllmGuiseOptions {
  readonly models: readonly string[];
  /** Its `max_model_len`, in tokens. Default 131,072. */
  readonly contextLength?: number;
  /** Default `any`. */
  readonly template?: TemplateRule;
  /** It serves gpt-oss, whose answers it writes in a way of their own. Default false. */
  readonly isHarmony?: boolean;
}

/** vLLM: it checks a request against the types of OpenAI's client, and a model that it does not have is a 404, as a path is. */
export function createVllmGuise(options: VllmGuiseOptions): Guise {
  const { models, contextLength = 131_072, template = "any", isHarmony = false } = options;
  return {
    checks: { fields: false },
    answer({ method, url, body }) {
      switch (`${method} ${url}`) {
        case "GET /v1/models": {
          const data = models.map((id) => ({
            id,
            object: "model",
            created: 0,
            owned_by: "vllm",
            root: id,
            parent: null,
          }));
          return {
            status: 200,
            body: { object: "list", data: data.map((each) => ({ ...each, max_model_len: contextLength })) },
          };
        }
        case "GET /version":
          return { status: 200, body: { version: "0.19.0" } };
        case "POST /v1/chat/completions":
          return toVllmError(400, "[{'type': 'missing', 'loc': ('body', 'messages')}]");
        case "POST /v1/responses":
          return isEmptyRequest(body) ? toVllmError(400, "[{'type': 'missing', 'loc': ('body', 'input')}]") : null;
        default:
          return toVllmError(404, "Not Found", { type: "Not Found" });
      }
    },
    refuse: (request) =>
      refuseContent(refuseAsVllm(readRequestBody(request), { models, contextLength, template, isHarmony })),
    findUnsupported: findBeyondPlain,
    stream: (response) => streamAsVllm(response, isHarmony),
  };
}
