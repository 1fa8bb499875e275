import { isJsonObject, type JsonObject } from "../json.ts";
import { parseJson } from "../parse-json.ts";
import type { HttpTurn } from "../script/turn.ts";
import type { Guise } from "./guise.ts";
import { findBeyondPlain } from "./plain-fields.ts";

export interface OllamaGuiseOptions {
  readonly version: string;
  /** Those that are there; a pulled one is added. */
  readonly models: readonly string[];
  /** Those that can be pulled. Absent: none. */
  readonly library?: readonly string[];
}

const itemTypes: readonly unknown[] = ["message", "function_call", "function_call_output", "reasoning"];
const pulledBytes = 1_000_000_000;

/** Ollama: `/api/version`, `/api/tags`, `/api/pull`; it refuses items that it does not know, and models that it does not have. */
export function createOllamaGuise({ version, models, library = [] }: OllamaGuiseOptions): Guise {
  const there = new Set(models);

  function pull(model: string): HttpTurn {
    if (!library.includes(model)) return toLines([{ status: "pulling manifest" }, { error: "file does not exist" }]);
    there.add(model);
    const part = { status: "pulling 4f3a", digest: "sha256:4f3a", total: pulledBytes };
    const parts = [0, 0.05, 0.5, 1].map((share) => ({ ...part, completed: share * pulledBytes }));
    return toLines([{ status: "pulling manifest" }, ...parts, { status: "success" }]);
  }

  return {
    checks: { fields: false },
    answer({ method, url, body }) {
      const fields = method === "POST" ? parseObject(body) : {};
      const model = String(fields["model"]);
      switch (`${method} ${url}`) {
        case "GET /api/version":
          return { status: 200, body: { version } };
        case "GET /api/tags":
          return { status: 200, body: { models: [...there].map((name) => ({ name, model: name, size: 1 })) } };
        case "POST /api/pull":
          return pull(model);
        case "POST /v1/responses":
          return refuse(fields, there);
        default:
          return { status: 404, body: "404 page not found" };
      }
    },
    findUnsupported: findBeyondPlain,
  };
}

function refuse({ model, input }: JsonObject, there: ReadonlySet<string>): HttpTurn | null {
  if (!there.has(String(model))) return toError(404, `model '${String(model)}' not found`);
  const items = Array.isArray(input) ? input.filter(isJsonObject) : [];
  const unknown = items.findIndex(({ type = "message" }) => !itemTypes.includes(type));
  if (unknown === -1) return null;
  return toError(400, `input[${unknown}]: unknown input item type: "${String(items[unknown]?.["type"])}"`);
}

function toError(status: number, message: string): HttpTurn {
  return { status, body: { error: { message, type: "invalid_request_error", param: null, code: null } } };
}

function toLines(lines: readonly JsonObject[]): HttpTurn {
  return { status: 200, body: lines.map((line) => `${JSON.stringify(line)}\n`).join("") };
}

function parseObject(body: Buffer): JsonObject {
  const parsed = parseJson(body.toString("utf8"));
  return isJsonObject(parsed) ? parsed : {};
}
