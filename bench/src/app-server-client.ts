/**
 * The smallest possible client of the app-server on stdin and stdout: it reads all messages, and keeps nothing. Runs so
 * many turns, so many of them in each thread, then tells its parent how many ms of CPU that took, and ends.
 */
const [turns = 0, turnsOfThread = 1] = process.argv.slice(2).map(Number);
const answers = new Map<number, (result: unknown) => void>();
const ends: (() => void)[] = [];
let rest = "";
let id = 0;

process.stdin.setEncoding("utf8").on("data", (text: string) => {
  const lines = `${rest}${text}`.split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const message = JSON.parse(line) as { readonly id?: number; readonly method?: string; readonly result?: unknown };
    if (message.method === "turn/completed") ends.shift()?.();
    if (message.method !== undefined || message.id === undefined) continue;
    answers.get(message.id)?.(message.result);
    answers.delete(message.id);
  }
});

function request(method: string, params: object): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  answers.set((id += 1), resolve);
  process.stdout.write(`${JSON.stringify({ id, method, params })}\n`);
  return promise;
}

const before = process.cpuUsage();
await request("initialize", { clientInfo: { name: "bench", version: "0" } });
for (let done = 0; done < turns; done += turnsOfThread) {
  const { thread } = (await request("thread/start", {})) as { readonly thread: { readonly id: string } };
  const threadId = thread.id;
  for (let turn = 0; turn < turnsOfThread; turn++) {
    const completed = new Promise<void>((resolve) => ends.push(resolve));
    await request("turn/start", { threadId, input: [{ type: "text", text: `Do step ${turn}.` }] });
    await completed;
  }
  await request("thread/unsubscribe", { threadId });
}
const { user, system } = process.cpuUsage(before);
process.send?.((user + system) / 1000, () => process.exit());
