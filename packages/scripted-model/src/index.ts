export { demoModel, startDemoModel } from "./demo/demo-model.ts";
export { startScriptedModel } from "./server/start-scripted-model.ts";
export { createAzureGuise } from "./guise/azure.ts";
export { createLmStudioGuise } from "./guise/lmstudio.ts";
export { createOllamaGuise } from "./guise/ollama.ts";
export { loadScript } from "./script/load-script.ts";
export { ScriptedModelError } from "./scripted-model-error.ts";

export type { Checks, Violation } from "./check/checks.ts";
export type { Guise } from "./guise/guise.ts";
export type { Expectation } from "./check/expectation.ts";
export type { DemoModelOptions } from "./demo/demo-model.ts";
export type { JsonObject } from "./json.ts";
export type { CapturedRequest } from "./request/captured-request.ts";
export type { Script, ScriptTurn } from "./script/script.ts";
export type { Cut, EventsTurn, HttpTurn, ItemsTurn, RawTurn, Turn, TurnEnd, TurnItem } from "./script/turn.ts";
export type { ScriptedModelErrorCode } from "./scripted-model-error.ts";
export type { RespondOptions, Responder, ScriptedModelOptions, ServingOptions } from "./server/model-options.ts";
export type { ScriptedModel } from "./server/start-scripted-model.ts";
