export { fromOpenAI } from "./from-openai.ts";
export { toResponseItem } from "./decode/decode-item.ts";

export type { OpenAIClient, OpenAIModel } from "./from-openai.ts";
