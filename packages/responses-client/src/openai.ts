export { fromOpenAI } from "./openai/from-openai.ts";
export { toResponseItem } from "./decode/decode-item.ts";

export type { OpenAIClient, OpenAIModel } from "./openai/from-openai.ts";
