import { Failure } from '../../core/errors/failure.ts';

const scheme = /^(rediss?):\/\//;
const rest =
  /^(?:(?<user>.*)@)?(?<host>\[[\da-f:]+\]|[^\s:@/?#[\]]+)(?::(?<port>\d{1,5}))?(?:\/\d*)?(?:\?[^#]*)?$/is;

/**
 * Rejects an address of a single Redis that would be read differently from what its author meant, such as an
 * address whose password contains `/` or `@`. The path of a socket (also with `unix://`) and `host:port` alone are
 * valid addresses.
 *
 * @throws Failure `usage`, without any part of the address
 */
export function validatePlainUrl(url: string): void {
  if (/^(?:unix:\/)?\//.test(url)) return;
  const after = scheme.test(url) ? url.replace(scheme, '') : url;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(after))
    throw invalid(
      'MILLRACE_REDIS_URL begins with a scheme that Redis does not use.',
      'Begin it with redis:// or rediss:// (TLS), redis+sentinel://, redis+cluster://, or with / for a socket.',
    );
  const parts = rest.exec(after)?.groups;
  const user = parts?.['user'] ?? after.slice(0, Math.max(0, after.lastIndexOf('@')));
  const wrong = /[@/?#[\]\s]/.exec(user)?.[0] ?? /%(?![\da-f]{2})/i.exec(user)?.[0];
  if (wrong !== undefined)
    throw invalid(
      `The password or the user name in MILLRACE_REDIS_URL contains ${wrong.trim() === '' ? 'a space' : wrong}, which has another meaning in an address.`,
      `Write it as ${encodeURIComponent(wrong)}; in general, write each of @ : / ? # % [ ] and spaces in a password as a percent sign and two digits.`,
    );
  if (parts === undefined || Number(parts['port'] ?? 1) < 1 || Number(parts['port'] ?? 1) > 65_535)
    throw invalid(
      'MILLRACE_REDIS_URL is not a valid address of Redis.',
      'Write redis://<user>:<password>@<host>:<port>/<number of the database>; user, password and database may be left out, but not the colon before a password.',
    );
}

function invalid(message: string, hint: string): Failure {
  return new Failure('usage', { message, where: { input: 'MILLRACE_REDIS_URL' }, hint });
}
