/**
 * Paths at which two definitions differ, such as `streamingSource.connection.host`. Fields that only the second one
 * has are ignored.
 */
export function differences(wanted: unknown, existing: unknown, path = ''): string[] {
  if (isObject(wanted) && isObject(existing)) {
    if (Array.isArray(wanted) && Array.isArray(existing) && wanted.length !== existing.length) return [path];
    return Object.entries(wanted).flatMap(([name, value]) =>
      differences(value, Reflect.get(existing, name), path === '' ? name : `${path}.${name}`),
    );
  }
  return Object.is(wanted, existing) ? [] : [path];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
