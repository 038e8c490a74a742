/** What `@mortise/redact` needs of Node: the order of bytes of typed arrays here. */
export function endianness(): 'LE' | 'BE' {
  return new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 'LE' : 'BE';
}
