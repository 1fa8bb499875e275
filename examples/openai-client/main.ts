// Your own `openai` client as the model: its address, credential, proxies and `fetch`.
import { openThread } from "@unroll/harness";
import { nodeHost } from "@unroll/harness/node";
import { fromOpenAI } from "@unroll/responses-client/openai";
import { startScriptedModel } from "@unroll/scripted-model";
import OpenAI from "openai";

await using server = await startScriptedModel({ script: { turns: [{ items: [{ text: "Hello by your client." }] }] } });
let requests = 0;
const client = new OpenAI({
  baseURL: server.url, // or new AzureOpenAI({ endpoint, apiVersion, azureADTokenProvider })
  apiKey: "any",
  fetch: (input, init) => (requests++, fetch(input, init)),
});
const env = { PATH: process.env["PATH"], CODEX_HOME: "/sys/nonexistent" };
const config = { model: "gpt-6.1-sol", sandboxMode: "read-only" } as const;
await using thread = await openThread({ host: nodeHost({ env }), config, model: fromOpenAI(client) });
console.log((await thread.run("Hi")).finalMessage, requests);
