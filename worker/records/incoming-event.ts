import type { CheckEvent } from './check-event.ts';
import type { CommentEvent } from './comment-event.ts';
import type { PushEvent } from './push-event.ts';

/**
 * An event as the receiver stores it. A push has a `ref`, a comment a `command`, a click on a check run a
 * `request`.
 */
export type IncomingEvent = PushEvent | CommentEvent | CheckEvent;
