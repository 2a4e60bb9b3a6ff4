import { messageOf } from '../../../lib/core/errors/message-of.ts';
/**
 * Thrown if a warehouse could not be opened. The message gives the reason in one sentence, and does not show paths of
 * this machine.
 */
export class WarehouseNotOpened extends Error {
  override readonly name = 'WarehouseNotOpened';
}

const begin = 'delete the file to begin with an empty database';

/** Why a database file cannot be opened, by what DuckDB or the system says. */
const reasons: readonly (readonly [pattern: RegExp, reason: string, hint: string])[] = [
  [
    /version number|storage version|newer version of DuckDB/i,
    'another version of DuckDB wrote it',
    `install that version, or ${begin}`,
  ],
  [
    /not a valid DuckDB|corrupt|checksum|enough bytes|failure while replaying WAL/i,
    'it is damaged, or it is not a database',
    `restore it from a backup, or ${begin}`,
  ],
  [
    /permission denied|EACCES|EPERM|read-only file system|EROFS/i,
    'permission is denied',
    'the user that runs Millrace must be able to read and write it and its folder',
  ],
  [/no space left|ENOSPC|file too large|EFBIG|quota/i, 'the disk is full', 'free some space'],
  [/set lock|conflicting lock/i, 'another process has opened it', 'end that process, or use another folder'],
  [
    /not a directory|ENOTDIR|EEXIST|is a directory|EISDIR|no such file|ENOENT|does not exist/i,
    'its folder is missing, or there is a folder with the name of the file',
    'check the folder of the file',
  ],
];

/**
 * Creates the error for a database file that DuckDB could not open. `file` is the name of the file without its
 * folder.
 */
export function notOpened(file: string, error: unknown): WarehouseNotOpened {
  if (error instanceof WarehouseNotOpened) return error;
  const text = messageOf(error);
  const reason = reasons.find(([pattern]) => pattern.test(text));
  const why = reason === undefined ? text : `${reason[1]}; ${reason[2]}`;
  return new WarehouseNotOpened(`the database file ${file} cannot be opened: ${why}`, { cause: error });
}
