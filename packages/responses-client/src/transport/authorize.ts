import * as z from "zod";
import { RequestFailure } from "../failure/request-failure.ts";
import type { AuthorizationHeaders, CredentialProvider } from "../port/credential-provider.ts";

const expectedErrorSchema = z.object({ code: z.string(), message: z.string(), retryable: z.boolean().catch(false) });

/** The headers of the credential. An error with a `code` becomes a `RequestFailure`, any other is a bug. */
export async function authorize(credential: CredentialProvider, signal: AbortSignal): Promise<AuthorizationHeaders> {
  try {
    return await credential.authorization(signal);
  } catch (error) {
    throw toCredentialFailure(error);
  }
}

export function toCredentialFailure(error: unknown): unknown {
  const parsed = expectedErrorSchema.safeParse(error);
  return parsed.success ? new RequestFailure("request", parsed.data, { cause: error }) : error;
}
