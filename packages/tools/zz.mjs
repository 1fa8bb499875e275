const { createToolRegistry, createToolRuntime, defineTool } = await import("@unroll/tools");
const z = await import("zod");
const tool = defineTool({ name: "t", description: "", concurrency: "shared", input: z.strictObject({ a: z.number() }), run: async ({ a }) => ({ output: String(a) }) });
const clock = { now: () => performance.now(), elapsed: () => performance.now(), sleep: (_ms, s) => new Promise((r) => s.addEventListener("abort", r, { once: true })) };
const gate = { judge: async () => ({ type: "run", confinement: "policy" }) };
const runtime = createToolRuntime({ registry: createToolRegistry([tool]), gate, outputTokens: 10000, clock });
let n = 0;
async function go(count) { for (let i = 0; i < count; i++) { for await (const _ of runtime.run([{ type: "function_call", call_id: "c" + n++, name: "t", arguments: '{"a":1}' }], { signal: new AbortController().signal, nextItemId: () => "item_" + n })); } }
await go(2000); const t = process.cpuUsage(); await go(5000); const u = process.cpuUsage(t); console.log((u.user + u.system) / 5000, "us CPU a call");
