/** The state of a model server on this machine. Each `message` says what is wrong and what to do. */
export type ProviderHealth =
  /** `version`: null if it does not report one. */
  | { readonly type: "ready"; readonly version: string | null }
  /** Nothing answers at its address. */
  | { readonly type: "unreachable"; readonly message: string }
  /** It does not have the Responses API, or an incomplete one. */
  | { readonly type: "too_old"; readonly message: string }
  /** `models`: those that it has. `canPull`: the server can fetch this one. */
  | {
      readonly type: "model_missing";
      readonly message: string;
      readonly model: string;
      readonly models: readonly string[];
      readonly canPull: boolean;
    };

/** Lists the server's models for the user, so that a misspelt name is easy to see. */
export function listThere(models: readonly string[]): string {
  const shown = models.slice(0, maxShown).join(", ");
  if (models.length === 0) return "It has no models.";
  return `It has ${shown}${models.length > maxShown ? `, and ${models.length - maxShown} more` : ""}.`;
}

const maxShown = 8;
