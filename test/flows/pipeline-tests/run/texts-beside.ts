import type { FindFixtureFile } from '../../../../engine/index.ts';

/** Files by their names, as if they were beside a test file in `folder`. */
export function textsBeside(files: Readonly<Record<string, string>>, folder = ''): FindFixtureFile {
  return (name) => {
    const text = files[name];
    if (text === undefined) return undefined;
    const bytes = Buffer.from(text);
    return { file: `${folder}${name}`, size: () => bytes.length, text: () => text, bytes: () => bytes };
  };
}
