import fc from 'fast-check';

const MAX_CHANGES = 3;
const DEEP = 500;

const WRONG_VALUES = [
  ...[null, true, false, 0, -1, 1.5, 1e300, -0, 2 ** 53, '', 'x', '2.0', '2025-11-25', '\u0000', '\ud800', [], {}],
  ...[['x'], { a: 1 }, { __proto__: null, constructor: 1 }, JSON.parse('['.repeat(DEEP) + ']'.repeat(DEEP))],
];
const PIECES = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\n',
  '\r',
  '\u0000',
  '\u2028',
  '\ufeff',
  '\\ud800',
  '1e400',
  '-',
];
const WHOLE = [
  (text) => `[${text}]`,
  (text) => `[${text},${text}]`,
  (text) => text.slice(0, -1),
  (text) => `${text}x`,
  (text) => ` ${text}\t`,
  () => 'null',
  () => '[]',
  () => '',
];

const GENERATED_COUNT = 2_000;
const pools = new Map();

/**
 * A pool of values of fast-check, the same for the same seed: any JSON, and strings of any characters. It takes more than a
 * second, so that a pool is made once for all checks, which must not change its values.
 */
export function generatedValues(seed) {
  if (!pools.has(seed)) {
    const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.double(), fc.object({ maxDepth: 4 }));
    pools.set(seed, fc.sample(value, { seed, numRuns: GENERATED_COUNT }));
  }
  return pools.get(seed);
}

/** All places in a value: the objects and arrays, with the key of each member. */
function placesIn(value, places = []) {
  if (typeof value !== 'object' || value === null) return places;
  for (const key of Object.keys(value)) {
    places.push([value, key]);
    placesIn(value[key], places);
  }
  return places;
}

/** Changes up to three places of a copy of the value: a member is removed, replaced, added, renamed or copied. */
export function mutateValue(value, random, generated) {
  const copy = structuredClone(value);
  const wrong = () => structuredClone(random.pick(random.integer(2) === 0 ? WRONG_VALUES : generated));
  for (let change = random.integer(MAX_CHANGES) + 1; change > 0; change--) {
    const places = placesIn(copy);
    if (places.length === 0) return copy;
    const [owner, key] = random.pick(places);
    const [, other] = random.pick(places);
    const kind = random.integer(5);
    if (kind === 0) delete owner[key];
    else if (kind === 1) owner[Array.isArray(owner) ? owner.length : 'extra'] = wrong();
    else if (kind === 2 && !Array.isArray(owner)) owner[other] = owner[key];
    else owner[key] = wrong();
  }
  return copy;
}

/** Changes one place of a text: characters are removed, repeated, replaced or inserted, or it is wrapped or cut. */
export function mutateText(text, random) {
  const at = random.integer(text.length + 1);
  const length = random.integer(Math.min(20, text.length - at) + 1);
  const [before, part, after] = [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)];
  switch (random.integer(5)) {
    case 0:
      return before + after;
    case 1:
      return before + part.repeat(1 + random.integer(50)) + after;
    case 2:
      return before + random.pick(PIECES) + after;
    case 3:
      return before + String.fromCharCode(random.integer(0x100)) + part + after;
    default:
      return random.pick(WHOLE)(text);
  }
}
