/** A moment in a worker's life as seen from outside: a message is about to be passed on, or has been answered. */
export interface Moment {
  readonly line: 'redis' | 'platform' | 'github';
  /** What the message does, without ids: the same work has the same label. */
  readonly label: string;
  /** `before`: the other side has not seen it. `after`: it has done it, and the worker has not heard. */
  readonly phase: 'before' | 'after';
  /** The message itself: a request's body, or a command's words. */
  readonly text: string;
}

/** What happens to the message; `cut`: the connection ends here. */
export type Passage = 'pass' | 'cut';

/** Watches moments, and may use them to kill, freeze or delay. */
export type Watch = (moment: Moment) => Passage | Promise<Passage>;
