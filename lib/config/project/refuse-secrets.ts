import { credentialForms } from './credential-forms.ts';
import type { ConfigValidator } from '../fields/read-config.ts';

const address = /[a-z][a-z0-9+.-]*:\/\//i;

const secretName =
  /(?:^|[-_. ])(?:password|passwd|pwd|passphrase|secret|token|api[-_]?key|private[-_]?key)$/i;

/**
 * Refuses addresses and secrets in `millrace.yaml`, because everyone can read it in the repository and every pull
 * request can change it (design, "Configuration"). The message does not repeat the value.
 */
export const refuseSecrets: ConfigValidator<unknown> = (value, report) => {
  const walk = (node: unknown, path: (string | number)[]): void => {
    if (typeof node === 'string') {
      if (address.test(node)) {
        report(
          path,
          'this file must not contain a web address; remove it, and set the platform’s address in the variable MILLRACE_BASE_URL',
        );
      } else if (credentialForms.some((form) => form.test(node))) {
        report(
          path,
          'this looks like a secret, and a repository must not contain one: revoke it, and set the new one in an environment variable',
        );
      }
    } else if (Array.isArray(node)) {
      for (const [i, item] of node.entries()) walk(item, [...path, i]);
    } else if (typeof node === 'object' && node !== null) {
      for (const [key, item] of Object.entries(node)) {
        if (secretName.test(key) && typeof item === 'string' && item !== '') {
          report(
            [...path, key],
            `the name of "${key}" says that its value is a secret, and a repository must not contain one; set it in an environment variable`,
          );
        } else walk(item, [...path, key]);
      }
    }
  };
  walk(value, []);
};
