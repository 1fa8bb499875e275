import pg from "pg";

/** A connection that breaks: its pool may hear of it, and whoever waits for an answer. Without a listener it would end the process. */
export class SteadyClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on("error", () => {});
  }
}
