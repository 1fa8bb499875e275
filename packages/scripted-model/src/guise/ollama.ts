import { isJsonObject, type JsonObject } from "../json.ts";
import { parseJson } from "../parse-json.ts";
import type { HttpTurn } from "../script/turn.ts";
import type { Guise } from "./guise.ts";
import { streamAsOllama } from "./output/stream-as-ollama.ts";
import { findBeyondPlain } from "./plain-fields.ts";
import { isEmptyRequest, readRequestBody, refuseContent } from "./refusal/read-request-body.ts";
import { refuseAsOllama, toOllamaError } from "./refusal/refuse-as-ollama.ts";

export interface OllamaGuiseOptions {
  readonly version: string;
  /** Those that are there; a pulled one is added. */
  readonly models: readonly string[];
  /** Those that can be pulled. Absent: none. */
  readonly library?: readonly string[];
  /** The window in force, in tokens: what is longer loses its oldest messages without a word. Absent: nothing is lost, and 4,096 is told. */
  readonly contextLength?: number;
  /** What its models can. Default all: `completion`, `tools`, `vision`, `thinking`. */
  readonly capabilities?: readonly string[];
}

const pulledBytes = 1_000_000_000;
const trainedLength = 131_072;

/** Ollama: its own API beside OpenAI's. It refuses what it does not know of a conversation, and models that it does not have. */
export function createOllamaGuise(options: OllamaGuiseOptions): Guise {
  const { version, models, library = [], contextLength = null } = options;
  const { capabilities = ["completion", "tools", "vision", "thinking"] } = options;
  const there = new Set(models);
  /** Models that answered: they are loaded. */
  const loaded = new Set<string>();

  function pull(model: string): HttpTurn {
    if (!library.includes(model)) return toLines([{ status: "pulling manifest" }, { error: "file does not exist" }]);
    there.add(model);
    const part = { status: "pulling 4f3a", digest: "sha256:4f3a", total: pulledBytes };
    const parts = [0, 0.05, 0.5, 1].map((share) => ({ ...part, completed: share * pulledBytes }));
    return toLines([{ status: "pulling manifest" }, ...parts, { status: "success" }]);
  }

  function show(model: string): HttpTurn {
    if (!there.has(model)) return { status: 404, body: { error: `model '${model}' not found` } };
    const info = { "general.architecture": "lab", "lab.context_length": trainedLength };
    return { status: 200, body: { parameters: "", capabilities, model_info: info } };
  }

  return {
    checks: { fields: false },
    answer({ method, url, body }) {
      const model = method === "POST" ? readModel(body) : "";
      switch (`${method} ${url}`) {
        case "GET /":
          return { status: 200, body: "Ollama is running" };
        case "GET /api/version":
          return { status: 200, body: { version } };
        case "GET /api/tags":
          return { status: 200, body: { models: [...there].map((name) => ({ name, model: name, size: 1 })) } };
        case "GET /api/ps": {
          const running = [...loaded].map((name) => ({ name, model: name, context_length: contextLength ?? 4096 }));
          return { status: 200, body: { models: running } };
        }
        case "GET /v1/models": {
          const data = [...there].map((id) => ({ id, object: "model", created: 0, owned_by: "library" }));
          return { status: 200, body: { object: "list", data } };
        }
        case "POST /api/show":
          return show(model);
        case "POST /api/pull":
          return pull(model);
        case "POST /v1/chat/completions":
          return toOllamaError(400, "[] is too short - 'messages'");
        case "POST /v1/responses":
          return isEmptyRequest(body) ? toOllamaError(400, "model is required") : null;
        default:
          return { status: 404, body: "404 page not found" };
      }
    },
    refuse(request) {
      const refusal = refuseAsOllama(readRequestBody(request), { models: there, capabilities });
      if (refusal === null) loaded.add(String(request.fields["model"]));
      return refuseContent(refusal);
    },
    findUnsupported: findBeyondPlain,
    stream: (response) => streamAsOllama(response, contextLength),
  };
}

function toLines(lines: readonly JsonObject[]): HttpTurn {
  return { status: 200, body: lines.map((line) => `${JSON.stringify(line)}\n`).join("") };
}

function readModel(body: Buffer): string {
  try {
    const parsed = parseJson(body.toString("utf8"));
    return isJsonObject(parsed) ? String(parsed["model"]) : "";
  } catch {
    return "";
  }
}
