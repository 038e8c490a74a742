/** A key as a segment of a JSON pointer (RFC 6901). */
export const pointerSegment = (key: PropertyKey): string => String(key).replaceAll('~', '~0').replaceAll('/', '~1');

/** The key that a segment of a JSON pointer stands for. */
export const keyOfSegment = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');
