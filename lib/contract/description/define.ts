import * as z from 'zod';
import { nonEmpty } from './field.ts';
import type { ErrorCondition, Operation } from './operation.ts';

/** Returns an operation with its literal types, from which the client's methods are derived. */
export function define<const Row extends Operation>(row: Row): Row {
  return row;
}

export const noBody = { kind: 'none' } as const;
export const multipart = { kind: 'multipart' } as const;

/** A JSON body with the given schema. */
export function json<Schema extends z.ZodObject>(schema: Schema) {
  return { kind: 'json', schema } as const;
}

export const inProject = z.strictObject({ projectId: nonEmpty });
export const none = z.strictObject({});

/** The answers that every call can get (spec §5). */
export const unauthorized: ErrorCondition = {
  status: 401,
  when: 'The bearer token is missing, wrong, expired or revoked.',
  section: '§5',
};
export const unknownProject: ErrorCondition = {
  status: 404,
  when: 'The project does not exist or is not visible to the caller.',
  section: '§1, unknowns §3',
};
export const forbidden: ErrorCondition = {
  status: 403,
  when: 'The credential lacks the role.',
  section: '§5',
};
/** The answer to writes that the access level does not allow. A read of what the caller may not see is answered 404. */
export const lowLevel: ErrorCondition = {
  status: 403,
  when: 'The access level of the credential is too low.',
  section: '§2.3, unknowns §1',
};
export const malformed: ErrorCondition = {
  status: 400,
  when: 'The request does not fit the specification.',
  section: '§7, unknowns §1',
};

/** A further condition under which one operation is refused. */
export function when(status: ErrorCondition['status'], condition: string, section: string): ErrorCondition {
  return { status, when: condition, section };
}
