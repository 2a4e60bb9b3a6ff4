import { z } from 'zod';

const errorWithResponse = z.object({
  response: z.object({
    status: z.number(),
    headers: z.record(z.string(), z.unknown()).default({}),
  }),
});

/** GitHub's response to a failed request. Names of headers are in lower case. */
export type ErrorResponse = z.infer<typeof errorWithResponse>['response'];

/**
 * GitHub's response in an error that octokit threw. `undefined` if no response arrived: octokit reports a network
 * failure with the status 500, so the status of the error itself does not show it.
 */
export function responseOf(error: unknown): ErrorResponse | undefined {
  return errorWithResponse.safeParse(error).data?.response;
}
