/** What instructions need to know of a tool: its name, and its type, which names a hosted one too. As of a request's `tools`. */
export interface PromptTool {
  readonly type: string;
  readonly name?: string;
}
