import type { LocalProviderId } from "@unroll/config";

/** A server of models that listens on this machine. */
export interface FoundServer {
  /** Null: none of those that are known, but it lists models. */
  readonly provider: LocalProviderId | null;
  /** `http://127.0.0.1:8080/v1` */
  readonly baseUrl: string;
  readonly port: number;
  /** Empty: it has none, or still loads. */
  readonly models: readonly string[];
}
