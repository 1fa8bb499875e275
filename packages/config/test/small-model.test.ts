import { builtInCatalogue, findSmallModel } from "@unroll/config";
import { expect, test } from "vitest";

test.for([
  ["gpt-6.1-sol", "openai", "gpt-6-luna"],
  ["gpt-5.5", "openai", "gpt-5.6-luna"],
  ["gpt-6-luna", "openai", null],
  ["gpt-6.1-sol", "other", null],
  ["nobody-knows-1", "openai", null],
] as const)("the small model beside %s of %s is %s", ([model, provider, small]) => {
  expect(findSmallModel(builtInCatalogue, model, provider)).toBe(small);
});
