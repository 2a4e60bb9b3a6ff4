/** Replaces secrets by `***`, in the plain form and in the encodings that the runner knows. */
export interface Masks {
  add(secret: string): void;
  apply(text: string): string;
}

export function createMasks(): Masks {
  const values = new Set<string>();
  return {
    add(secret) {
      // A secret of several lines is masked line by line, as output is.
      for (const line of [secret, ...secret.split(/\r?\n/u)]) {
        if (line.trim() === '') continue;
        values.add(line);
        values.add(Buffer.from(line).toString('base64'));
        values.add(encodeURIComponent(line));
        values.add(JSON.stringify(line).slice(1, -1));
      }
    },
    apply(text) {
      // The longest first, or a part of it would be left.
      const byLengthDescending = [...values].toSorted((a, b) => b.length - a.length);
      return byLengthDescending.reduce((shown, value) => shown.replaceAll(value, '***'), text);
    },
  };
}
