import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { type ContainerEngine, Lacking } from './container-engine.ts';
import { runProgram } from './run-program.ts';

export interface BaseImages {
  /** For the build argument `NODE_IMAGE`. */
  readonly node: string;
  /** In place of the image of the service `redis`. */
  readonly valkey: string;
}

interface Wanted {
  readonly node: string;
  readonly valkey: string;
  readonly log: (line: string) => void;
  /** For what is built; temporary. */
  readonly folder: string;
}

const pullTimeout = 600_000;
const buildTimeout = 1_200_000;

/**
 * The images that the Dockerfile and compose.yaml name. Where they are neither here nor can be pulled, it makes others from
 * Debian's packages (with mmdebstrap, as root), and says so. Throws `Lacking` if that is not possible either.
 */
export async function provideBaseImages(engine: ContainerEngine, wanted: Wanted): Promise<BaseImages> {
  return {
    node: (await find(engine, wanted.node, wanted)) ?? (await makeNode(engine, wanted)),
    valkey: (await find(engine, wanted.valkey, wanted)) ?? (await makeValkey(engine, wanted)),
  };
}

async function find(engine: ContainerEngine, name: string, { log }: Wanted): Promise<string | undefined> {
  if (await isHere(engine, name)) return name;
  const pulled = await engine.attempt(['pull', name], { timeout: pullTimeout });
  if (pulled.code === 0) return name;
  log(`cannot pull ${name}: ${pulled.both.trim().split('\n').at(-1) ?? ''}`);
  return undefined;
}

async function isHere(engine: ContainerEngine, name: string): Promise<boolean> {
  return (await engine.attempt(['image', 'inspect', name])).code === 0;
}

/** An image with a small Debian, with its packages. It stays for the next run. */
async function makeDebian(
  engine: ContainerEngine,
  { suite, packages }: { readonly suite: string; readonly packages: readonly string[] },
  { log, folder }: Wanted,
): Promise<string> {
  const name = `localhost/millrace-check-${suite}`;
  if (await isHere(engine, name)) return name;
  const made = path.join(folder, `${suite}.tar`);
  log(`making ${name} from packages of Debian ${suite}`);
  const included = ['ca-certificates', ...packages].join(',');
  const { code, both } = await runProgram(
    'mmdebstrap',
    ['--variant=apt', `--include=${included}`, suite, made],
    { timeout: buildTimeout },
  );
  if (code === 127 || process.getuid?.() !== 0)
    throw new Lacking(
      `The base images can be neither pulled nor made: ${code === 127 ? 'mmdebstrap is not installed' : 'mmdebstrap needs root'}.\n` +
        'Load the images that the Dockerfile and compose.yaml name, or install mmdebstrap and run this as root.',
    );
  if (code !== 0) throw new Lacking(`mmdebstrap cannot make ${name}:\n${both.trim().slice(-2_000)}`);
  await engine.run(['import', made, name], { timeout: buildTimeout });
  return name;
}

/** Node of this process and npm of this machine on Debian, with the user `node` of the image that it replaces. */
async function makeNode(engine: ContainerEngine, wanted: Wanted): Promise<string> {
  const name = 'localhost/millrace-check-node';
  if (await isHere(engine, name)) return name;
  const base = await makeDebian(engine, { suite: 'bookworm', packages: ['libstdc++6'] }, wanted);
  const folder = path.join(wanted.folder, 'node');
  mkdirSync(folder);
  cpSync(process.execPath, path.join(folder, 'node'));
  cpSync(await npmFolder(), path.join(folder, 'npm'), { recursive: true, dereference: true });
  writeFileSync(path.join(folder, 'npmrc'), await npmSettings(folder));
  const lines = [
    `FROM ${base}`,
    'COPY node /usr/local/bin/node',
    'COPY npm /usr/local/lib/node_modules/npm',
    'COPY npmrc certificates* /usr/local/etc/',
    'RUN for name in npm npx; do ln -s ../lib/node_modules/npm/bin/$name-cli.js /usr/local/bin/$name; done',
    'RUN echo node:x:1000:1000::/home/node:/bin/bash >> /etc/passwd && echo node:x:1000: >> /etc/group && mkdir /home/node && chown 1000:1000 /home/node',
  ];
  return buildFrom(engine, { name, folder, lines });
}

/** The folder of the npm that started this process, else of the one in PATH. */
async function npmFolder(): Promise<string> {
  const started = process.env['npm_execpath'];
  const program =
    started !== undefined && started.endsWith('npm-cli.js')
      ? started
      : (await runProgram('sh', ['-c', 'command -v npm'])).stdout.trim();
  const folder = path.resolve(realpathSync(program), '../..');
  if (existsSync(path.join(folder, 'bin', 'npm-cli.js'))) return folder;
  throw new Lacking(`Cannot find npm, which the image needs: ${program} is not a file of npm.`);
}

/** The registry that npm uses on this machine, and the certificates that the machine trusts; no credentials. */
async function npmSettings(folder: string): Promise<string> {
  const { stdout } = await runProgram('npm', ['config', 'get', 'registry']);
  const lines = [`registry=${stdout.trim()}`];
  if (existsSync(machineCertificates)) {
    cpSync(machineCertificates, path.join(folder, 'certificates.crt'));
    lines.push('cafile=/usr/local/etc/certificates.crt');
  }
  return `${lines.join('\n')}\n`;
}

const machineCertificates = '/etc/ssl/certs/ca-certificates.crt';

/** Valkey as Debian has it, with the user id and the start script of the image that it replaces. */
async function makeValkey(engine: ContainerEngine, wanted: Wanted): Promise<string> {
  const name = 'localhost/millrace-check-valkey';
  if (await isHere(engine, name)) return name;
  const base = await makeDebian(engine, { suite: 'trixie', packages: ['valkey-server'] }, wanted);
  const folder = path.join(wanted.folder, 'valkey');
  mkdirSync(folder);
  cpSync(path.join(import.meta.dirname, 'valkey-entrypoint.sh'), path.join(folder, 'entrypoint'));
  const lines = [
    `FROM ${base}`,
    'RUN sed -i "s/^valkey:x:[0-9]*:[0-9]*:/valkey:x:999:999:/" /etc/passwd && sed -i "s/^valkey:x:[0-9]*:/valkey:x:999:/" /etc/group',
    'COPY entrypoint /usr/local/bin/docker-entrypoint.sh',
    'RUN chmod 755 /usr/local/bin/docker-entrypoint.sh && mkdir /data && chown valkey:valkey /data',
    'VOLUME /data',
    'WORKDIR /data',
    'ENTRYPOINT ["docker-entrypoint.sh"]',
    'CMD ["valkey-server"]',
  ];
  return buildFrom(engine, { name, folder, lines });
}

/** Builds an image from lines of a Dockerfile. */
export async function buildFrom(
  engine: ContainerEngine,
  {
    name,
    folder,
    lines,
  }: { readonly name: string; readonly folder: string; readonly lines: readonly string[] },
): Promise<string> {
  const file = path.join(folder, 'Dockerfile');
  writeFileSync(file, `${lines.join('\n')}\n`);
  await engine.run(['build', ...buildOptions(engine), '--tag', name, '--file', file, folder], {
    timeout: buildTimeout,
  });
  return name;
}

/**
 * Options of each build. It installs packages, and the machine's own network is the one that surely reaches them. Podman's own
 * format of images has no health check.
 */
export const buildOptions = ({ name }: ContainerEngine): readonly string[] => [
  '--network=host',
  ...(name === 'podman' ? ['--format', 'docker'] : []),
];

/** The name of the base image in the Dockerfile. */
export function nodeImageOf(dockerfile: string): string {
  const [, name] = /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync(dockerfile, 'utf8')) ?? [];
  if (name === undefined) throw new Error('The Dockerfile has no line `ARG NODE_IMAGE=…`.');
  return name;
}
