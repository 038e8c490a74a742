/** A key as a segment of a JSON pointer (RFC 6901). */
export const pointerSegment = (key: PropertyKey): string => String(key).replaceAll('~', '~0').replaceAll('/', '~1');

/** Undoes the escapes of RFC 6901 in a segment of a JSON pointer. */
export const keyOfSegment = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');
