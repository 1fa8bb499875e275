import { expect, test } from "vitest";
import * as scriptedModel from "../src/index.ts";

test("the public names are these", () => {
  expect(Object.keys(scriptedModel).toSorted()).toEqual([
    "ScriptedModelError",
    "createAzureGuise",
    "createChatgptGuise",
    "createLlamaServerGuise",
    "createLmStudioGuise",
    "createModelInMemory",
    "createOllamaGuise",
    "createOpenAiGuise",
    "createVllmGuise",
    "loadScript",
    "startDemoModel",
    "startScriptedModel",
  ]);
});
