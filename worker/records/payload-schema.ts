import type { EmitterWebhookEvent } from '@octokit/webhooks';
import type { z } from 'zod';

type EventName =
  | 'push'
  | 'issue_comment'
  | 'check_run'
  | 'check_suite'
  | 'installation'
  | 'installation_repositories'
  | 'ping';

/** What GitHub sends, by the types that it publishes. */
type Payload<Name extends EventName> = EmitterWebhookEvent<Name>['payload'];

/** The fields of any form of a payload. */
type FieldsOf<Sent> = Sent extends unknown ? keyof Sent : never;
type FieldOf<Sent, Field> = Sent extends unknown ? (Field extends keyof Sent ? Sent[Field] : never) : never;
type ItemOf<Sent> = Sent extends readonly (infer Item)[] ? Item : never;

/** The paths that are read and not sent, or are sent with another type; never if there are none. */
type Unsent<Read, Sent> = unknown extends Read
  ? never
  : string extends keyof Read
    ? never
    : Read extends readonly (infer Item)[]
      ? Unsent<Item, ItemOf<NonNullable<Sent>>>
      : Read extends object
        ? {
            [Field in keyof Read & string]-?: Field extends FieldsOf<NonNullable<Sent>>
              ? Below<Field, Unsent<NonNullable<Read[Field]>, NonNullable<FieldOf<NonNullable<Sent>, Field>>>>
              : Field;
          }[keyof Read & string]
        : [Read & Sent] extends [never]
          ? 'has another type'
          : never;

type Below<Field extends string, Path extends string> = `${Field}.${Path}`;

/**
 * The schema for the parts of a webhook that the worker reads. It is a type error if the schema reads a field that
 * GitHub does not send, or with another type; the error names the path.
 */
export function payloadSchema<Name extends EventName>() {
  return <Schema extends z.ZodType>(
    schema: Schema &
      ([Unsent<z.output<Schema>, Payload<Name>>] extends [never]
        ? unknown
        : { readonly 'GitHub does not send': Unsent<z.output<Schema>, Payload<Name>> }),
  ): Schema => schema;
}
