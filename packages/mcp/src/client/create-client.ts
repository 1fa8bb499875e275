import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  ElicitRequestSchema,
  ListRootsRequestSchema,
  type ElicitRequest,
  type ElicitResult,
} from "@modelcontextprotocol/sdk/types.js";
import type { ElicitationPort } from "./elicitation.ts";
import type { FormAnswer } from "@unroll/protocol";
import { parseElicitation } from "./parse-elicitation.ts";

/** Who we are, and what a server may ask of us. */
export interface ClientOptions {
  readonly server: string;
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Folders, absolute. */
  readonly roots: readonly string[];
  readonly elicit: ElicitationPort;
}

/** In place of the SDK's own, which takes time to set up; only its `callTool` would use it. */
const noValidator = {
  getValidator(): never {
    throw new Error("Output schemas are not checked.");
  },
};

/** Offers roots and forms; no sampling. */
export function createClient({ server, clientInfo, roots, elicit }: ClientOptions): Client {
  const client = new Client(clientInfo, {
    capabilities: { roots: {}, elicitation: { form: {} } },
    jsonSchemaValidator: noValidator,
  });
  client.setRequestHandler(ListRootsRequestSchema, () => ({
    roots: roots.map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) })),
  }));
  client.setRequestHandler(
    ElicitRequestSchema,
    async ({ params }: ElicitRequest, { signal }): Promise<ElicitResult> => {
      if (params.mode === "url") return { action: "decline" };
      return toElicitResult(await elicit(parseElicitation(server, params), signal));
    },
  );
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
