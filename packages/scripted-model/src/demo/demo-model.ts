import type { Responder, ServingOptions } from "../server/model-options.ts";
import { type ScriptedModel, startScriptedModel } from "../server/start-scripted-model.ts";
import { chooseAct } from "./choose-act.ts";
import { readScene } from "./scene.ts";

/** How the demo model behaves. */
export interface DemoModelOptions {
  /** Wait between events, in ms, so that a person sees the text come; 0 when absent. */
  readonly eventDelayMs?: number;
}

const chunkBytes = 12;

/**
 * A stand-in for a model that does a handful of things with the tools of the request, and explains itself otherwise. It
 * keeps no state: all it knows is in the request, so it serves any number of threads, resumed ones too.
 */
function demoModel({ eventDelayMs = 0 }: DemoModelOptions = {}): Responder {
  return ({ body }) => ({ items: chooseAct(readScene(body)), chunkBytes, eventDelayMs });
}

/**
 * Serves the demo model, named `unroll-demo`. People may compact its threads and talk to it with any client: it holds a
 * request only to the law of call outputs, and `close()` does not throw, unless the options say otherwise.
 */
export function startDemoModel(options: ServingOptions & DemoModelOptions = {}): Promise<ScriptedModel> {
  return startScriptedModel({
    models: ["unroll-demo"],
    allowViolations: true,
    ...options,
    checks: { prefix: false, fields: false, ...options.checks },
    respond: demoModel(options),
  });
}
