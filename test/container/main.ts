import { messageOf } from '../../lib/core/errors/message-of.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { root } from '../repository/repository-files.ts';
import { buildFrom, buildOptions, nodeImageOf, provideBaseImages } from './base-images.ts';
import { checkImage, logsOf } from './check-image.ts';
import { findEngine, Lacking } from './container-engine.ts';
import { writeProjectFolder } from './project-folder.ts';

const log = (line: string): void => void process.stdout.write(`${line}\n`);
const folder = mkdtempSync(path.join(tmpdir(), 'millrace-container-'));
const project = path.basename(folder).toLowerCase();
process.exitCode = await main();

/** 0: the check passed; 1: it failed; 2: it did not run, because this machine lacks something. */
async function main(): Promise<number> {
  await using cleaning = new AsyncDisposableStack();
  cleaning.defer(() => rmSync(folder, { recursive: true, force: true }));
  try {
    const engine = await findEngine(folder, process.env);
    log(`with ${engine.description}`);
    const { services } = parse(readFileSync(path.join(root, 'compose.yaml'), 'utf8')) as {
      services: { redis: { image: string } };
    };
    const bases = await provideBaseImages(engine, {
      node: nodeImageOf(path.join(root, 'Dockerfile')),
      valkey: services.redis.image,
      folder,
      log,
    });
    log(`base images: ${bases.node}, ${bases.valkey}`);
    const worker = `localhost/${project}`;
    const outside = `${worker}-outside`;
    cleaning.defer(async () => {
      await engine.attempt(['rmi', outside, worker]);
    });
    await engine.run(
      ['build', ...buildOptions(engine), '--build-arg', `NODE_IMAGE=${bases.node}`, '--tag', worker, root],
      { timeout: 1_800_000 },
    );
    log('built the image');
    // The stand-in for GitHub reads repositories with git, which the worker does not need.
    const lines = [
      `FROM ${worker}`,
      'USER root',
      `RUN apt-get -qq update && apt-get -qq install --no-install-recommends -y git`,
      'USER node',
    ];
    await buildFrom(engine, { name: outside, folder, lines });
    const ports = { worker: await freePort(), control: await freePort() };
    const images = { worker, outside, redis: bases.valkey };
    const written = writeProjectFolder({ folder, images, ports, executionMs: 4_000 });
    const check = { ...written, engine, project, ports, log };
    cleaning.defer(async () => {
      await engine
        .compose(['-f', 'compose.yaml', '-p', project, 'down', '--volumes'], {
          cwd: folder,
          env: { ...process.env, MILLRACE_BASE_URL: 'http://outside:4000' },
        })
        .catch((error: unknown) => log(String(error)));
    });
    try {
      await checkImage(check);
    } catch (error) {
      log(await logsOf(check));
      throw error;
    }
    log('container check: passed');
    return 0;
  } catch (error) {
    if (error instanceof Lacking) {
      process.stderr.write(`${error.message}\ncontainer check: NOT RUN\n`);
      return 2;
    }
    process.stderr.write(`${messageOf(error)}\ncontainer check: FAILED\n`);
    return 1;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
