// A server as the cases see it: over HTTP, as a stream, over a WebSocket.
import { once } from "node:events";
import { createRequire } from "node:module";
import { startScriptedModel } from "../../packages/scripted-model/src/index.ts";

const { WebSocket } = createRequire(new URL("../../packages/scripted-model/package.json", import.meta.url))("ws");
const terminal = new Set(["response.completed", "response.failed", "response.incomplete"]);
const longestMs = 30_000;

export function openServer({ url, model, key }) {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const send = (path, body) => fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body), signal: AbortSignal.timeout(longestMs) });
  return {
    model,
    async post(path, body) {
      const answer = await send(path, body);
      return { status: answer.status, body: await answer.json().catch(() => null) };
    },
    async stream(body) {
      const text = await (await send("/responses", { ...body, stream: true })).text();
      const data = text.split(/\r?\n\r?\n/).map((event) => /^data: (.*)$/m.exec(event)?.[1] ?? "[DONE]");
      const events = data.filter((line) => line !== "[DONE]").map((line) => JSON.parse(line));
      return { events, response: events.at(-1)?.response ?? null };
    },
    connect: () => connect(url.replace(/^http/, "ws"), headers),
    answerWith,
  };
}

/** The response of a model with these items to a request: always from our server, whichever server is checked. */
async function answerWith(items, body) {
  await using model = await startScriptedModel({ script: { turns: [{ items }], checks: { fields: false } } });
  const answer = await fetch(`${model.url}/responses`, { method: "POST", body: JSON.stringify(body) });
  return await answer.json();
}

async function connect(url, headers) {
  const socket = new WebSocket(`${url}/responses`, { headers });
  await once(socket, "open");
  return {
    /** All that answers a message: `code` of an error, or null. */
    ask(message) {
      const { promise, resolve } = Promise.withResolvers();
      const events = [];
      const end = (response, code) => {
        clearTimeout(timer);
        socket.off("message", read).off("close", lose);
        resolve({ events, response, code });
      };
      const read = (data) => {
        const event = JSON.parse(data.toString("utf8"));
        if (event.type === "error") return end(null, event.error?.code ?? event.code ?? "none");
        events.push(event);
        if (terminal.has(event.type)) end(event.response, event.response.error?.code ?? null);
      };
      const lose = () => end(null, "closed");
      const timer = setTimeout(() => end(null, "late"), longestMs);
      socket.on("message", read).on("close", lose);
      socket.send(JSON.stringify(message));
      return promise;
    },
    [Symbol.asyncDispose]: async () => socket.terminate(),
  };
}
