import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** How much is written at once. A write of each chunk costs more than the chunk itself. */
const blockBytes = 1024 ** 2;
/** Blocks that wait for the next file. */
const maxSpareBlocks = 4;
const spareBlocks: Buffer[] = [];

/**
 * Writes chunks to a file; one block is written while the next one fills. `onChunk` receives every chunk and may throw to refuse
 * the file. The chunks are empty afterwards.
 */
export async function writeBlocks(
  chunks: AsyncIterable<Uint8Array>,
  file: FileHandle,
  onChunk: (chunk: Uint8Array) => void,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  let block = takeBlock();
  let filled = 0;
  let writing: Promise<void> = Promise.resolve();
  try {
    for await (const chunk of chunks) {
      onChunk(chunk);
      hash.update(chunk);
      bytes += chunk.byteLength;
      for (let from = 0; from < chunk.byteLength;) {
        const part = chunk.subarray(from, from + blockBytes - filled);
        block.set(part, filled);
        filled += part.byteLength;
        from += part.byteLength;
        if (filled < blockBytes) continue;
        await writing;
        writing = writeBlock(file, block, filled);
        // A failure is thrown where the block is awaited.
        writing.catch(() => undefined);
        block = takeBlock();
        filled = 0;
      }
      free(chunk);
    }
    await writing;
    await writeBlock(file, block, filled);
    return { sha256: hash.digest('hex'), bytes };
  } finally {
    // The caller closes the file.
    await writing.catch(() => undefined);
  }
}

async function writeBlock(file: FileHandle, block: Buffer, length: number): Promise<void> {
  for (let at = 0; at < length;) at += (await file.write(block, at, length - at)).bytesWritten;
  if (spareBlocks.length < maxSpareBlocks) spareBlocks.push(block);
}

function takeBlock(): Buffer {
  return spareBlocks.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
}

/**
 * Frees the memory of a chunk at once: the garbage collection would look through the whole heap once for every 32 MiB that arrive.
 * A chunk that shares its memory is left to it.
 */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
