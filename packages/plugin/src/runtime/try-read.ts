/** The result of `read`; undefined if an exotic object (a Proxy, a getter) throws. */
export function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
