/** Why a provider gave no list of models. */
export type MissingModelList =
  | { readonly type: "failed"; readonly error: { readonly message: string } }
  | { readonly type: "no_list"; readonly baseUrl: string; readonly status: number }
  | { readonly type: "no_models"; readonly baseUrl: string };

/** `provider`: its name. */
export function explainNoList(missing: MissingModelList, provider: string): string {
  switch (missing.type) {
    case "failed":
      return missing.error.message;
    case "no_list":
      return `${provider} has no list of models at ${missing.baseUrl}/models (${missing.status}).`;
    case "no_models":
      return `${provider} responds at ${missing.baseUrl}/models, but not with a list of models.`;
  }
}
