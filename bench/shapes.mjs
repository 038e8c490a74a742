/** Values that are as large as `limits` ({bytes, values}) allow, each in the way that is hardest for something. */
const SHAPES = {
  image: ({ bytes }) => 'iVBORw0KGgo'.repeat(bytes / 11),
  text: ({ bytes }) => 'A word and a number: 42.\n'.repeat(bytes / 27),
  quotes: ({ bytes }) => '"'.repeat(bytes / 2),
  lists: ({ values }) => Array.from({ length: values / 2 }, () => []),
  numbers: ({ values, bytes }) => {
    const length = Math.min(values, bytes / 20);
    return Array.from({ length }, (_, at) => 0.1234567890123456 + at);
  },
  keys: ({ values }) => Object.fromEntries(Array.from({ length: values }, (_, at) => [`key${at.toString(36)}`, at])),
  objects: ({ values }) => Array.from({ length: values / 2 }, (_, at) => ({ [`key${at.toString(36)}`]: at })),
  strings: ({ values, bytes }) => Array.from({ length: values }, (_, at) => `${at}`.padEnd(bytes / values - 3, 'ab ')),
  deep: ({ depth }) => {
    let value = 1;
    for (let level = 0; level < depth; level++) value = [value];
    return value;
  },
  blocks: ({ blocks }) => Array.from({ length: blocks }, () => ({ type: 'text', text: 'x' })),
  meta: ({ metaBytes }) => ({ 'x/y': Array.from({ length: metaBytes / 3 }, () => []) }),
};

export const makeShape = (shape, limits) => SHAPES[shape](limits);
