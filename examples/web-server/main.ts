// Thread events to a page: POST /run starts a turn, its events come as Server-Sent Events. `node main.ts`, then open the address.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { openThread, type Thread } from "@unroll/harness";
import { nodeHost } from "@unroll/harness/node";
import { startScriptedModel } from "@unroll/scripted-model";

const page = `<!doctype html><title>unroll</title><form><input name="text" value="Hi"><button>Send</button></form><pre></pre><script>
  const form = document.forms[0], out = document.querySelector("pre");
  async function run(text) {
    const { body } = await fetch("/run", { method: "POST", body: text });
    let rest = "";
    for await (const part of body.pipeThrough(new TextDecoderStream())) {
      const messages = (rest + part).split("\\n\\n");
      rest = messages.pop();
      for (const message of messages) show(JSON.parse(message.slice(6)));
    }
  }
  function show(event) {
    if (event.type === "item.delta" && event.kind === "agent_message") out.textContent += event.delta;
    if (event.type === "turn.completed" || event.type === "turn.failed") out.dataset.end = event.type;
  }
  form.onsubmit = (event) => (event.preventDefault(), run(form.text.value));
  if (location.hash) run(decodeURIComponent(location.hash.slice(1)));
</script>`;

async function streamTurn(thread: Thread, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = (await request.setEncoding("utf8").toArray()).join("");
  const gone = new AbortController(); // the page was closed: the turn is stopped
  response.on("close", () => gone.abort());
  response.writeHead(200, { "content-type": "text/event-stream" });
  for await (const event of thread.run(text, { signal: gone.signal }))
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  response.end();
}

export async function openWebServer(port: number): Promise<AsyncDisposable & { readonly url: string }> {
  await using stack = new AsyncDisposableStack();
  const script = { turns: [{ items: [{ text: "Hello, page." }], chunkBytes: 3 }] };
  const model = stack.use(await startScriptedModel({ script })); // leave it out, and env: your key holds
  const env = {
    PATH: process.env["PATH"],
    CODEX_HOME: "/sys/nonexistent",
    OPENAI_API_KEY: "any",
    OPENAI_BASE_URL: model.url,
  };
  const thread = stack.use(await openThread({ host: nodeHost({ env }), config: { sandboxMode: "read-only" } }));
  const server = createServer((request, response) => {
    if (request.method === "POST") void streamTurn(thread, request, response);
    else response.setHeader("content-type", "text/html").end(page);
  }).listen(port, "127.0.0.1");
  stack.defer(() => (server.closeAllConnections(), void server.close()));
  await once(server, "listening");
  const opened = stack.move();
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : port}/`;
  return { url, [Symbol.asyncDispose]: async () => opened.disposeAsync() };
}

if (import.meta.main) console.log((await openWebServer(8080)).url);
