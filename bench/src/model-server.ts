// A process of its own, for many-threads: the scripted server, which answers each request with one message. Prints its address.
import { startScriptedModel } from "@unroll/scripted-model";

const model = await startScriptedModel({
  respond: () => ({ items: [{ text: "Done: one more step of the job." }] }),
  checks: { prefix: false }, // it would keep what it compares with, and cost more than the answer
});
process.stdout.write(`${model.url}\n`);
process.stdin.resume().on("end", () => process.exit()); // ends with the process that began it
