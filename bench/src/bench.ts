import type { Peers } from "./peers.ts";

/** One benchmark: a file beside this one, listed in `main.ts`. */
export interface Bench {
  readonly name: string;
  /** `rounds`: how often each variant is measured, variants in turn; medians are reported. */
  run(options: BenchOptions): Promise<BenchResult>;
}

export interface BenchOptions {
  readonly rounds: number;
  /** Other programs to measure in the same run: see `findPeers`. */
  readonly peers: Peers;
  /** Another build of our command, to measure in turn with this one; null: none. */
  readonly against: string | null;
}

export interface BenchResult {
  readonly name: string;
  readonly rows: readonly BenchRow[];
}

export interface BenchRow {
  readonly label: string;
  readonly value: number;
  readonly unit: string;
  /** Against the row's base in the same run (bare node, a peer, another size); what machines can be compared by. */
  readonly ratio?: number;
  /** The bound from the issue, in words. */
  readonly target?: string;
  /** Whether the bound holds in this run; absent where there is none. */
  readonly ok?: boolean;
}
