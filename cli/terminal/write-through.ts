/**
 * Writes a text and waits until the stream has accepted it. Returns false if the reader has closed the pipe, as `|
 * head` does. Rejects with the stream's error, or with the signal's reason.
 */
export async function writeThrough(
  stream: NodeJS.WritableStream,
  text: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const cancel = () => reject(signal.reason);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    stream.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
      if (error === null || error === undefined) resolve(true);
      else if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') resolve(false);
      else reject(error);
    });
    return await promise;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
