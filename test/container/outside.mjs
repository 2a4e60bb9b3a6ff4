import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import process from 'node:process';

// Runs in a container of the image: the local platform and the stand-in for GitHub, as the image has them. The check asks it,
// over HTTP, to tag a version and to say what happened.
const built = '/app/build';
const { startPlatform } = await import(`${built}/platform/index.js`);
const { buildRepository, startGitHub } = await import(`${built}/local-github/index.js`);
const { createClient } = await import(`${built}/client/index.js`);
const { repository, repositoryId, projectId, platformToken, githubToken, files, executionMs } = JSON.parse(
  process.env.MILLRACE_CHECK,
);

const gitRoot = '/tmp/git';
const builder = await buildRepository(gitRoot, repository, process.env);
await builder.commit('main', files);
const github = await startGitHub({
  gitRoot,
  environment: process.env,
  repositories: [{ fullName: repository, id: repositoryId }],
  tokens: { [githubToken]: { permissions: { contents: 'read', deployments: 'write', statuses: 'write' } } },
});
const platform = await startPlatform({
  host: '0.0.0.0',
  port: 4000,
  seed: {
    projects: [
      {
        id: projectId,
        name: 'warehouse',
        connections: [{ name: 'warehouse-connection', authType: 'key_pair' }],
        environments: ['dev', 'test'],
      },
    ],
    credentials: [{ name: 'worker', role: 'admin', token: platformToken }],
    executions: [{ pipeline: 'daily/load', after: executionMs }],
  },
});
const client = createClient({ baseUrl: 'http://127.0.0.1:4000', auth: { token: platformToken } });

/** Publishes the next commit as a release does. Returns the push as GitHub sends it. */
async function tag(name) {
  const commit = await builder.commit('main', { 'notes.txt': `${name}\n` });
  await builder.tag(name, commit);
  const contents = Object.entries(files).filter(([path]) => path.endsWith('.orch.yaml'));
  await client.artifacts.create({
    projectId,
    versionName: name,
    environmentName: 'dev',
    commitHash: commit,
    files: contents.map(([path, text]) => ({
      path,
      bytes: Buffer.byteLength(text),
      open: () => Buffer.from(text),
    })),
  });
  return github.events.push(repository, `refs/tags/${name}`);
}

async function state() {
  const page = await client.artifacts.list({ projectId, environmentName: 'test', includeDisabled: true });
  return {
    versions: page.results.map(({ versionName, enabled }) => ({ versionName, enabled })),
    executions: platform.ledger({ effect: 'started', operation: 'executions.start' }).length,
    statuses: github.repository(repository).statuses,
  };
}

// The stand-in listens on the loopback only.
const { port } = new URL(github.url);
createTcpServer((socket) => {
  const there = connect(Number(port), '127.0.0.1');
  for (const end of [socket, there]) {
    end.on('error', () => [socket, there].forEach((one) => one.destroy()));
    end.on('close', () => [socket, there].forEach((one) => one.destroy()));
  }
  socket.pipe(there).pipe(socket);
}).listen(4001, '0.0.0.0');

const control = createServer((request, response) => {
  const url = new URL(request.url, 'http://control');
  const work = url.pathname === '/tag' ? tag(url.searchParams.get('name')) : state();
  work.then(
    (body) => response.end(JSON.stringify(body)),
    (error) => response.writeHead(500).end(String(error.stack)),
  );
});
control.listen(4002, '0.0.0.0');
await once(control, 'listening');
process.once('SIGTERM', () => process.exit(0));
