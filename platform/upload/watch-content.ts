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

/**
 * Checks the chunks of a file: archives are not supported (spec §4.3, §8), and an artifact holds text files only
 * (unknowns §3), so a NUL byte is refused.
 * @throws Refusal 400 from the returned function
 */
export function watchContent(
  instance: string,
  path: string,
  count: (bytes: number) => void,
): (chunk: Uint8Array) => void {
  const archive = () =>
    badRequest(instance, [`The part "${path}" is an archive; send its files one by one (§4.3)`]);
  if (archiveNames.test(path)) throw archive();
  let first = true;
  return (chunk) => {
    count(chunk.byteLength);
    if (first && signatures.some((bytes) => bytes.every((byte, index) => chunk[index] === byte)))
      throw archive();
    first = false;
    if (chunk.includes(0)) throw badRequest(instance, [`The part "${path}" is not a text file (§4.3, §2.6)`]);
  };
}
