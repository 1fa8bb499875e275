export function start() {
  const port = 8000;
  listen(port);
  log("up");
}

export function stop() {
  close();
  log("down");
}
