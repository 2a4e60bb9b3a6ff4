/** Compiled, not run: `npm run check` fails when a type of `millrace/platform` is not what this file says. */
import { type Platform, readSeed, startPlatform } from '../../platform/index.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <Claim extends true>(): Claim | undefined => undefined;

export async function typesOfThePlatform(): Promise<void> {
  await using platform = await startPlatform({
    seed: readSeed('credentials: [{ name: me, role: superAdmin }]', { file: 'seed.yaml' }),
    faults: { rateLimit: 300, rules: [{ operation: 'projects.list', nth: [1, 3], wire: 'reset-after' }] },
  });
  holds<Same<typeof platform, Platform>>();
  holds<Same<typeof platform.tokens.superAdmin, string>>();

  const [entry] = platform.ledger({ operation: 'executions.start', effect: 'started' });
  if (entry !== undefined) holds<Same<typeof entry.subject.name, string>>();

  platform.faults.add([{ operation: 'audit.list', status: 503, headers: { 'retry-after': '1' } }]);
  await platform.clock.advance('30m');
  await platform.clock.advance(1000);

  // @ts-expect-error: no such fault
  platform.faults.set([{ wire: 'nonsense' }]);
  // @ts-expect-error: no such effect
  platform.ledger({ effect: 'nonsense' });
  // @ts-expect-error: no such role
  void platform.tokens.owner;
}
