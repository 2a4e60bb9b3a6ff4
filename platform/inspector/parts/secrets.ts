import type { World } from '../../world/world.ts';

/** Masks everything in a text that must not be on a screen or in a report. */
export interface Secrets {
  /** Masks tokens and secrets that the platform knows or made, and the names in e-mail addresses. */
  mask(text: string): string;
  /** Like `mask`, and also masks the values of fields such as `password`, in JSON (also in broken JSON) and in forms. */
  maskBody(text: string): string;
  maskHeader(name: string, value: string): string;
}

export const masked = '•••';

/** Names of fields with secrets. `secretName`, `secretKey` and similar fields only name the place of a secret (spec §2.3, §2.5). */
const named =
  /^(?!secret_?(?:name|key|type|location)$).*(?:password|passphrase|secret|token|cookie|authorization|assertion|(?:private|api)[-_]?key)/i;
/** Tokens and secrets in the form in which this platform makes them. */
const made = /\b[a-z]{1,20}_[0-9a-f]{40}\b/g;
const address = /[\p{L}\p{N}._%+-]{1,64}(@|%40)(?=[\p{L}\p{N}-]{1,63}\.[\p{L}\p{N}])/gu;
/** A name and a simple value. Each text ends at its quotation mark, so matching takes time in proportion to the length. */
const jsonField = /("((?:[^"\\]|\\.)*)"\s*:\s*)("(?:[^"\\]|\\.)*"?|-?[\d.eE+-]+)/g;
const formField = /(^|[&?])([^=&\s]{1,100})=([^&\s]*)/g;

export function secretsOf({ seed }: World): Secrets {
  const secrets = seed.credentials
    .flatMap(({ token, clientSecret }) => [token ?? '', clientSecret ?? ''])
    .filter((value) => value !== '')
    .toSorted((a, b) => b.length - a.length);
  const mask = (text: string) =>
    secrets
      .reduce((rest, value) => rest.replaceAll(value, masked), text)
      .replaceAll(made, masked)
      .replaceAll(address, `${masked}$1`);
  return {
    mask: (text) => maskForm(mask(text)),
    maskBody: (text) =>
      mask(
        /^\s*[{["]/.test(text)
          ? text.replaceAll(jsonField, (whole, before: string, name: string, value: string) =>
              named.test(name) ? `${before}${value.startsWith('"') ? `"${masked}"` : masked}` : whole,
            )
          : maskForm(text),
      ),
    maskHeader: (name, value) => {
      if (!named.test(name)) return mask(value);
      const [, scheme] = /^(bearer|basic) +\S/i.exec(value) ?? [];
      return scheme === undefined ? masked : `${scheme} ${masked}`;
    },
  };
}

function maskForm(text: string): string {
  return text.replaceAll(formField, (whole, before: string, name: string) =>
    named.test(name) ? `${before}${name}=${masked}` : whole,
  );
}
