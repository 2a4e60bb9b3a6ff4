import { Failure } from '../../lib/core/errors/failure.ts';

/** The platform's origin and the path before `/v1`, without a trailing slash. */
export interface PlatformAddress {
  readonly origin: string;
  readonly prefix: string;
}

/**
 * Parses the base URL. Removes a `/v1` at its end, because every path of the specification begins with it.
 *
 * @throws {Failure} `no-base-url` if it is empty, `usage` if it is not a plain http(s) address.
 */
export function platformAddress(baseUrl: string | undefined): PlatformAddress {
  const where = { input: 'baseUrl' };
  // JavaScript callers often pass an environment variable that is not set.
  if (baseUrl === undefined || baseUrl.trim() === '') {
    throw new Failure('no-base-url', {
      message: 'The address of the platform is not set.',
      where,
      hint: 'Give createClient a baseUrl, such as https://platform.example.com. If it comes from an environment variable, check that the variable is set.',
    });
  }
  const url = parseHttpUrl(baseUrl, 'baseUrl');
  if (url.search !== '' || url.hash !== '') {
    throw new Failure('usage', {
      message: 'The address of the platform has a query or a fragment.',
      where,
      hint: 'Remove the part from ? or # on, as in https://platform.example.com.',
    });
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '') };
}

/** Parses an http(s) URL. Rejects a user name or password, which would appear in logs. @throws {Failure} `usage` */
export function parseHttpUrl(text: string, input: string): URL {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Failure('usage', {
      message: `${input} is not an http or https address.`,
      where: { input },
      hint: 'Use the form https://platform.example.com.',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new Failure('usage', {
      message: `${input} contains a user name or password.`,
      where: { input },
      hint: 'Remove the user name and the password from the address. Give the credential in auth.',
    });
  }
  return url;
}
