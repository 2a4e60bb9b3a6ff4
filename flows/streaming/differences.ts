/** Where two definitions differ, as paths such as `streamingSource.connection.host`; fields that only the second has count not. */
export function differences(wanted: unknown, there: unknown, path = ''): string[] {
  if (isObject(wanted) && isObject(there)) {
    if (Array.isArray(wanted) && Array.isArray(there) && wanted.length !== there.length) return [path];
    return Object.entries(wanted).flatMap(([name, value]) =>
      differences(value, Reflect.get(there, name), path === '' ? name : `${path}.${name}`),
    );
  }
  return Object.is(wanted, there) ? [] : [path];
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
