import { utf8Check } from '../../lib/core/files/decode-text.ts';
import { badRequest } from '../refusal/refusal.ts';

const archiveNames = /\.(zip|jar|tar|tgz|gz|bz2|tbz2|xz|txz|zst|7z|rar|lz4|lzma|cab)$/i;

/** First bytes of archives, to recognize renamed ones too. */
const signatures: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0x50, 0x4b, 0x05, 0x06],
  [0x1f, 0x8b],
  [0x42, 0x5a, 0x68],
  [0xfd, 0x37, 0x7a, 0x58, 0x5a],
  [0x28, 0xb5, 0x2f, 0xfd],
  [0x37, 0x7a, 0xbc, 0xaf],
  [0x52, 0x61, 0x72, 0x21],
];

/** Whether a file is an archive by its name or its first bytes. */
export function isArchive(path: string, begin: Uint8Array): boolean {
  const isSigned = () => signatures.some((bytes) => bytes.every((byte, index) => begin[index] === byte));
  return archiveNames.test(path) || isSigned();
}

/**
 * Returns a function that checks the chunks of a file. Archives are not supported (spec §4.3, §8), and an artifact
 * contains only text files (unknowns §3), so a NUL byte and anything that is not UTF-8 is refused. Call the
 * function with `undefined` after the last chunk. @throws Refusal 400 from the returned function
 */
export function watchContent(
  instance: string,
  path: string,
  count: (bytes: number) => void,
): (chunk: Uint8Array | undefined) => void {
  const archive = () =>
    badRequest(instance, [`The part "${path}" is an archive; send its files one by one (§4.3)`]);
  if (isArchive(path, Buffer.of())) throw archive();
  const refuse = (problem: string) => badRequest(instance, [`The part "${path}" ${problem} (§4.3, §2.6)`]);
  const wrongByte = utf8Check();
  let first = true;
  return (chunk) => {
    count(chunk?.byteLength ?? 0);
    if (first && chunk !== undefined && isArchive(path, chunk)) throw archive();
    first = false;
    if (chunk?.includes(0) === true) throw refuse('is not a text file');
    const offset = wrongByte(chunk);
    if (offset !== undefined) throw refuse(`is not UTF-8 at byte ${offset + 1}`);
  };
}
