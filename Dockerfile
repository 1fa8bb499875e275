# unroll in a container, from this checkout: npm run pack && docker build -t unroll .
# docs/containers.md says how to start it.
FROM node:24-slim

# perl-base is part of the image: unroll starts commands with it, and ends their strays as process 1.
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap ca-certificates git ripgrep \
  && rm -rf /var/lib/apt/lists/*

COPY packed/unroll.tgz /opt/unroll.tgz
RUN npm install --global /opt/unroll.tgz && rm /opt/unroll.tgz && mkdir /work /home/node/.codex && chown node:node /work /home/node/.codex

ENV LANG=C.UTF-8
USER node
WORKDIR /work
ENTRYPOINT ["unroll"]
