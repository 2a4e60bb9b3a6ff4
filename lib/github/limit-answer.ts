type Fetch = typeof fetch;

/** Makes reading an answer fail once it has more than `maxBytes`. */
export function limitAnswer(send: Fetch, maxBytes: number): Fetch {
  return async (...given) => {
    const answer = await send(...given);
    if (answer.body === null) return answer;
    let size = 0;
    const limited = answer.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          size += chunk.byteLength;
          if (size > maxBytes) controller.error(new Error(`the answer is longer than ${maxBytes} bytes`));
          else controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = answer;
    return new Response(limited, { status, statusText, headers });
  };
}
