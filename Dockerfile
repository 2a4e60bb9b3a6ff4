# The webhook worker: `docker build -t millrace .`, then compose.yaml or docs/deploy.md.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npx --no-install tsc -p tsconfig.build.json
RUN mkdir -p /state/millrace && chmod 700 /state/millrace
# What the code reads at run time, and tsc leaves behind: the list of the npm package.
RUN node tools/setup/copy-assets.mjs build

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# The worker runs no pipelines, so the image goes without the engine's DuckDB, which is nearly half of all packages.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -r node_modules/@duckdb

FROM ${NODE_IMAGE}
ENV NODE_ENV=production MILLRACE_INSTALL=never
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /src/build ./build
COPY package.json LICENSE ./
# A volume that is mounted at /var/lib/millrace belongs to the user of the worker, too.
COPY --from=build --chown=node:node /state /var/lib
USER node
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/build/cli/main.js"]
CMD ["worker", "--host", "0.0.0.0", "--port", "8080", "--config", "/etc/millrace/worker.yaml"]
