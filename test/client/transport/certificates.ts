import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A test certificate authority, and a certificate that it issued. */
export interface Certificates {
  /** PEM of the authority. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Whether `openssl` is available to create certificates. */
export async function hasOpenssl(): Promise<boolean> {
  return run('openssl', ['version']).then(
    () => true,
    () => false,
  );
}

/** Creates new certificates for each run, so that none expires and the repository contains no key. */
export async function makeCertificates(names = 'DNS:localhost,IP:127.0.0.1'): Promise<Certificates> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-certificates-'));
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder });
  const key = (file: string) => ['-newkey', 'rsa:2048', '-nodes', '-keyout', file];
  try {
    await openssl(
      'req',
      '-x509',
      ...key('ca.key'),
      '-out',
      'ca.pem',
      '-days',
      '2',
      '-subj',
      '/CN=Test authority',
    );
    await openssl('req', ...key('server.key'), '-out', 'server.csr', '-subj', '/CN=localhost');
    await writeFile(path.join(folder, 'names'), `subjectAltName=${names}\n`);
    const signed =
      'x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out server.pem -days 2';
    await openssl(...signed.split(' '), '-extfile', 'names');
    const read = (file: string) => readFile(path.join(folder, file), 'utf8');
    return { ca: await read('ca.pem'), cert: await read('server.pem'), key: await read('server.key') };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
