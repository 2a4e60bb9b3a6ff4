/** Where a setting's value came from. */
export type SettingOrigin = 'flag' | 'environment' | 'file' | 'default';

export interface ResolvedSetting<T> {
  readonly value: T;
  readonly origin: SettingOrigin;
}

/** The same setting from each of its places, as far as given. An action's input counts as a flag. */
export interface SettingChoices<T> {
  readonly flag?: T | undefined;
  readonly environment?: T | undefined;
  readonly file?: T | undefined;
  readonly default?: T | undefined;
}

const precedence = ['flag', 'environment', 'file', 'default'] as const satisfies readonly SettingOrigin[];

/**
 * The one order of precedence: flag, then environment, then file, then default. An empty text counts as not
 * given: workflows pass secrets and inputs that are missing as empty.
 */
export function resolveSetting<T>(choices: SettingChoices<T>): ResolvedSetting<T> | undefined {
  for (const origin of precedence) {
    const value = choices[origin];
    if (value !== undefined && value !== '') return { value, origin };
  }
  return undefined;
}
