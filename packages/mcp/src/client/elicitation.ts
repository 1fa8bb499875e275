/** A server asks the person for something, by a form, in the middle of a call. */
export interface McpElicitation {
  readonly server: string;
  /** The server's own words: show from whom they are. */
  readonly message: string;
  readonly fields: readonly McpElicitationField[];
}

export interface McpElicitationField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly input: McpElicitationInput;
  /** Null: none. */
  readonly defaultValue: McpElicitationValue | null;
}

export type McpElicitationInput =
  /** `format`: email, uri, date, date-time; null: any text. */
  | { readonly type: "text"; readonly format: string | null; readonly minLength: number; readonly maxLength: number }
  | { readonly type: "number"; readonly isInteger: boolean; readonly minimum: number; readonly maximum: number }
  | { readonly type: "boolean" }
  /** `isMultiple`: the value is a list of values. */
  | {
      readonly type: "choice";
      readonly isMultiple: boolean;
      readonly options: readonly { readonly value: string; readonly title: string }[];
    };

export type McpElicitationValue = string | number | boolean | readonly string[];

/** `declined`: the person said no. `cancelled`: there is no answer. */
export type McpElicitationAnswer =
  | { readonly type: "accepted"; readonly values: Readonly<Record<string, McpElicitationValue>> }
  | { readonly type: "declined" }
  | { readonly type: "cancelled" };

/** Shows the form and waits for the person; `signal` aborts when the answer is no longer wanted. */
export type ElicitationPort = (request: McpElicitation, signal: AbortSignal) => Promise<McpElicitationAnswer>;
