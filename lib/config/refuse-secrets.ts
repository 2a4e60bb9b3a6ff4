import { credentialForms } from './credential-forms.ts';
import type { ConfigCheck } from './read-config.ts';

const address = /[a-z][a-z0-9+.-]*:\/\//i;

const secretName =
  /(?:^|[-_. ])(?:password|passwd|pwd|passphrase|secret|token|api[-_]?key|private[-_]?key)$/i;

/**
 * `millrace.yaml` lies in the repository, where everybody reads it and every pull request may change it: it never
 * holds an address or a secret (design, "Configuration"). The value itself is not repeated in the message.
 */
export const refuseSecrets: ConfigCheck<unknown> = (value, report) => {
  const walk = (node: unknown, path: (string | number)[]): void => {
    if (typeof node === 'string') {
      if (address.test(node)) {
        report(path, 'an address does not belong here: the platform’s stands in MILLRACE_BASE_URL');
      } else if (credentialForms.some((form) => form.test(node))) {
        report(
          path,
          'this looks like a secret, which does not belong in a repository: revoke it, and use the environment',
        );
      }
    } else if (Array.isArray(node)) {
      for (const [i, item] of node.entries()) walk(item, [...path, i]);
    } else if (typeof node === 'object' && node !== null) {
      for (const [key, item] of Object.entries(node)) {
        if (secretName.test(key) && typeof item === 'string' && item !== '') {
          report([...path, key], `"${key}" looks like a secret, which does not belong in a repository`);
        } else walk(item, [...path, key]);
      }
    }
  };
  walk(value, []);
};
