import fastify from 'fastify';
import process from 'node:process';
import { readSeed, startPlatform } from '../../../platform/index.ts';

// A process of its own, started by `start-list-server.ts`. `platform`: the local platform with full lists. `bare`: a
// fastify server with the routes that it is sent, each answering the object that it is sent. Asked for its processor
// time, it says the milliseconds.

const [kind, data] = process.argv.slice(2);
const names = (word: string) => Array.from({ length: 25 }, (_, index) => `${word}-${index}`);

const seed = JSON.stringify({
  credentials: [{ name: 'bench', role: 'superAdmin' }],
  projects: names('project').map((name, index) => ({
    name,
    description: 'Loads of every night',
    ...(index > 0
      ? {}
      : {
          environments: names('environment'),
          variables: names('variable').map((variable) => ({
            name: variable,
            type: 'TEXT',
            behaviour: 'SHARED',
            value: 'today',
          })),
        }),
  })),
});

process.on('message', (message: { readonly answers?: Readonly<Record<string, unknown>> }) => {
  if (message.answers === undefined) {
    const { user, system } = process.cpuUsage();
    process.send?.({ processorMs: (user + system) / 1000 });
    return;
  }
  void listenBare(message.answers);
});
if (kind === 'platform') {
  const { baseUrl, tokens, projectId } = await startPlatform({
    seed: readSeed(seed, { file: 'seed.yaml' }),
    ...(data === undefined ? {} : { data }),
  });
  process.send?.({ url: baseUrl, token: tokens.superAdmin, projectId });
} else process.send?.({ url: '', token: '', projectId: '' });

async function listenBare(answers: Readonly<Record<string, unknown>>): Promise<void> {
  const server = fastify({ exposeHeadRoutes: false });
  for (const [path, answer] of Object.entries(answers)) server.get(path, async () => answer);
  process.send?.({ url: await server.listen({ host: '127.0.0.1', port: 0 }) });
}
