export { fromOpenAI } from "./openai/from-openai.ts";
export { toResponseItem } from "./decode/decode-item.ts";

export type { FromOpenAIOptions, OpenAIClient, OpenAIModel, OpenAIRequest } from "./openai/from-openai.ts";
