/** Whether an address has a user name or password in it: fetch refuses those, and says them in its error. */
export function holdsLogin({ username, password }: URL): boolean {
  return username !== "" || password !== "";
}
