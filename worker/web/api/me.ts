import { type ApiAnswer, ok } from './answers.ts';
import type { ApiCall } from './api-call.ts';

/** Who asks, as the worker sees it. */
export function showMe({ operator: { name, role, repositories } }: ApiCall): ApiAnswer {
  return ok({ name, role, repositories });
}
