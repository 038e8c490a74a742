/** Stands in for the function of Node's `os` module that `@mortise/redact` uses: the byte order of typed arrays. */
export function endianness(): 'LE' | 'BE' {
  return new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 'LE' : 'BE';
}
