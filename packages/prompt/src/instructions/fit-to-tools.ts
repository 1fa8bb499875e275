import type { PromptTool } from "../prompt-tool.ts";

/** Names for several tools at once: a part counts where the request has one of them. */
const groups: Readonly<Record<string, readonly string[]>> = {
  commands: ["exec_command", "shell_command", "shell"],
  others: ["update_plan", "view_image", "web_search"],
  builtins: ["exec_command", "shell_command", "shell", "apply_patch", "update_plan", "view_image", "web_search"],
};

/** A part without a part in it: `{{#name}}…{{/name}}`, or `{{^name}}…{{/name}}`. */
const innermost = /\{\{([#^])([\w.]+)\}\}((?:(?!\{\{[#^]).)*?)\{\{\/\2\}\}/s;

/**
 * Our base instructions as they fit the tools of a request: `{{#name}}…{{/name}}` stays where it has the tool, `{{^name}}…{{/name}}`
 * where it has not. `name.type` is a tool of this type; a group is any of its tools. A tag alone on its line goes with the line.
 */
export function fitToTools(text: string, tools: readonly PromptTool[]): string {
  const names = new Set(tools.flatMap(({ name, type }) => (name === undefined ? [type] : [name, `${name}.${type}`])));
  for (const [group, members] of Object.entries(groups)) if (members.some((name) => names.has(name))) names.add(group);
  let fitted = text.replaceAll(/^(\{\{[#^/][\w.]+\}\})\n/gm, "$1");
  for (let part = innermost.exec(fitted); part !== null; part = innermost.exec(fitted)) {
    const [all, kind, name = "", body = ""] = part;
    fitted = fitted.replace(all, () => (names.has(name) === (kind === "#") ? body : ""));
  }
  return fitted;
}
