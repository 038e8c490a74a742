/** A hundred templates that fit a text of `a` almost, each to its end. */
export function register(api) {
  for (let index = 0; index < 100; index++) {
    api.registerResource({
      uriTemplate: `bad:${'{+x}a'.repeat(18)}{+y}b${index}`,
      name: `bad ${index}`,
      read: () => 'x',
    });
  }
}
