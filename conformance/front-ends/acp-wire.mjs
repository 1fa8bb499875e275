// The client's side of the Agent Client Protocol: requests, their answers, and what an agent tells and asks in between.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** `send` takes messages for the agent; `take` those of it. `approve`: the answer to each question for permission. */
export function createAcpWire(send, { approve = false } = {}) {
  const waiting = new Map();
  const updates = [];
  return {
    updates,
    /** The text of the answers so far. */
    text: () => updates.map((update) => (update.sessionUpdate === "agent_message_chunk" ? update.content.text : "")).join(""),
    take(message) {
      const { id, method, params } = message;
      if (method === "session/request_permission") {
        const { optionId } = params.options.find(({ kind }) => kind === (approve ? "allow_once" : "reject_once"));
        send({ jsonrpc: "2.0", id, result: { outcome: { outcome: "selected", optionId } } });
      } else if (method === undefined) waiting.get(id)?.(message);
      else if (params?.update !== undefined) updates.push(params.update);
    },
    /** The result; throws the error of an answer. */
    async ask(method, params) {
      const id = waiting.size + 1;
      const answered = new Promise((resolve) => waiting.set(id, resolve));
      send({ jsonrpc: "2.0", id, method, params });
      const { error, result } = await answered;
      if (error !== undefined) throw new Error(`${method}: ${error.message} ${JSON.stringify(error.data ?? null)}`);
      return result;
    },
  };
}

/** Runs an agent on stdio, and `use` with a wire to it, which is initialized. */
export async function withAgent([program, ...args], options, use) {
  const child = spawn(program, args, { ...options, stdio: ["pipe", "pipe", "ignore"] });
  const ended = once(child, "close");
  const wire = createAcpWire((message) => void child.stdin.write(`${JSON.stringify(message)}\n`), { approve: true });
  createInterface({ input: child.stdout }).on("line", (line) => wire.take(JSON.parse(line)));
  try {
    await wire.ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
    return await use(wire);
  } finally {
    child.kill();
    await ended;
  }
}
