import { z } from 'zod';
import { payloadSchema } from './payload-schema.ts';

/** What a delivery is about. It is only shown to people. */
export interface DeliverySubject {
  /** Full name of the repository, as the event says. */
  readonly repository?: string | undefined;
  readonly ref?: string | undefined;
  /** Number of the pull request, for a comment on one. */
  readonly pull?: number | undefined;
}

const shown = (length: number) => z.string().min(1).max(length).optional().catch(undefined);

const subject = payloadSchema<'push' | 'issue_comment'>()(
  z.object({
    repository: z
      .object({ full_name: shown(300) })
      .optional()
      .catch(undefined),
    ref: shown(1024),
    issue: z
      .object({ number: z.int().positive().optional().catch(undefined) })
      .optional()
      .catch(undefined),
  }),
);

/** The subject of a delivery. Call it only for bodies with a valid signature; the rest of the body may be invalid. */
export function subjectOf(body: unknown): DeliverySubject {
  const { repository, ref, issue } = subject.safeParse(body).data ?? {};
  return { repository: repository?.full_name, ref, pull: issue?.number };
}
