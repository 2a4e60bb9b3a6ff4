/**
 * Makes sure that an address in a link is a page of this site: no other host, and no path that browsers read as a
 * host.
 */
export function ownPlace(place: string): string {
  return /^\/(?:[\w.~%-][\w.~%/-]*)?(?:\?[\w.~%&=+*-]*)?$/.test(place) ? place : '/';
}
