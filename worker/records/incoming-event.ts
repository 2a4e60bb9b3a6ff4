import type { CheckEvent } from './check-event.ts';
import type { CommentEvent } from './comment-event.ts';
import type { PushEvent } from './push-event.ts';

/** What the receiver stores. A push has a `ref`, a comment a `command`, a click on a check run a `request`. */
export type IncomingEvent = PushEvent | CommentEvent | CheckEvent;
