import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** The turns that the app-server of a Codex CLI shows of a thread that it resumes, as JSON. `options`: of the process. */
export async function readShown([file, ...before], threadId, options) {
  const server = spawn(file, [...before, "app-server"], { ...options, stdio: ["pipe", "pipe", "ignore"] });
  try {
    const send = (message) => server.stdin.write(`${JSON.stringify(message)}\n`);
    send({ id: 1, method: "initialize", params: { clientInfo: { name: "round-trip", version: "1" } } });
    send({ method: "initialized" });
    send({ id: 2, method: "thread/resume", params: { threadId } });
    for await (const line of createInterface({ input: server.stdout })) {
      const { id, result, error } = JSON.parse(line);
      if (id === 2) return JSON.stringify(result?.thread.turns ?? error);
    }
    return "";
  } finally {
    server.kill();
  }
}
