import { readContextWindow } from "@unroll/harness";
import { toUserAgent } from "@unroll/program";
import { groupDigits } from "@unroll/text";
import { type Finding, toFinding } from "../finding.ts";
import type { ConfiguredRun } from "./doctor-run.ts";

/** How large the context window of the model is, and who says so: a guess too large ends in requests that the server refuses. */
export async function checkWindow({ config, host, signal, isDemo }: ConfiguredRun): Promise<readonly Finding[]> {
  const { model, provider } = config;
  if (isDemo) return [];
  const options = { host, userAgent: toUserAgent("unroll_doctor", host), signal };
  const { contextWindow, windowOrigin } = await readContextWindow(config, options);
  const size = `${groupDigits(contextWindow)} tokens`;
  switch (windowOrigin) {
    case "server":
      return [toFinding("window", "ok", `The context window of ${model} has ${size}, says ${provider.name}.`)];
    case "guess": {
      const message = `Nobody says how large the context window of ${model} is: ${size} is a guess.`;
      return [
        { ...toFinding("window", "warning", message), remedy: "Set model_context_window to what the server has." },
      ];
    }
    case "config":
      return [toFinding("window", "ok", `The context window of ${model} has ${size}, as you set it.`)];
    case "list":
    case "catalogue":
      return [toFinding("window", "ok", `The context window of ${model} has ${size}.`)];
  }
}
