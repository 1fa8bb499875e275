import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { Client, type ElicitResult } from "@modelcontextprotocol/client";
import type { ElicitationPort } from "./elicitation.ts";
import type { FormAnswer } from "@unroll/protocol";
import { parseElicitation } from "./parse-elicitation.ts";

/** Our identity, and what a server may ask of us. */
export interface ClientOptions {
  readonly server: string;
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Folders, absolute. */
  readonly roots: readonly string[];
  readonly elicit: ElicitationPort;
  /**
   * `auto`: first asks whether the server is stateless (2026-07-28), which older servers do not
   * understand. `legacy`: does not ask, because programs over stdio may exit.
   */
  readonly negotiation: "auto" | "legacy";
}

/** In ms: how long that question may take. A server that ignores unknown requests is greeted afterwards. */
const questionMs = 5000;

/** Replaces the SDK's validator, which is slow to set up: a tool's output schema is not enforced. */
const noValidator = {
  getValidator(): never {
    throw new Error("Output schemas are not checked.");
  },
};

/** Offers roots and forms; no sampling. */
export function createClient({ server, clientInfo, roots, elicit, negotiation }: ClientOptions): Client {
  const client = new Client(clientInfo, {
    capabilities: { roots: {}, elicitation: { form: {} } },
    versionNegotiation: { mode: negotiation, probe: { timeoutMs: questionMs } },
    jsonSchemaValidator: noValidator,
  });
  client.setRequestHandler("roots/list", () => ({
    roots: roots.map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) })),
  }));
  client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq: { signal } }): Promise<ElicitResult> => {
    if (params.mode === "url") return { action: "decline" };
    return toElicitResult(await elicit(parseElicitation(server, params), signal));
  });
  return client;
}

function toElicitResult(answer: FormAnswer): ElicitResult {
  switch (answer.type) {
    case "accepted": {
      const content = Object.entries(answer.values).map(
        ([name, value]): [string, string | number | boolean | string[]] => [
          name,
          typeof value === "object" ? [...value] : value,
        ],
      );
      return { action: "accept", content: Object.fromEntries(content) };
    }
    case "declined":
      return { action: "decline" };
    case "cancelled":
      return { action: "cancel" };
  }
}
