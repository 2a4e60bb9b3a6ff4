import { type ApiAnswer, ok } from './answers.ts';
import type { ApiCall } from './api-call.ts';

/** The authenticated operator. */
export function showMe({ operator: { name, role, repositories } }: ApiCall): ApiAnswer {
  return ok({ name, role, repositories });
}
