import { findBeyondPlain } from "./plain-fields.ts";
import type { HttpTurn } from "../script/turn.ts";
import type { Guise } from "./guise.ts";
import { streamAsLlamaServer } from "./output/stream-as-llama-server.ts";
import type { TemplateRule } from "./refusal/find-template-fault.ts";
import { isEmptyRequest, readRequestBody, refuseContent } from "./refusal/read-request-body.ts";
import { refuseAsLlamaServer } from "./refusal/refuse-as-llama-server.ts";

export interface LlamaServerGuiseOptions {
  readonly model: string;
  /** The window in force, in tokens (`-c`). Default 131,072, which is what the model was trained for. */
  readonly contextLength?: number;
  /** Default `any`. */
  readonly template?: TemplateRule;
  /** It was started with an mmproj. Default false. */
  readonly takesImages?: boolean;
  /** How many requests come while the model is loaded. Default 0. */
  readonly loadingAnswers?: number;
  /** False: an older one, with `/v1/chat/completions` alone. Default true. */
  readonly knowsResponses?: boolean;
}

const trainedLength = 131_072;

/** llama.cpp's `llama-server` 0.7.0, which has one model and takes any name for it. */
export function createLlamaServerGuise({
  model,
  contextLength = trainedLength,
  template = "any",
  takesImages = false,
  loadingAnswers = 0,
  knowsResponses = true,
}: LlamaServerGuiseOptions): Guise {
  let answered = 0;
  return {
    checks: { fields: false },
    headers: { server: "llama.cpp" },
    answer({ method, url, body }) {
      answered += 1;
      if (answered <= loadingAnswers) return toError(503, "Loading model", "unavailable_error");
      switch (`${method} ${url.replace(/^\/v1\//, "/")}`) {
        case "GET /models":
          return { status: 200, body: listModels({ model, contextLength, takesImages }) };
        case "GET /props": {
          const settings = { n_ctx: contextLength };
          const modalities = { vision: takesImages, audio: false };
          const build = "b11669-debian";
          const props = { default_generation_settings: settings, total_slots: 1, model_alias: model, modalities };
          return { status: 200, body: { ...props, build_info: build } };
        }
        case "GET /health":
          return { status: 200, body: { status: "ok" } };
        case "POST /chat/completions":
          return toError(400, "'messages' is required", "invalid_request_error");
        case "POST /responses":
          if (!knowsResponses) return notFound;
          return isEmptyRequest(body) ? toError(400, "'input' is required", "invalid_request_error") : null;
        default:
          return notFound;
      }
    },
    refuse(request) {
      const limits = { contextLength, template, takesImages };
      return refuseContent(refuseAsLlamaServer(readRequestBody(request), limits));
    },
    findUnsupported: findBeyondPlain,
    stream: streamAsLlamaServer,
  };
}

const notFound = toError(404, "File Not Found", "not_found_error");

function toError(code: number, message: string, type: string): HttpTurn {
  return { status: code, body: { error: { code, message, type } } };
}

type Listed = Required<Pick<LlamaServerGuiseOptions, "model" | "contextLength" | "takesImages">>;

function listModels({ model, contextLength, takesImages }: Listed): object {
  const details = { parent_model: "", format: "gguf", family: "", families: [""], parameter_size: "" };
  const likeOllama = { name: model, model, modified_at: "", size: "", digest: "", type: "model", details };
  const architecture = { input_modalities: takesImages ? ["text", "image"] : ["text"], output_modalities: ["text"] };
  const meta = { vocab_type: 2, n_vocab: 100_289, n_ctx: contextLength, n_ctx_train: trainedLength, ftype: "all F32" };
  const entry = { id: model, aliases: [model], tags: [], object: "model", architecture, owned_by: "llamacpp", meta };
  return { models: [likeOllama], object: "list", data: [entry] };
}
