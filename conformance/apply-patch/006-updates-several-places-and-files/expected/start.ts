export function start() {
  const port = 9000;
  listen(port);
  log("up");
}

export function stop() {
  close();
  log("off");
}
