export function start() {
  const port = 8000;
  listen(port, "::1");
  log("up");
}

export function stop() {
  close();
  log("down");
}
