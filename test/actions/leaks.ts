import { readFileSync } from 'node:fs';

/** The encodings in which a secret could leak: plain, in a URL, in JSON, in base64 at any offset. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inside = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6)),
  );
  const all = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    ...inside,
  ];
  return [...new Set(all)];
}

/** The context of each leaked secret in the output of a process, in any encoding, without the secret itself. */
export function leaksOf(secrets: readonly string[], texts: readonly string[]): string[] {
  return texts.flatMap((text) =>
    secrets.flatMap(formsOf).flatMap((form) => {
      const at = text.indexOf(form);
      return at === -1 ? [] : [`…${text.slice(Math.max(0, at - 60), at)}<secret>…`];
    }),
  );
}

/** The texts of the files that a step's outputs name. */
export function filesOf(outputs: Readonly<Record<string, string>>): string[] {
  return Object.entries(outputs).flatMap(([name, path]) =>
    name.endsWith('-path') && path !== '' ? [readFileSync(path, 'utf8')] : [],
  );
}
