import { credentialForms } from './credential-forms.ts';
import type { ConfigValidator } from './read-config.ts';

const address = /[a-z][a-z0-9+.-]*:\/\//i;

const secretName =
  /(?:^|[-_. ])(?:password|passwd|pwd|passphrase|secret|token|api[-_]?key|private[-_]?key)$/i;

/**
 * `millrace.yaml` is in the repository, where everyone can read it and every pull request can change it, so it must
 * not contain an address or a secret (design, "Configuration"). The message does not repeat the value.
 */
export const refuseSecrets: ConfigValidator<unknown> = (value, report) => {
  const walk = (node: unknown, path: (string | number)[]): void => {
    if (typeof node === 'string') {
      if (address.test(node)) {
        report(path, 'an address is not allowed here; set the platform’s address in MILLRACE_BASE_URL');
      } else if (credentialForms.some((form) => form.test(node))) {
        report(
          path,
          'this looks like a secret; do not keep secrets in a repository: revoke it, and use the environment',
        );
      }
    } else if (Array.isArray(node)) {
      for (const [i, item] of node.entries()) walk(item, [...path, i]);
    } else if (typeof node === 'object' && node !== null) {
      for (const [key, item] of Object.entries(node)) {
        if (secretName.test(key) && typeof item === 'string' && item !== '') {
          report([...path, key], `"${key}" looks like a secret; do not keep secrets in a repository`);
        } else walk(item, [...path, key]);
      }
    }
  };
  walk(value, []);
};
