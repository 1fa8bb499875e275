import { createBuiltinTools, createToolRegistry } from "@unroll/tools";
import { expect, test } from "vitest";
import { createPorts } from "../fake-ports.ts";

const namesOf = (options: Parameters<typeof createBuiltinTools>[0]) =>
  createBuiltinTools(options).map(({ name }) => name);

test("the built-in tools come in one order", () => {
  expect(namesOf({ ...createPorts(), webSearch: "cached" })).toEqual([
    "shell_command",
    "apply_patch",
    "update_plan",
    "view_image",
    "web_search",
  ]);
});

test("the model's family picks their forms", () => {
  const family = { shellTool: "shell", applyPatchTool: "function" } as const;
  const tools = createBuiltinTools({ ...createPorts(), family });
  expect(tools.map(({ name, spec }) => [name, spec.type])).toEqual([
    ["shell", "function"],
    ["apply_patch", "function"],
    ["update_plan", "function"],
    ["view_image", "function"],
  ]);
});

test("a family made for sessions gets them in place of the shell", () => {
  const family = { shellTool: "exec_command", applyPatchTool: "custom" } as const;
  expect(namesOf({ ...createPorts(), family })).toEqual([
    "exec_command",
    "write_stdin",
    "apply_patch",
    "update_plan",
    "view_image",
  ]);
});

test("the tools for sessions come together or not at all", () => {
  const only = ["exec_command", "update_plan"] as const;
  for (const shellTool of ["exec_command", "shell_command"] as const) {
    const family = { shellTool, applyPatchTool: "custom" } as const;
    expect(namesOf({ ...createPorts(), family, only })).toEqual(["exec_command", "write_stdin", "update_plan"]);
    expect(namesOf({ ...createPorts(), family, only: ["write_stdin", "update_plan"] })).toEqual(["update_plan"]);
  }
});

test("a live search reaches the web, a cached one does not", () => {
  const search = (webSearch: "cached" | "live") => createBuiltinTools({ ...createPorts(), webSearch }).at(-1)?.spec;
  expect(search("cached")).toEqual({ type: "web_search", external_web_access: false });
  expect(search("live")).toEqual({ type: "web_search", external_web_access: true });
});

test("what the model reads of them stays byte for byte the same: the prompt cache hangs on it", () => {
  const { specs } = createToolRegistry(createBuiltinTools({ ...createPorts(), webSearch: "cached" }));
  const functions = specs.filter(({ type }) => type === "function");
  expect(JSON.stringify(functions, null, 1)).toMatchInlineSnapshot(`
    "[
     {
      "type": "function",
      "name": "shell_command",
      "description": "Runs a script in bash and returns its exit code and its output, stdout and stderr together. The script cannot be sent input while it runs: use options that keep programs from asking. Long output loses its middle, so narrow it down in the script.",
      "strict": false,
      "parameters": {
       "type": "object",
       "properties": {
        "command": {
         "type": "string",
         "minLength": 1,
         "description": "The script."
        },
        "login": {
         "default": true,
         "type": "boolean",
         "description": "Whether the shell first reads the user's profile. Default true."
        },
        "workdir": {
         "type": "string",
         "description": "Folder to run in; relative to the working folder, which is the default."
        },
        "timeout_ms": {
         "default": 120000,
         "type": "integer",
         "minimum": 1,
         "maximum": 86400000,
         "description": "After this many milliseconds the command and all it started are stopped. Default 120000."
        },
        "sandbox_permissions": {
         "default": "use_default",
         "type": "string",
         "enum": [
          "use_default",
          "require_escalated"
         ],
         "description": "require_escalated asks for approval to run outside the sandbox, for a command that cannot work inside."
        },
        "justification": {
         "type": "string",
         "description": "With require_escalated: one sentence that tells the user why the command needs it."
        }
       },
       "required": [
        "command"
       ],
       "additionalProperties": false
      }
     },
     {
      "type": "function",
      "name": "update_plan",
      "description": "Shows the user the steps of your plan and how far each is. Each call replaces the whole plan. For work of several steps: call it when you begin and whenever a step is finished or the plan changes. Not for simple tasks.",
      "strict": false,
      "parameters": {
       "type": "object",
       "properties": {
        "explanation": {
         "type": "string",
         "description": "Why the plan changed, when it did."
        },
        "plan": {
         "minItems": 1,
         "type": "array",
         "items": {
          "type": "object",
          "properties": {
           "step": {
            "type": "string",
            "minLength": 1,
            "description": "What is to be done, in a few words."
           },
           "status": {
            "type": "string",
            "enum": [
             "pending",
             "in_progress",
             "completed"
            ]
           }
          },
          "required": [
           "step",
           "status"
          ],
          "additionalProperties": false
         },
         "description": "All steps in order, the finished ones too. At most one is in_progress."
        }
       },
       "required": [
        "plan"
       ],
       "additionalProperties": false
      }
     },
     {
      "type": "function",
      "name": "view_image",
      "description": "Loads an image file (PNG, JPEG, GIF, WebP) so that you see it, in a message after the tool outputs.",
      "strict": false,
      "parameters": {
       "type": "object",
       "properties": {
        "path": {
         "type": "string",
         "minLength": 1,
         "description": "The file; relative to the working folder, or absolute."
        }
       },
       "required": [
        "path"
       ],
       "additionalProperties": false
      }
     }
    ]"
  `);
});

test("what the model reads of the session tools stays byte for byte the same too", () => {
  const family = { shellTool: "exec_command", applyPatchTool: "custom" } as const;
  const { specs } = createToolRegistry(createBuiltinTools({ ...createPorts(), family }).slice(0, 2));
  expect(JSON.stringify(specs, null, 1)).toMatchInlineSnapshot(`
    "[
     {
      "type": "function",
      "name": "exec_command",
      "description": "Runs a script in bash and waits for it, up to yield_time_ms. Has it ended by then, you get its exit code and its output, stdout and stderr together. Otherwise it goes on, also after your turn, and you get its output so far and a session id for write_stdin. Long output loses its middle; the file that holds it whole is named then.",
      "strict": false,
      "parameters": {
       "type": "object",
       "properties": {
        "cmd": {
         "type": "string",
         "minLength": 1,
         "description": "The script."
        },
        "workdir": {
         "type": "string",
         "description": "Folder to run in; relative to the working folder, which is the default."
        },
        "shell": {
         "type": "string",
         "description": "Another shell than the user's: bash, sh, zsh."
        },
        "login": {
         "default": true,
         "type": "boolean",
         "description": "Whether the shell first reads the user's profile. Default true."
        },
        "tty": {
         "default": false,
         "type": "boolean",
         "description": "Run in a terminal, which write_stdin can type at. Without one the script reads an empty stdin. Default false."
        },
        "yield_time_ms": {
         "type": "number",
         "minimum": 0,
         "description": "How long to wait for the command, in ms. Default 10000, at most 300000."
        },
        "max_output_tokens": {
         "type": "number",
         "minimum": 1,
         "description": "How much of the output to give back. Default: as much as is allowed."
        },
        "sandbox_permissions": {
         "default": "use_default",
         "type": "string",
         "enum": [
          "use_default",
          "require_escalated"
         ],
         "description": "require_escalated asks for approval to run outside the sandbox, for a command that cannot work inside."
        },
        "justification": {
         "type": "string",
         "description": "With require_escalated: one sentence that tells the user why the command needs it."
        }
       },
       "required": [
        "cmd"
       ],
       "additionalProperties": false
      }
     },
     {
      "type": "function",
      "name": "write_stdin",
      "description": "Goes on with a session of exec_command: types chars at it, waits, and returns what it wrote since the last call, and its exit code once it has ended.",
      "strict": false,
      "parameters": {
       "type": "object",
       "properties": {
        "session_id": {
         "type": "number",
         "description": "As exec_command returned it. Left out: lists the sessions."
        },
        "chars": {
         "default": "",
         "type": "string",
         "description": "Typed as they are: \\\\n is Enter, \\\\u0003 is ^C, \\\\u0004 is ^D. Default empty: only waits."
        },
        "kill": {
         "default": false,
         "type": "boolean",
         "description": "Ends the command and all it started. Default false."
        },
        "yield_time_ms": {
         "type": "number",
         "minimum": 0,
         "description": "How long to wait for the command, in ms. Default 1000 after chars, else 10000, at most 300000."
        },
        "max_output_tokens": {
         "type": "number",
         "minimum": 1,
         "description": "How much of the output to give back. Default: as much as is allowed."
        }
       },
       "additionalProperties": false
      }
     }
    ]"
  `);
});
