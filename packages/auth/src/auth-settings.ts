/** The server that issues logins. */
export interface LoginServer {
  /** No slash at the end; `https:`, or `http:` on this machine. */
  readonly issuer: string;
  /** The id of this program at that server. Public: there is no client secret. */
  readonly clientId: string;
  readonly scopes: readonly string[];
  /**
   * Further hosts (with their port if it is not the usual one) that may be contacted if the
   * issuer's own response names them.
   */
  readonly hosts: readonly string[];
}

/** Where a login is saved. `auto`: in the system keyring, or in the file if there is no keyring. */
export type CredentialStorage = "file" | "keyring" | "auto";

type Variables = Readonly<Record<string, string | undefined>>;

/** The proxies: `https_proxy`, `http_proxy` and `no_proxy`, in either case, are read from it. */
export interface Network {
  readonly proxyEnv: Variables;
}
