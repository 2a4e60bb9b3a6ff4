import { Failure } from '../lib/core/failure.ts';

/** Where the platform is: the origin, and the path before `/v1`, without a slash at its end. */
export interface PlatformAddress {
  readonly origin: string;
  readonly prefix: string;
}

/**
 * Reads the base URL. A `/v1` at its end is taken off: every path of the specification brings its own.
 *
 * @throws {Failure} `no-base-url` where it is empty, `usage` where it is no plain http(s) address.
 */
export function platformAddress(baseUrl: string): PlatformAddress {
  const where = { input: 'baseUrl' };
  if (baseUrl.trim() === '') {
    throw new Failure('no-base-url', { message: 'The address of the platform is not set.', where });
  }
  const url = parseHttpUrl(baseUrl, 'baseUrl');
  if (url.search !== '' || url.hash !== '') {
    throw new Failure('usage', { message: 'The address of the platform has a query or a fragment.', where });
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '') };
}

/** An http(s) URL without a user name or password, which would end up in logs. */
export function parseHttpUrl(text: string, input: string): URL {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Failure('usage', {
      message: `${input} is not an http or https address.`,
      where: { input },
      hint: 'Write it like https://platform.example.com.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new Failure('usage', {
      message: `${input} holds a user name or password.`,
      where: { input },
      hint: 'Leave them out; the client authenticates with a token.',
    });
  }
  return url;
}
