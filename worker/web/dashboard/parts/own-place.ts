/** A page of our own, whatever a link contains: no other host, and no path that browsers read as one. */
export function ownPlace(place: string): string {
  return /^\/(?:[\w.~%-][\w.~%/-]*)?(?:\?[\w.~%&=+*-]*)?$/.test(place) ? place : '/';
}
