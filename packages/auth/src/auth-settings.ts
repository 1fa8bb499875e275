/** Who gives logins. */
export interface LoginServer {
  /** Without a slash at its end; `https:`, or `http:` on this machine. */
  readonly issuer: string;
  /** By which it knows this program. Public: there is no client secret. */
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Further hosts (with their port, where it is not the usual one) that may be asked, when the issuer's own answer names them. */
  readonly hosts: readonly string[];
}

/** Where a login is kept. `auto`: in the system keyring, and in the file where that cannot be had. */
export type CredentialStorage = "file" | "keyring" | "auto";

type Variables = Readonly<Record<string, string | undefined>>;

/** The way to a server: `https_proxy`, `http_proxy` and `no_proxy`, in either case, are read from it. */
export interface Network {
  readonly proxyEnv: Variables;
}
