/** How a server that runs models on this machine is. Each `message` says what is so and what to do, for a person. */
export type ProviderHealth =
  /** `version`: null where it does not say. */
  | { readonly type: "ready"; readonly version: string | null }
  /** Nothing answers at its address. */
  | { readonly type: "unreachable"; readonly message: string }
  /** It does not speak the Responses API, or not well enough. */
  | { readonly type: "too_old"; readonly message: string }
  /** `models`: those that it has. `canPull`: the server can fetch this one. */
  | {
      readonly type: "model_missing";
      readonly message: string;
      readonly model: string;
      readonly models: readonly string[];
      readonly canPull: boolean;
    };

/** What a person is told of the models that are there, so that a slip in a name is seen. */
export function listThere(models: readonly string[]): string {
  const shown = models.slice(0, maxShown).join(", ");
  if (models.length === 0) return "It has no models.";
  return `It has ${shown}${models.length > maxShown ? `, and ${models.length - maxShown} more` : ""}.`;
}

const maxShown = 8;
