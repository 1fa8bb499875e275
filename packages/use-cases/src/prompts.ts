export { fillPrompt } from "./prompts/fill-prompt.ts";
export { readInitTask } from "./prompts/init-task.ts";
export { readPromptFiles } from "./prompts/read-prompt-files.ts";
