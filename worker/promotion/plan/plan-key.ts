import { createHmac, hkdfSync } from 'node:crypto';

/** A key with which the values of variables in plans are hashed. */
export interface PlanKey {
  /** Names the key, and tells nothing about it. */
  readonly name: string;
  readonly bytes: Buffer;
}

const keyBytes = 32;
const nameDigits = 8;

/**
 * The key of an installation, derived from a secret of its workers, so that Redis contains no secret. While a
 * secret is rotated, several keys are valid; `preferred` names the key that a plan already uses. Undefined without
 * a secret.
 */
export function planKeyOf(secrets: readonly string[], preferred?: string): PlanKey | undefined {
  const keys = secrets.filter((secret) => secret !== '').map(keyOf);
  return keys.find(({ name }) => name === preferred) ?? keys[0];
}

function keyOf(secret: string): PlanKey {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'millrace plan', keyBytes));
  return { name: createHmac('sha256', bytes).update('name').digest('hex').slice(0, nameDigits), bytes };
}
