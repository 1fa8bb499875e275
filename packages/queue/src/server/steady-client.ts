import pg from "pg";

/** A connection whose end does not end the process, where nobody listens for its error: its statements and its pool tell. */
export class SteadyClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on("error", () => {});
  }
}
