import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A registry of npm with one package, on a port of its own. */
export interface NpmRegistry extends AsyncDisposable {
  readonly url: string;
  /** The paths of all requests. */
  readonly requests: readonly string[];
}

export async function startNpmRegistry(
  name: string,
  version: string,
  archive: Uint8Array<ArrayBuffer>,
): Promise<NpmRegistry> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    requests.push(path);
    if (path.endsWith('.tgz')) return response.end(archive);
    const dist = {
      tarball: `http://${request.headers.host ?? ''}/archive.tgz`,
      integrity: digestOf(archive),
    };
    const versions = { [version]: { name, version, dist } };
    return response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function digestOf(bytes: Uint8Array): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}

/** Files as npm packs them. */
export function packed(files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(files).flatMap(([name, text]) => {
    const content = Buffer.from(text);
    const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
    return [header(`package/${name}`, content.length), content, padding];
  });
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]));
}

/** The head of one file in a tar archive. */
function header(name: string, size: number): Buffer {
  const bytes = Buffer.alloc(512);
  bytes.write(name, 0);
  bytes.write('0000644\u00000000000\u00000000000\u0000', 100);
  bytes.write(`${size.toString(8).padStart(11, '0')}\u0000`, 124);
  bytes.write('00000000000\u0000', 136);
  bytes.write('        0', 148);
  bytes.write('ustar\u000000', 257);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148);
  return bytes;
}
