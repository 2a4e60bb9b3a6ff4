import { failure, failureOf, type Frame, type Result, type RunComponent, success } from './run.ts';
import { sourceOrder } from './source-order.ts';

/** Runs the components of a transformation one after the other, each after its sources; the first failure ends it. */
export async function runTransformation(frame: Frame, runComponent: RunComponent): Promise<Result> {
  const { document } = frame;
  const sorted = sourceOrder(document);
  if ('cycle' in sorted) {
    const names = sorted.cycle.map((name) => `"${name}"`).join(', ');
    const message = `Transformation "${document.path}" has a cycle of sources: ${names}.`;
    return failure(message, message);
  }
  for (const component of sorted.order) {
    const result = await runComponent(component, frame);
    if (result.status === 'success') continue;
    if (result.status === 'stopped') return result;
    const origin = result.origin ?? failureOf(component.name, document.path, result.message);
    return failure(origin, origin);
  }
  return success('');
}
